import type { LineRange, LineRangeEnd } from '../../database/tables/notes.js'
import { type Hunk, lineAfter, lineBefore, numbersOf } from './diff-hunks.js'
import { lineCodeOf } from './line-code.js'
import type { GivenPosition } from './schema.js'

type GivenEnd = NonNullable<NonNullable<GivenPosition['line_range']>['start']>

const CODE = /^[0-9a-f]{40}_(\d+)_(\d+)$/

/**
 * The lines of a comment on several lines, with all their fields: clients name an end by its numbers or by its line code.
 * An end that they leave out is `last`, the line of the position. Undefined if an end names no line of the diff.
 */
export function completeRange(
  given: NonNullable<GivenPosition['line_range']>,
  { path, hunks, last }: { path: string; hunks: readonly Hunk[]; last: GivenEnd },
): LineRange | undefined {
  const start = completeEnd(given.start ?? last, path, hunks)
  const end = completeEnd(given.end ?? last, path, hunks)
  return start && end && { start, end }
}

function completeEnd(given: GivenEnd, path: string, hunks: readonly Hunk[]): LineRangeEnd | undefined {
  const line = lineOf(given, hunks)
  if (!line) return undefined
  return {
    line_code: lineCodeOf(path, numbersOf(hunks, line)),
    type: given.type ?? typeOf(line, hunks),
    old_line: 'oldLine' in line ? line.oldLine : (lineBefore(hunks, line.newLine) ?? null),
    new_line: 'oldLine' in line ? (lineAfter(hunks, line.oldLine) ?? null) : line.newLine,
  }
}

type Line = { oldLine: number } | { newLine: number }

function lineOf({ old_line, new_line, line_code, type }: GivenEnd, hunks: readonly Hunk[]): Line | undefined {
  if (new_line !== undefined && new_line !== null) return { newLine: new_line }
  if (old_line !== undefined && old_line !== null) return { oldLine: old_line }
  const [, oldText, newText] = CODE.exec(line_code ?? '') ?? []
  const [oldLine, newLine] = [Number(oldText), Number(newText)]
  if (!(oldLine > 0 || newLine > 0)) return undefined
  // A removed line has the number of the line that follows it, and the other way round.
  const isRemoved = oldLine > 0 && lineAfter(hunks, oldLine) === undefined
  const isAdded = newLine > 0 && lineBefore(hunks, newLine) === undefined
  return isRemoved && !(isAdded && type === 'new') ? { oldLine } : { newLine }
}

/** Null for a line that is the same before and after. */
function typeOf(line: Line, hunks: readonly Hunk[]): LineRangeEnd['type'] {
  if ('oldLine' in line) return lineAfter(hunks, line.oldLine) === undefined ? 'old' : null
  return lineBefore(hunks, line.newLine) === undefined ? 'new' : null
}
