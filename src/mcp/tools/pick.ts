import { isRecord } from '../../lib/is-record.js'

/** The elements of a list; none of anything else. */
export function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** The named fields of a record, without those that are null or absent: programs read each character of a result. */
export function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(
    names
      .filter((name) => value[name] !== undefined && value[name] !== null)
      .map((name) => [name, value[name]]),
  )
}
