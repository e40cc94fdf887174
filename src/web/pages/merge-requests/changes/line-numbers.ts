import type { DiffEntry } from '../../../code/diff-files.js'
import type { LinePosition } from '../../../code/line-positions.js'
import { parseDiff } from '../../../code/parse-diff.js'

/** The lines of a place in the API: of an unchanged line both numbers, of another one that of its side. */
export interface LineNumbers {
  old_line: number | null
  new_line: number | null
}

/** Undefined if the diff does not have the line. White space counts, as on the server, however the changes are shown. */
export function lineNumbers(
  entry: Pick<DiffEntry, 'diff'>,
  { line, side }: Pick<LinePosition, 'line' | 'side'>,
): LineNumbers | undefined {
  for (const { lines } of parseDiff(entry.diff).hunks) {
    const found = lines.find((each) => each[side] === line)
    if (found) return { old_line: found.old ?? null, new_line: found.new ?? null }
  }
  return undefined
}
