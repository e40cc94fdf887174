/** A part of a text that names a file and a line, such as `src/a.ts:12:3`. */
export interface FileReference {
  /** Where the name begins and ends in the text. */
  start: number
  end: number
  path: string
  line: number
}

const ENDINGS = [
  ...['c', 'cc', 'clj', 'cmake', 'cpp', 'cs', 'css', 'cxx', 'dart', 'erl', 'ex', 'exs', 'fs', 'go', 'gradle'],
  ...[
    'groovy',
    'h',
    'hh',
    'hpp',
    'hs',
    'html',
    'java',
    'jl',
    'js',
    'json',
    'jsx',
    'cjs',
    'kt',
    'kts',
    'less',
  ],
  ...['lua', 'm', 'md', 'mjs', 'mk', 'ml', 'mm', 'mts', 'cts', 'php', 'pl', 'pm', 'proto', 'ps1', 'py', 'r'],
  ...['rake', 'rb', 'rs', 'scala', 'scss', 'sh', 'sql', 'svelte', 'swift', 'tf', 'toml', 'ts', 'tsx', 'vue'],
  ...['xml', 'yaml', 'yml', 'zig'],
].join('|')
const NAME = String.raw`(?:[\w@+~.-]*/)*[\w@+.-]*\.(?:${ENDINGS})`
/** `src/a.ts:12`, and as compilers of C# and TypeScript write it, `src/a.ts(12,3)`. */
const WITH_LINE = new RegExp(
  String.raw`(?<![\w@+~./:-])(${NAME})(?::(\d{1,7})(?::\d+)?|\((\d{1,7})(?:,\d+)?\))(?![\w/])`,
  'g',
)
/** As Python writes it. */
const IN_WORDS = /File "([^"]+)", line (\d{1,7})/g

/** Finds names of files with a line, in their order. */
export function fileReferences(text: string): FileReference[] {
  // Most lines have none.
  if (!text.includes('.')) return []
  const found: FileReference[] = []
  for (const match of text.matchAll(WITH_LINE)) {
    const [whole, path = '', colon, bracket] = match
    found.push({
      start: match.index,
      end: match.index + whole.length,
      path,
      line: Number(colon ?? bracket),
    })
  }
  for (const match of text.matchAll(IN_WORDS)) {
    const [whole, path = '', line] = match
    found.push({ start: match.index, end: match.index + whole.length, path, line: Number(line) })
  }
  return found.toSorted((one, other) => one.start - other.start)
}

/** Folders of what others have written. */
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|\.cargo|\.gem|vendor\/bundle|\.m2)\//

/**
 * The path in the repository of a file that a log names. Undefined if it is outside of it.
 * @param project full path; runners put the repository into a folder of that name
 */
export function repositoryPath(path: string, project: string): string | undefined {
  const folder = `/${project}/`
  const inside = path.startsWith('/') ? afterFolder(path, folder) : path.replace(/^(?:\.\/)+/, '')
  if (inside === undefined || FOREIGN.test(inside) || inside.split('/').includes('..')) return undefined
  return inside.startsWith('~') || inside === '' ? undefined : inside
}

function afterFolder(path: string, folder: string): string | undefined {
  const at = path.indexOf(folder)
  return at < 0 ? undefined : path.slice(at + folder.length)
}
