import { isRecord } from '../../lib/is-record.js'

/** Longest field by default, in characters. */
const MAX_FIELD_LENGTH = 2000

/** The text of a field; empty if it is absent, given twice, longer than `maxLength` characters or not a text. */
export function formField(values: unknown, name: string, maxLength = MAX_FIELD_LENGTH): string {
  const value = isRecord(values) ? values[name] : undefined
  return typeof value === 'string' && value.length <= maxLength && !value.includes('\0') ? value : ''
}
