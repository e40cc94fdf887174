import type { TimeKind } from './log-row.js'

/** The times that may be before the lines of a log. */
export const TIME_KINDS: readonly (readonly [TimeKind, string])[] = [
  ['off', 'No times'],
  ['clock', 'Time of day'],
  ['elapsed', 'Time since the start'],
  ['delta', 'Time since the line before'],
]
