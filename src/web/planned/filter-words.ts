/** The words by which records are filtered. */
export interface FilterTable {
  /** The words, and the parameters of the API that they stand for. */
  parameters: Readonly<Record<string, string>>
  /** Names in addresses of links and bookmarks, and the words that they stand for. */
  inAddresses: Readonly<Record<string, string>>
  /** Values that the API knows, by word. */
  values: Readonly<Partial<Record<string, readonly string[]>>>
  /** Words whose value is the start of a name, for which the reader may write `none` and `any`. */
  optional: ReadonlySet<string>
  /** Words of which several count together. */
  repeated: ReadonlySet<string>
  /** The parameter and value of a word that stands for another one with this value. */
  exception?: (name: string, value: string) => [parameter: string, value: string] | undefined
}

/** What a text asks for. */
export interface ReadFilter {
  /** Parameters of the API; those that are repeated have a list. */
  query: [name: string, value: string][]
  /** Filters with invalid values. */
  unknown: string[]
  /** The state that the text names. */
  state: string | undefined
}

/** The parameters of the address that a filter replaces. */
export function filterParameters({ inAddresses }: FilterTable): string[] {
  return ['filter', 'search', ...Object.keys(inAddresses)]
}

/** The text of the filter that an address asks for. */
export function filterIn({ inAddresses }: FilterTable, search: URLSearchParams): string {
  const given = search.get('filter')
  if (given !== null) return given
  const words = [...search].flatMap(([parameter, value]) => {
    const name = Object.hasOwn(inAddresses, parameter) ? inAddresses[parameter] : undefined
    return name === undefined || value === '' ? [] : [filterWord(name, value)]
  })
  return [...words, ...search.getAll('search').filter(Boolean)].join(' ')
}

/** A filter with its value, in quotation marks if it is not one word. */
function filterWord(name: string, value: string): string {
  return /^[^\s"]+$/.test(value) ? `${name}:${value}` : `${name}:"${value.replaceAll('"', '')}"`
}

const WORD = /([a-z]+):"([^"]*)"|(\S+)/g

/**
 * Reads a text such as `crash label:bug label:"needs work" author:ada` into parameters of the API. Words that are no
 * filters are searched for.
 */
export function readFilter(table: FilterTable, text: string): ReadFilter {
  const query: [string, string][] = []
  const unknown: string[] = []
  const searched: string[] = []
  const names = new Set<string>()
  let state: string | undefined
  for (const [word, quotedName, quotedValue, plain = ''] of text.matchAll(WORD)) {
    const [, name = quotedName ?? '', value = quotedValue ?? ''] = /^([a-z]+):(.+)$/.exec(plain) ?? []
    if (!isFilter(table, name) || value === '') {
      searched.push(word)
    } else if (
      table.values[name]?.includes(value) === false ||
      (names.has(name) && !table.repeated.has(name))
    ) {
      unknown.push(word)
    } else if (name === 'state') {
      state = value
    } else {
      names.add(name)
      query.push(parameterOf(table, name, value))
    }
  }
  if (searched.length > 0) query.push(['search', searched.join(' ')])
  return { query, unknown, state }
}

function parameterOf(table: FilterTable, name: string, value: string): [string, string] {
  const isOptional = table.optional.has(name) && /^(none|any)$/i.test(value)
  const shown = isOptional ? capitalized(value) : value
  return table.exception?.(name, shown) ?? [table.parameters[name] ?? name, shown]
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

function isFilter({ parameters }: FilterTable, name: string): boolean {
  return Object.hasOwn(parameters, name)
}

/** The query of parameters, some of which may be repeated. */
export function queryText(query: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()
}

/** The filter that is being written at the end of a text. */
export interface OpenFilter {
  name: string
  /** What is written of its value. */
  start: string
}

/** The filter at the end of a text, whose value can be completed. */
export function openFilter(table: FilterTable, text: string): OpenFilter | undefined {
  const [, name = '', , quoted, plain] = /(?:^|\s)([a-z]+):(?:(")([^"]*)|([^\s"]*))$/.exec(text) ?? []
  return isFilter(table, name) ? { name, start: quoted ?? plain ?? '' } : undefined
}

/** Texts that complete the end of a text: the names of filters, then the values that a filter has. */
export function completionsOf(table: FilterTable, text: string, values: readonly string[]): string[] {
  const open = openFilter(table, text)
  if (!open) {
    const before = text.replace(/\S*$/, '')
    const word = text.slice(before.length)
    return Object.keys(table.parameters)
      .map((name) => `${name}:`)
      .filter((name) => name.startsWith(word) && name !== word)
      .map((name) => before + name)
  }
  const { name, start } = open
  const before = text.slice(0, text.lastIndexOf(`${name}:`))
  const known = table.values[name] ?? [...values, ...(table.optional.has(name) ? ['none', 'any'] : [])]
  return known
    .filter((value) => value.toLowerCase().startsWith(start.toLowerCase()) && value !== start)
    .map((value) => `${before}${filterWord(name, value)} `)
}
