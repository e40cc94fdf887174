import type { Operation } from '../operation.js'

/**
 * Path segments below a project, group or user that are not separate resources, with the resource that they
 * belong to.
 */
const BELONGS_TO: Record<string, string> = {
  archive: 'Projects',
  avatar: 'Projects',
  export: 'Projects',
  fork: 'Forks',
  forks: 'Forks',
  housekeeping: 'Projects',
  import: 'Projects',
  job: 'Jobs',
  languages: 'Projects',
  pipeline: 'Pipelines',
  ref: 'Triggers',
  restore: 'Projects',
  share: 'Shares',
  snapshot: 'Repository',
  star: 'Stars',
  starrers: 'Stars',
  statistics: 'Projects',
  transfer: 'Projects',
  trigger: 'Triggers',
  unarchive: 'Projects',
  unstar: 'Stars',
  user: 'Users',
  user_counts: 'Users',
  version: 'Metadata',
  ci: 'CI lint',
  statuses: 'Commit statuses',
  artifacts: 'Jobs',
}
/** Like `BELONGS_TO`, below a group. */
const OF_GROUP: Record<string, string> = {
  ...BELONGS_TO,
  avatar: 'Groups',
  descendant_groups: 'Groups',
  groups: 'Groups',
  projects: 'Projects',
  restore: 'Groups',
  subgroups: 'Groups',
  transfer: 'Groups',
}
const OF_REPOSITORY = ['branches', 'commits', 'files', 'tags']

/** The resource that an operation is about: `Protected branches` of `/projects/:id/protected_branches/:name`. */
export function tagOf(path: string): string {
  const words = splitWords(path)
  const [first = '', second] = words
  if (first === 'admin') return titleOf(words.at(-1) ?? first)
  const isInside = /^\/(projects|groups)\/:id\//.test(path)
  if (!isInside || second === undefined) return BELONGS_TO[first] ?? titleOf(first)
  if (second === 'repository') return titleOf(words.find((word) => OF_REPOSITORY.includes(word)) ?? second)
  return (first === 'groups' ? OF_GROUP : BELONGS_TO)[second] ?? titleOf(second)
}

function titleOf(word: string): string {
  const text = word.replaceAll('_', ' ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function splitWords(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => /^\w/.test(segment))
    .map((segment) => segment.replace(/\..*/, ''))
}

/**
 * Operation ids for generated clients: `listProjectHooks`, `getProjectHook`, `retryProjectJob`. They are
 * derived from method and path alone. If several operations would share an id, the ids of all of them include
 * their parameters.
 */
export function operationIds(operations: readonly Operation[]): Map<Operation, string> {
  const short = operations.map((operation) => [operation, idOf(operation)] as const)
  const times = new Map<string, number>()
  for (const [, id] of short) times.set(id, (times.get(id) ?? 0) + 1)
  return new Map(
    short.map(([operation, id]) => [operation, times.get(id) === 1 ? id : withParameters(id, operation)]),
  )
}

function withParameters(id: string, { path }: Operation): string {
  const names = parametersIn(path).map(pascalCase)
  return names.length === 0 ? id : `${id}By${names.join('And')}`
}

function idOf(operation: Operation): string {
  const { path } = operation
  const segments = path.split('/').filter((segment) => segment !== '')
  const names = segments.flatMap((segment, index) => {
    // Older paths of operations, such as `/projects/:id/-/search`.
    if (segment === '-') return ['Dash']
    if (!/^\w/.test(segment)) return []
    if (index === 0 && segment === 'user') return ['CurrentUser']
    const word = segment.replace(/\..*/, '')
    return [pascalCase(isParameter(segments[index + 1]) ? singular(word) : word)]
  })
  const isOfOne = isParameter(segments.at(-1))
  const { verb, rest } = verbAndRest(operation, names, isOfOne)
  return verb + rest.join('')
}

/** Splits an operation into verb and object. The last segment of a POST is the verb if it is not a plural. */
function verbAndRest(
  { method, paginated }: Operation,
  names: string[],
  isOfOne: boolean,
): { verb: string; rest: string[] } {
  const last = names.at(-1) ?? ''
  if (method === 'GET') return { verb: paginated ? 'list' : 'get', rest: names }
  if (method === 'DELETE') return { verb: 'delete', rest: names }
  if (method === 'PATCH') return { verb: 'patch', rest: names }
  if (method === 'PUT') return { verb: 'update', rest: [...names.slice(0, -1), singular(last)] }
  if (isOfOne) return { verb: 'create', rest: names }
  if (isPlural(last) || NOUNS.has(last)) {
    return { verb: 'create', rest: [...names.slice(0, -1), singular(last)] }
  }
  return names.length > 1
    ? { verb: last.slice(0, 1).toLowerCase() + last.slice(1), rest: names.slice(0, -1) }
    : { verb: 'create', rest: names }
}

/** Last segments of a POST that are the created object, although they are not plurals. */
const NOUNS = new Set(['Pipeline'])

/** The type name for a field or list: `Runner` for `runners`. */
export function typeNameOf(word: string): string {
  return pascalCase(singular(word))
}

/** The object of an operation, from its name: `ProjectHook` for `listProjectHooks`. */
export function recordNameOf(operationId: string): string {
  return typeNameOf(operationId.replace(/^[a-z]+/, ''))
}

function isParameter(segment: string | undefined): boolean {
  return segment !== undefined && /^[:*]/.test(segment)
}

function isPlural(word: string): boolean {
  return /[^su]s$/.test(word)
}

function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y')
  if (/(?:ch|sh|x|us)es$/i.test(word)) return word.replace(/es$/, '')
  return isPlural(word) ? word.slice(0, -1) : word
}

/** `TagName` of `tag_name`. */
export function pascalCase(word: string): string {
  return word
    .split(/[_-]/)
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('')
}

function parametersIn(path: string): string[] {
  return [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => name)
}
