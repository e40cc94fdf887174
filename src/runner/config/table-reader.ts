import { parseDuration } from '../../lib/duration.js'
import { isRecord } from '../../lib/is-record.js'
import { isNonNeutral } from './neutral-value.js'

/** A TOML table as smol-toml returns it. */
export type Table = Record<string, unknown>

/** Results of reading: problems make the settings invalid, warnings do not. */
export interface Findings {
  problems: string[]
  warnings: string[]
}

export function isTable(value: unknown): value is Table {
  return isRecord(value) && !(value instanceof Date)
}

function isStringMap(value: unknown): value is Record<string, string> {
  return isTable(value) && Object.values(value).every((item) => typeof item === 'string')
}

/**
 * Reads the keys of one table one by one. A value of the wrong type is recorded as a problem and read as absent, so
 * that all problems of a file are found at once.
 */
export class TableReader {
  private readonly known = new Set<string>()

  constructor(
    private readonly table: Table,
    private readonly location: string,
    private readonly findings: Findings,
  ) {}

  get isEmpty(): boolean {
    return Object.keys(this.table).length === 0
  }

  /** Whether the table contains the key. */
  has(key: string): boolean {
    return this.table[key] !== undefined
  }

  string(key: string): string | undefined {
    return this.read(key, 'a string', (value) => (typeof value === 'string' ? value : undefined))
  }

  requiredString(key: string): string {
    const value = this.string(key)
    if (value === undefined || value === '') {
      if (value !== undefined || this.table[key] === undefined) this.problem(key, 'is missing')
      return ''
    }
    return value
  }

  boolean(key: string): boolean | undefined {
    return this.read(key, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined))
  }

  integer(key: string, minimum: number): number | undefined {
    return this.read(key, `a whole number of at least ${minimum}`, (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= minimum ? value : undefined,
    )
  }

  number(key: string, minimum: number): number | undefined {
    return this.read(key, `a number of at least ${minimum}`, (value) =>
      typeof value === 'number' && Number.isFinite(value) && value >= minimum ? value : undefined,
    )
  }

  /** Seconds. Written as a duration such as `15m`. */
  duration(key: string): number | undefined {
    return this.read(key, 'a duration such as 15m', (value) =>
      typeof value === 'string' ? parseDuration(value) : undefined,
    )
  }

  time(key: string): Date | undefined {
    return this.read(key, 'a time such as 2026-01-31T12:00:00Z', (value) =>
      value instanceof Date && !Number.isNaN(value.getTime()) ? value : undefined,
    )
  }

  strings(key: string): string[] | undefined {
    return this.read(key, 'a list of strings', (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined,
    )
  }

  /** The result of `convert` for a string. `wanted` completes "must be". An empty string counts as absent. */
  parsed<T>(key: string, wanted: string, convert: (text: string) => T | undefined): T | undefined {
    const text = this.string(key)
    if (!text) return undefined
    const value = convert(text)
    if (value === undefined) this.problem(key, `must be ${wanted}, not "${text}"`)
    return value
  }

  integers(key: string, minimum: number): number[] | undefined {
    return this.read(key, `a list of whole numbers of at least ${minimum}`, (value) => {
      if (!Array.isArray(value)) return undefined
      const numbers = value.filter(
        (item): item is number => typeof item === 'number' && Number.isInteger(item) && item >= minimum,
      )
      return numbers.length === value.length ? numbers : undefined
    })
  }

  /** The results of `convert` for the strings of a list. `wanted` completes "must hold". */
  parsedList<T>(key: string, wanted: string, convert: (text: string) => T | undefined): T[] | undefined {
    return this.strings(key)?.flatMap((text) => {
      const value = convert(text)
      if (value === undefined) this.problem(key, `must hold ${wanted}, not "${text}"`)
      return value === undefined ? [] : [value]
    })
  }

  stringMap(key: string): Record<string, string> | undefined {
    return this.read(key, 'a table of strings', (value) => (isStringMap(value) ? value : undefined))
  }

  /** A table of lists of strings. */
  stringLists(key: string): Record<string, string[]> | undefined {
    return this.read(key, 'a table of lists of strings', (value) => {
      if (!isTable(value)) return undefined
      const entries = Object.entries(value).flatMap(([name, list]): [string, string[]][] =>
        Array.isArray(list) && list.every((item) => typeof item === 'string') ? [[name, list]] : [],
      )
      return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined
    })
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    return this.read(key, `one of ${choices.join(', ')}`, (value) =>
      choices.find((choice) => choice === value),
    )
  }

  /** A choice for which files may contain an empty string, meaning "not set". */
  choiceOrEmpty<T extends string>(key: string, choices: readonly T[]): T | undefined {
    if (this.table[key] !== '') return this.choice(key, choices)
    this.known.add(key)
    return undefined
  }

  /** One of the choices, or a list of them. */
  choices<T extends string>(key: string, choices: readonly T[]): T[] | undefined {
    return this.read(key, `one of ${choices.join(', ')}, or a list of them`, (value) => {
      const items: unknown[] = Array.isArray(value) ? value : [value]
      const found = items.flatMap((item) => choices.filter((choice) => choice === item))
      return found.length === items.length ? found : undefined
    })
  }

  /** The table under `key`, or an empty one. */
  subTable(key: string): TableReader {
    const table = this.read(key, 'a table', (value) => (isTable(value) ? value : undefined))
    return new TableReader(table ?? {}, `${this.location}.${key}`.replace(/^\./, ''), this.findings)
  }

  /** A reader for each table of the list under `key`. */
  subTables(key: string): TableReader[] {
    const location = this.location === '' ? key : `${this.location}.${key}`
    return this.tables(key).map(
      (table, index) => new TableReader(table, `${location}[${index}]`, this.findings),
    )
  }

  tables(key: string): Table[] {
    return (
      this.read(key, 'a list of tables', (value) =>
        Array.isArray(value) && value.every(isTable) ? value : undefined,
      ) ?? []
    )
  }

  /** Reports keys that have an effect on another runner and none on this one. */
  ignore(keys: readonly string[]): void {
    for (const key of keys) {
      this.known.add(key)
      if (isNonNeutral(key, this.table[key])) this.warning(key, 'has no effect on this runner')
    }
  }

  /** Does the same for every key that was not read. */
  ignoreOthers(): void {
    this.ignore(Object.keys(this.table).filter((key) => !this.known.has(key)))
  }

  /** Accepts keys that are part of the file and do not affect jobs. */
  accept(keys: readonly string[]): void {
    keys.forEach((key) => this.known.add(key))
  }

  /** Must be called last. Reports every key that was not read. */
  reportUnknown(): void {
    for (const key of Object.keys(this.table)) {
      if (!this.known.has(key)) this.warning(key, 'is not a known setting')
    }
  }

  problem(key: string, text: string): void {
    this.findings.problems.push(`${this.name(key)} ${text}`)
  }

  warning(key: string, text: string): void {
    this.findings.warnings.push(`${this.name(key)} ${text}`)
  }

  private name(key: string): string {
    return this.location === '' ? key : `${this.location}.${key}`
  }

  private read<T>(key: string, wanted: string, convert: (value: unknown) => T | undefined): T | undefined {
    this.known.add(key)
    const value = this.table[key]
    if (value === undefined) return undefined
    const converted = convert(value)
    if (converted === undefined) this.problem(key, `must be ${wanted}`)
    return converted
  }
}
