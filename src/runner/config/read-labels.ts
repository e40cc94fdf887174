import type { TableReader } from './table-reader.js'

const MAX_LABELS = 32
const KEY = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{2,64}$/
const VALUE = /^[a-zA-Z0-9._-]{1,256}$/

/** Reads the `labels` of a table, in the form that coordinators accept (runner protocol, 1.3). */
export function readLabels(reader: TableReader): Record<string, string> {
  const labels = reader.stringMap('labels') ?? {}
  const entries = Object.entries(labels)
  if (entries.length > MAX_LABELS) reader.problem('labels', `must have at most ${MAX_LABELS} entries`)
  for (const [key, value] of entries) {
    if (!KEY.test(key))
      reader.problem(
        'labels',
        `has the key "${key}"; a key must be 3 to 65 letters, digits, "_", "." and "-"`,
      )
    if (!VALUE.test(value))
      reader.problem(`labels.${key}`, 'must be 1 to 256 letters, digits, "_", "." and "-"')
  }
  return labels
}
