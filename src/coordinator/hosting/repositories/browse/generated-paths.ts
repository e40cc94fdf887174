import { compilePatterns, PatternsTooComplexError } from '../../../../code-owners/compile-patterns.js'
import { isOverLimit } from '../../../../code-owners/read-pattern.js'
import { ObjectTooLargeError } from '../../../../git/errors.js'
import type { ObjectReader } from '../../../../git/object-reader.js'

/** Most folders in which `.gitattributes` is read; of deeper folders beyond them, it does not count. */
const MAX_FOLDERS = 200
const MAX_BYTES = 128 * 1024
/** Most lines about these attributes that count. */
const MAX_RULES = 500

/** What makes reviewers pass over a file, from the attributes in https://git-scm.com/docs/gitattributes. */
type Attribute = 'generated' | 'diff'

interface Rule {
  pattern: string
  values: Partial<Record<Attribute, boolean>>
}

/**
 * The paths that `.gitattributes` of a commit marks as generated (`linguist-generated`, `gitlab-generated`), or as not
 * worth a diff (`-diff`, `binary`). Git itself evaluates attributes of a commit from 2.40 on. Macros and patterns with
 * quotes do not count.
 */
export async function generatedPaths(
  { objects }: { objects: Pick<ObjectReader, 'read'> },
  commit: string,
  paths: readonly string[],
): Promise<Set<string>> {
  const rules: Rule[] = []
  for (const folder of foldersOf(paths)) {
    const text = await readAttributes(objects, `${commit}:${folder}.gitattributes`)
    rules.push(...attributeRules(text, folder))
  }
  return matchingPaths(rules.slice(0, MAX_RULES), paths)
}

/** The folders of the paths with a slash at the end, from the top down; that of the repository is empty. */
function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set([''])
  for (const path of paths) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
      folders.add(path.slice(0, at + 1))
  }
  const depth = (folder: string) => folder.split('/').length
  return [...folders].toSorted((one, other) => depth(one) - depth(other)).slice(0, MAX_FOLDERS)
}

async function readAttributes(objects: Pick<ObjectReader, 'read'>, name: string): Promise<string> {
  try {
    const object = await objects.read(name, MAX_BYTES)
    return object?.type === 'blob' ? object.content.toString('utf8') : ''
  } catch (error) {
    if (!(error instanceof ObjectTooLargeError)) throw error
    return ''
  }
}

/** The lines of a file of attributes that say something about generated files, in their order. */
function attributeRules(text: string, folder: string): Rule[] {
  return text.split('\n').flatMap((line): Rule[] => {
    const [pattern = '', ...attributes] = line.trim().split(/\s+/)
    const values = Object.assign({}, ...attributes.map(valueOf)) as Rule['values']
    // An exclusion is not allowed here, and a folder has no attributes.
    if (Object.keys(values).length === 0 || /^[#!"[]|\/$/.test(pattern) || isOverLimit(pattern)) return []
    return [{ pattern: anchored(pattern, folder), values }]
  })
}

const VALUES: Readonly<Record<string, Rule['values']>> = {
  'linguist-generated': { generated: true },
  'gitlab-generated': { generated: true },
  diff: { diff: true },
  binary: { diff: false },
}

function valueOf(attribute: string): Rule['values'] {
  const [, sign, name = '', value] = /^([-!]?)([^=]+)(?:=(.*))?$/.exec(attribute) ?? []
  // Without a value again, a file has a diff and is not generated.
  if (sign === '!') return name === 'diff' ? { diff: true } : opposite(VALUES[name])
  return sign === '-' || value === 'false' ? opposite(VALUES[name]) : (VALUES[name] ?? {})
}

function opposite({ generated, diff }: Rule['values'] = {}): Rule['values'] {
  return {
    ...(generated !== undefined && { generated: !generated }),
    ...(diff !== undefined && { diff: !diff }),
  }
}

/** As a pattern from the root: a name counts at any depth, and a path from the folder of its file. */
function anchored(pattern: string, folder: string): string {
  const from = `/${folder.replaceAll(/[\\*?[\]!\s#]/g, String.raw`\$&`)}`
  return pattern.includes('/') ? `${from}${pattern.replace(/^\//, '')}` : `${from}**/${pattern}`
}

/** Of several rules for an attribute of a path, the last one counts. */
function matchingPaths(rules: readonly Rule[], paths: readonly string[]): Set<string> {
  const marked = new Set<string>()
  if (rules.length === 0) return marked
  const matcher = compilePatterns(rules.map(({ pattern }) => pattern))
  try {
    for (const path of paths) {
      const values: Rule['values'] = {}
      for (const index of matcher.match(path).toSorted((one, other) => one - other))
        Object.assign(values, rules[index]?.values)
      if (values.generated === true || values.diff === false) marked.add(path)
    }
  } catch (error) {
    if (!(error instanceof PatternsTooComplexError)) throw error
  }
  return marked
}
