import { isDeepStrictEqual } from 'node:util'

/** How PostgreSQL stores a column. */
export type Kind = 'int4' | 'int8' | 'bool' | 'float8' | 'jsonb' | 'text'

const KINDS: Record<string, Kind> = {
  integer: 'int4',
  bigint: 'int8',
  boolean: 'bool',
  'double precision': 'float8',
  jsonb: 'jsonb',
  text: 'text',
  'character varying': 'text',
}

/** @param type as in `information_schema.columns`; undefined if no table of the coordinator has such a column */
export function kindOf(type: string): Kind | undefined {
  return KINDS[type]
}

/** A value of SQLite, with integers as `bigint`. */
export type SqliteValue = null | bigint | number | string | Buffer

/** A value that PostgreSQL can store; JSON as its text. */
export type Value = null | bigint | boolean | number | string

export interface Converted {
  value: Value
  /** Whether characters were replaced, because PostgreSQL stores neither NUL nor half of a surrogate pair. */
  isReplaced: boolean
}

const INT4_MAX = 2n ** 31n - 1n

/** The value for a column of PostgreSQL. Undefined if no value of that type is equal. */
export function convert(kind: Kind, value: SqliteValue): Converted | undefined {
  if (value === null) return same(null)
  switch (kind) {
    case 'int8':
      return typeof value === 'bigint' ? same(value) : undefined
    case 'int4':
      return typeof value === 'bigint' && value <= INT4_MAX && value >= -INT4_MAX - 1n
        ? same(value)
        : undefined
    case 'bool':
      return value === 0n || value === 1n ? same(value === 1n) : undefined
    case 'float8':
      return typeof value === 'number' ? same(value) : undefined
    case 'text':
      return typeof value === 'string' ? convertText(value) : undefined
    case 'jsonb':
      return convertJson(value)
  }
}

function same(value: Value): Converted {
  return { value, isReplaced: false }
}

function convertText(text: string): Converted {
  return text.includes('\0') ? storable(text, text) : same(text)
}

/** Escapes in JSON that PostgreSQL may refuse. */
const REFUSED_ESCAPE = /\\u(0000|d[89a-f])/i

function convertJson(value: Exclude<SqliteValue, null>): Converted | undefined {
  // SQLite stores JSON that is a number as a number.
  if (typeof value !== 'string') return typeof value === 'object' ? undefined : same(toJson(value))
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return undefined // the caller reports the row
  }
  return REFUSED_ESCAPE.test(value) ? storable(value, JSON.stringify(storableJson(parsed))) : same(value)
}

function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(storableJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storableText(key), storableJson(each)]),
  )
}

function storable(original: string, text: string): Converted {
  const value = storableText(text)
  return { value, isReplaced: value !== original }
}

/** Only JSON can contain half of a surrogate pair: other text of SQLite is UTF-8. */
function storableText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replaceAll(/\p{Surrogate}/gu, '\uFFFD')
}

/** As a value in JSON, for `json_to_recordset`. */
export function toJson(value: Value): string {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`
    default:
      return JSON.stringify(value)
  }
}

/** @param stored what PostgreSQL prints for the column */
export function isEqual(kind: Kind, value: Value, stored: string | null): boolean {
  if (value === null || stored === null) return value === stored
  switch (kind) {
    case 'float8':
      return value === Number(stored)
    case 'jsonb':
      return value === stored || isDeepStrictEqual(JSON.parse(String(value)), JSON.parse(stored))
    default:
      return String(value) === stored
  }
}
