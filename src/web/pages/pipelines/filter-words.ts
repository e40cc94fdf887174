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

export const FILTER_WORDS = Object.keys(PARAMETERS)

export interface Filter {
  query: Record<string, string>
  /** Words that are no filter. */
  unknown: string[]
}

/** Reads a text such as `ref:main status:failed by:root after:2026-11-01` into parameters of the API. */
export function readFilter(text: string): Filter {
  const query: Record<string, string> = {}
  const unknown: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? []
    if (name in PARAMETERS) query[PARAMETERS[name as keyof typeof PARAMETERS]] = value
    else unknown.push(word)
  }
  return { query, unknown }
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
