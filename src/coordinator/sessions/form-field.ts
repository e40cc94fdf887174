import { isRecord } from '../../lib/is-record.js'

/** Longest field, in characters. */
const MAX_FIELD_LENGTH = 2000

/** The text of a field; empty if it is absent, given twice, too long or not a text. */
export function formField(values: unknown, name: string): string {
  const value = isRecord(values) ? values[name] : undefined
  return typeof value === 'string' && value.length <= MAX_FIELD_LENGTH && !value.includes('\0') ? value : ''
}
