import { type Static, Type } from 'typebox'

import { isRecord } from '../../../lib/is-record.js'
import type { NotePosition } from '../../database/tables/notes.js'
import { described, optional } from '../../http/parameters/described.js'
import { Nullable, NullableText } from '../../http/parameters/types.js'

const Line = Nullable(Type.Integer())
const Pixels = Nullable(Type.Number())

const RangeEnd = Type.Object({
  line_code: described(NullableText, 'Line code.'),
  type: described(NullableText, '`new` for an added line, `old` for a removed one; null for another one.'),
  old_line: described(Line, 'Line before the change; null for an added line.'),
  new_line: described(Line, 'Line after the change; null for a removed line.'),
})

/** A line of a diff, in records (API, G1). */
export const Position = Type.Object({
  base_sha: described(Type.String(), 'Merge base of the branches.'),
  start_sha: described(Type.String(), 'Head of the target branch.'),
  head_sha: described(Type.String(), 'Head of the source branch.'),
  position_type: described(Type.String(), 'Kind: `text`, `image` or `file`.'),
  old_path: described(NullableText, 'Path before the change.'),
  new_path: described(NullableText, 'Path after the change.'),
  old_line: described(Line, 'Line before the change; null for an added line.'),
  new_line: described(Line, 'Line after the change; null for a removed line.'),
  line_range: described(
    Nullable(
      Type.Object({
        start: described(RangeEnd, 'First line.'),
        end: described(RangeEnd, 'Last line.'),
      }),
    ),
    'Lines of a comment on several lines; null for one line.',
  ),
  width: optional(Pixels, 'Width of the image in pixels; only for `image`.'),
  height: optional(Pixels, 'Height of the image in pixels; only for `image`.'),
  x: optional(Pixels, 'Distance from the left in pixels; only for `image`.'),
  y: optional(Pixels, 'Distance from the top in pixels; only for `image`.'),
})
export type Position = Static<typeof Position>

/** The record of a place in a diff. */
export function presentPosition({ line_range, ...position }: NotePosition): Position {
  return { ...position, line_range: isRecord(line_range) ? presentRange(line_range) : null }
}

function presentRange(range: Record<string, unknown>): NonNullable<Position['line_range']> {
  return { start: presentEnd(range['start']), end: presentEnd(range['end']) }
}

/** Earlier releases have stored what the client had sent, where numbers of forms are text. */
function presentEnd(end: unknown): NonNullable<Position['line_range']>['start'] {
  const { line_code, type, old_line, new_line } = isRecord(end) ? end : {}
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const line = (value: unknown) =>
    Number.isSafeInteger(Number(value ?? '')) && Number(value) > 0 ? Number(value) : null
  return { line_code: text(line_code), type: text(type), old_line: line(old_line), new_line: line(new_line) }
}
