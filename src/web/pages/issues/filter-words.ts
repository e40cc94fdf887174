/** The words by which issues are filtered, and the parameters of the API that they stand for. */
const PARAMETERS = {
  label: 'labels[]',
  author: 'author_username',
  assignee: 'assignee_username[]',
  milestone: 'milestone',
  weight: 'weight',
  due: 'due_date',
  confidential: 'confidential',
  type: 'issue_type',
  reaction: 'my_reaction_emoji',
  state: 'state',
} as const

type FilterName = keyof typeof PARAMETERS

/** Names in addresses of links and bookmarks, and the words that they stand for. */
const IN_ADDRESSES: Readonly<Record<string, FilterName>> = {
  label_name: 'label',
  'label_name[]': 'label',
  labels: 'label',
  author_username: 'author',
  assignee_username: 'assignee',
  'assignee_username[]': 'assignee',
  milestone_title: 'milestone',
  milestone: 'milestone',
  weight: 'weight',
  due_date: 'due',
  confidential: 'confidential',
  my_reaction_emoji: 'reaction',
}

/** Values that the API knows. */
const VALUES: Partial<Record<FilterName, readonly string[]>> = {
  due: ['overdue', 'today', 'tomorrow', 'week', 'month', 'any', '0'],
  confidential: ['yes', 'no'],
  type: ['issue', 'incident', 'test_case', 'task'],
  state: ['opened', 'closed', 'all'],
}

/** Words whose value is the start of a name, for which the reader may write `none` and `any`. */
const OPTIONAL: ReadonlySet<FilterName> = new Set(['label', 'assignee', 'milestone', 'weight', 'reaction'])

/** Words of which several count together. */
const REPEATED: ReadonlySet<FilterName> = new Set(['label', 'assignee'])

export interface IssueFilter {
  /** Parameters of the API; those that are repeated have a list. */
  query: [name: string, value: string][]
  /** Filters with invalid values. */
  unknown: string[]
  /** The state that the text names. */
  state: string | undefined
}

/** The parameters of the address that a filter replaces. */
export const FILTER_PARAMETERS: readonly string[] = ['filter', 'search', ...Object.keys(IN_ADDRESSES)]

/** The text of the filter that an address asks for. */
export function filterIn(search: URLSearchParams): string {
  const given = search.get('filter')
  if (given !== null) return given
  const words = [...search].flatMap(([parameter, value]) => {
    const name = Object.hasOwn(IN_ADDRESSES, parameter) ? IN_ADDRESSES[parameter] : undefined
    return name === undefined || value === '' ? [] : [filterWord(name, value)]
  })
  return [...words, ...search.getAll('search').filter(Boolean)].join(' ')
}

/** A filter with its value, in quotation marks if it is not one word. */
export function filterWord(name: FilterName, value: string): string {
  return /^[^\s"]+$/.test(value) ? `${name}:${value}` : `${name}:"${value.replaceAll('"', '')}"`
}

const WORD = /([a-z]+):"([^"]*)"|(\S+)/g

/**
 * Reads a text such as `crash label:bug label:"needs work" author:ada` into parameters of the API. Words that are no
 * filters are searched for.
 */
export function readFilter(text: string): IssueFilter {
  const query: [string, string][] = []
  const unknown: string[] = []
  const searched: string[] = []
  const names = new Set<FilterName>()
  let state: string | undefined
  for (const [word, quotedName, quotedValue, plain = ''] of text.matchAll(WORD)) {
    const [, name = quotedName ?? '', value = quotedValue ?? ''] = /^([a-z]+):(.+)$/.exec(plain) ?? []
    if (!isFilter(name) || value === '') {
      searched.push(word)
    } else if (VALUES[name]?.includes(value) === false || (names.has(name) && !REPEATED.has(name))) {
      unknown.push(word)
    } else if (name === 'state') {
      state = value
    } else {
      names.add(name)
      query.push(parameterOf(name, value))
    }
  }
  if (searched.length > 0) query.push(['search', searched.join(' ')])
  return { query, unknown, state }
}

function parameterOf(name: FilterName, value: string): [string, string] {
  const isOptional = OPTIONAL.has(name) && /^(none|any)$/i.test(value)
  if (isOptional && name === 'assignee') return ['assignee_id', capitalized(value)]
  if (isOptional) return [PARAMETERS[name], capitalized(value)]
  if (name === 'confidential') return [PARAMETERS[name], String(value === 'yes')]
  return [PARAMETERS[name], value]
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

function isFilter(name: string): name is FilterName {
  return Object.hasOwn(PARAMETERS, name)
}

/** The query of parameters, some of which may be repeated. */
export function queryText(query: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
}

/** The filter that is being written at the end of a text. */
export interface OpenFilter {
  name: FilterName
  /** What is written of its value. */
  start: string
}

/** The filter at the end of a text, whose value can be completed. */
export function openFilter(text: string): OpenFilter | undefined {
  const [, name = '', , quoted, plain] = /(?:^|\s)([a-z]+):(?:(")([^"]*)|([^\s"]*))$/.exec(text) ?? []
  return isFilter(name) ? { name, start: quoted ?? plain ?? '' } : undefined
}

/** Texts that complete the end of a text: the names of filters, then the values that a filter has. */
export function completionsOf(text: string, values: readonly string[]): string[] {
  const open = openFilter(text)
  if (!open) {
    const before = text.replace(/\S*$/, '')
    const word = text.slice(before.length)
    return Object.keys(PARAMETERS)
      .map((name) => `${name}:`)
      .filter((name) => name.startsWith(word) && name !== word)
      .map((name) => before + name)
  }
  const { name, start } = open
  const before = text.slice(0, text.lastIndexOf(`${name}:`))
  const known = VALUES[name] ?? [...values, ...(OPTIONAL.has(name) ? ['none', 'any'] : [])]
  return known
    .filter((value) => value.toLowerCase().startsWith(start.toLowerCase()) && value !== start)
    .map((value) => `${before}${filterWord(name, value)} `)
}
