/** Where the cursor is in a YAML file, as far as its lines and indentation tell. The file may be incomplete. */
export interface YamlPosition {
  /** Keys from the top to the map or list that the cursor is in. */
  path: string[]
  /** Whether a key may be written here; otherwise `key` has a value here. */
  isKey: boolean
  /** The key whose value the cursor is in. Undefined at a key, and in a list of texts. */
  key: string | undefined
  /** What is written before the cursor. */
  word: string
}

const KEY = /^((?:- +)*)("[^"]*"|'[^']*'|[^\s#:'"[{][^#:]*?)\s*:(?=\s|$)/

interface Line {
  indent: number
  /** The key of the line; its value may follow. */
  key: string | undefined
  /** Column of the key, behind the dashes before it. */
  column: number
  isItem: boolean
}

/**
 * Finds the position in the structure of a file.
 * @param before the lines of the text up to the cursor, the last one cut there
 */
export function findYamlPosition(before: readonly string[]): YamlPosition {
  const current = before.at(-1) ?? ''
  const dashes = /^\s*(?:- +)*/.exec(current)?.[0] ?? ''
  const written = current.slice(dashes.length)
  const own = KEY.exec(written)
  const isItem = dashes.includes('-')
  const column = dashes.length
  const path = pathAbove(before.slice(0, -1), column, isItem ? dashes.indexOf('-') : column)
  if (own) {
    const value = written.slice(own[0].length).trimStart()
    return { path, isKey: false, key: bare(own[2] ?? ''), word: /[^\s,[\]]*$/.exec(value)?.[0] ?? '' }
  }
  return { path, isKey: true, key: undefined, word: written }
}

/**
 * The keys above a column, the outermost first.
 * @param column of the position
 * @param dash column of the first dash of the line, or `column` without one: a list may begin below its key
 */
function pathAbove(lines: readonly string[], column: number, dash: number): string[] {
  const path: string[] = []
  let limit = column
  let listLimit = dash
  for (let index = lines.length - 1; index >= 0 && limit > 0; index -= 1) {
    const line = parse(lines[index] ?? '')
    if (!line?.key) continue
    // The items of a list may be in the column of the key above it.
    const isAbove =
      line.column < limit && (line.column < listLimit || (line.column === listLimit && listLimit < limit))
    if (!isAbove) continue
    path.unshift(line.key)
    limit = line.column
    listLimit = line.isItem ? line.indent : line.column
  }
  return path
}

function parse(text: string): Line | undefined {
  const indent = text.length - text.trimStart().length
  const content = text.slice(indent)
  if (content === '' || content.startsWith('#')) return undefined
  const found = KEY.exec(content)
  const dashes = found?.[1] ?? ''
  return {
    indent,
    key: found ? bare(found[2] ?? '') : undefined,
    column: indent + dashes.length,
    isItem: dashes !== '',
  }
}

function bare(key: string): string {
  return key.replace(/^(["'])(.*)\1$/, '$2')
}

/** The names at the top of a CI file that are keywords, and no jobs. */
const TOP = new Set(
  'default stages variables workflow include image services cache before_script after_script spec'.split(' '),
)

export interface FileNames {
  /** Jobs, and templates whose names begin with a dot. */
  jobs: string[]
  stages: string[]
}

/** The names of jobs and stages that a CI file declares. */
export function namesInFile(text: string): FileNames {
  const jobs: string[] = []
  const stages: string[] = []
  let isInStages = false
  for (const line of text.split('\n')) {
    const key = /^[^\s-]/.test(line) ? KEY.exec(line)?.[2] : undefined
    if (key !== undefined) {
      const name = bare(key)
      isInStages = name === 'stages'
      if (!TOP.has(name)) jobs.push(name)
      const listed = isInStages && /\[(.*)\]/.exec(line)?.[1]
      if (listed) stages.push(...listed.split(',').map((stage) => bare(stage.trim())))
    } else if (isInStages) {
      const item = /^\s*-\s+([^#]+)/.exec(line)?.[1]
      if (item !== undefined) stages.push(bare(item.trim()))
    }
  }
  return { jobs: [...new Set(jobs)], stages: [...new Set(stages)].filter((stage) => stage !== '') }
}

/** Adds the names of jobs that are known from elsewhere; instances of parallel jobs have one name. */
export function withJobs(
  { jobs, stages }: FileNames,
  known: readonly { name: string; stage: string }[],
): FileNames {
  return {
    jobs: [...new Set([...jobs, ...known.map(({ name }) => withoutInstance(name))])],
    stages: [...new Set([...stages, ...known.map(({ stage }) => stage)])],
  }
}

/** `rspec 3/10` and `rspec: [a, b]` are instances of `rspec`. */
function withoutInstance(name: string): string {
  return name.replace(/(?::? \[.*\]| \d+\/\d+)$/, '')
}

/** The names of variables that a CI file sets, anywhere in it. */
export function variablesInFile(text: string): string[] {
  const names = new Set<string>()
  /** Indentation of the `variables` whose names follow. */
  let above: number | undefined
  /** That of the names; what is deeper describes them. */
  let own: number | undefined
  for (const line of text.split('\n')) {
    const parsed = parse(line)
    if (!parsed) continue
    const { key, column } = parsed
    if (above !== undefined && column <= above) above = undefined
    if (above === undefined) {
      if (key === 'variables') above = column
      own = undefined
    } else {
      own ??= column
      if (column === own && key !== undefined && /^\w+$/.test(key)) names.add(key)
    }
  }
  return [...names]
}

/** The line on which a job is declared, from 1. Undefined if it is not in this file. */
export function lineOfJob(text: string, name: string): number | undefined {
  const written = withoutInstance(name)
  const index = text.split('\n').findIndex((line) => {
    const key = KEY.exec(line)
    return key?.[1] === '' && [name, written].includes(bare(key[2] ?? ''))
  })
  return index === -1 ? undefined : index + 1
}
