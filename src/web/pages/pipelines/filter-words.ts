/** The words by which pipelines are filtered, and the parameters of the API that they stand for. */
const PARAMETERS = {
  ref: 'ref',
  status: 'status',
  source: 'source',
  by: 'username',
  sha: 'sha',
  after: 'created_after',
  before: 'created_before',
} as const

export const FILTER_STATUSES = [
  'running',
  'pending',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
  'created',
  'waiting_for_resource',
  'preparing',
  'canceling',
]

const FILTER_WORDS = Object.keys(PARAMETERS)

export interface Filter {
  query: Record<string, string>
  /** Filters with invalid values. */
  unknown: string[]
}

/** The parameters of the address that a filter replaces: links name single ones, such as `ref=main`. */
export const FILTER_PARAMETERS: readonly string[] = ['filter', 'search', ...Object.values(PARAMETERS)]

/** The text of the filter that an address asks for. */
export function filterIn(search: URLSearchParams): string {
  const words = Object.entries(PARAMETERS).flatMap(([word, parameter]) =>
    search
      .getAll(parameter)
      .filter(Boolean)
      .map((value) => `${word}:${value}`),
  )
  return search.get('filter') ?? [...words, ...search.getAll('search').filter(Boolean)].join(' ')
}

/**
 * Reads a text such as `login ref:main status:failed by:root after:2026-11-01` into parameters of the API. Words that are
 * no filters are searched for, and so are the first digits of a SHA.
 */
export function readFilter(text: string): Filter {
  const query: Record<string, string> = {}
  const unknown: string[] = []
  const searched: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? []
    if (!isFilter(name)) searched.push(word)
    else if (!isValue(name, value)) unknown.push(word)
    else if (name === 'sha' && value.length < WHOLE_SHA) searched.push(value)
    else query[PARAMETERS[name]] = value
  }
  if (searched.length > 0) query['search'] = searched.join(' ')
  return { query, unknown }
}

const WHOLE_SHA = 40

function isFilter(name: string): name is keyof typeof PARAMETERS {
  return Object.hasOwn(PARAMETERS, name)
}

function isValue(name: string, value: string): boolean {
  if (name === 'status') return FILTER_STATUSES.includes(value)
  if (name === 'after' || name === 'before') return !Number.isNaN(Date.parse(value))
  return true
}

/** What could complete the last word of a text: the names of filters, then the values that a filter knows. */
export function completionsOf(text: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const before = text.replace(/\S*$/, '')
  const word = text.slice(before.length)
  const [, name, start = ''] = /^([a-z]+):(.*)$/.exec(word) ?? []
  const words =
    name === undefined
      ? FILTER_WORDS.map((each) => `${each}:`).filter((each) => each.startsWith(word))
      : (values[name] ?? []).filter((value) => value.startsWith(start)).map((value) => `${name}:${value}`)
  return words.filter((each) => each !== word).map((each) => before + each)
}
