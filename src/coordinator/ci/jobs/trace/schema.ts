import { type Static, Type } from 'typebox'

import { described } from '../../../http/parameters/described.js'
import { Nullable, NullableText } from '../../../http/parameters/types.js'

const MissingBytes = described(
  Type.Integer(),
  'Bytes at the end that the job has written and that are gone, because the log is damaged; 0 otherwise.',
)

/** A section of a log. */
export const TraceOutlineSection = Type.Object({
  name: described(Type.String(), 'Name in the section marker.'),
  title: described(Type.String(), 'Text of the first line, without styles; the name if there is none.'),
  first_line: described(Type.Integer(), 'Line of the title, from 1.'),
  last_line: described(Nullable(Type.Integer()), 'Last line; null while the section is open.'),
  started_at: described(NullableText, 'Start time; null if the marker has none.'),
  finished_at: described(NullableText, 'End time; null without an end marker of its own.'),
  duration: described(
    Nullable(Type.Integer()),
    'Seconds from start to end; null if one of them is unknown, or if the section has `hide_duration=true`.',
  ),
  collapsed: described(Type.Boolean(), 'Whether the section has `collapsed=true`.'),
  depth: described(Type.Integer(), 'Number of sections around this one.'),
})
export type TraceOutlineSection = Static<typeof TraceOutlineSection>

export const TraceOutline = Type.Object({
  bytes: described(Type.Integer(), 'Size of the log that readers may see, in bytes.'),
  lines: described(Type.Integer(), 'Number of lines. The last one need not have an end.'),
  is_complete: described(Type.Boolean(), 'Whether the job has ended, so that the log no longer grows.'),
  missing_bytes: MissingBytes,
  indexed_to: described(Type.Integer(), 'Number of bytes that `lines` and `sections` are about.'),
  failing_line: described(
    Nullable(Type.Integer()),
    'Line that says why the job failed, as in the failures of a pipeline; null for a job that has not failed.',
  ),
  sections: described(
    Type.Array(TraceOutlineSection),
    'Sections in the order of their first lines, with nested ones; at most 5,000.',
  ),
})
export type TraceOutline = Static<typeof TraceOutline>

/** Most lines of one response. */
const MAX_LINES = 1000

export const TraceLinesQuery = {
  from: described(
    Type.Optional(Type.Integer()),
    'First line, from 1; a negative number counts from the end. 1 by default.',
  ),
  byte: described(Type.Optional(Type.Integer({ minimum: 0 })), 'Byte whose line is the first one.'),
  count: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LINES })),
    `Number of lines, at most ${MAX_LINES}; 256 by default.`,
  ),
  whole: described(
    Type.Optional(Type.Boolean()),
    'Whether to return only the first line, with up to 4 MiB of it; false by default.',
  ),
}

/** Pairs of an index in `lines` and a number. */
const Pairs = Type.Unsafe<[number, number][]>(
  Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 })),
)

export const TraceLines = Type.Object({
  from: described(Type.Integer(), 'Number of the first line, from 1.'),
  lines: described(
    Type.Array(Type.String()),
    'Text of the lines with the escape sequences for styles and links. Section markers, timestamps of the runner, other control sequences, and what carriage returns replaced are left out. What is not UTF-8 is U+FFFD.',
  ),
  times: described(
    Pairs,
    'Index in `lines`, and the time of that line and of those after it, in milliseconds since 1970: from a timestamp of the runner, or else of the arrival of the line. Empty if unknown.',
  ),
  style: described(
    Type.String(),
    'Style before the first line, as parameters of an escape sequence such as `1;31`; empty if there is none.',
  ),
  cut: described(
    Type.Array(Type.Integer()),
    'Indexes of lines whose end is left out: text after 16 KiB, and after 256 bytes if the lines before have 2 MiB.',
  ),
  overwritten: described(Pairs, 'Index in `lines`, and the number of texts that carriage returns replaced.'),
  markers: described(
    Type.Array(Type.Integer()),
    'Indexes of lines that have section markers and no other text.',
  ),
  total: described(Type.Integer(), 'Number of lines of the log.'),
  bytes: described(Type.Integer(), 'Size of the log, in bytes.'),
  next_byte: described(
    Type.Integer(),
    'Byte from which to continue: of the line after these, or of the last line if it has no end yet.',
  ),
  is_complete: described(Type.Boolean(), 'Whether the job has ended, so that the log no longer grows.'),
  missing_bytes: MissingBytes,
})
export type TraceLines = Static<typeof TraceLines>

/** Most lines that one search finds. */
const MAX_HITS = 10_000

export const TraceSearchQuery = {
  q: described(
    Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    'Text to search for in the visible text of the lines.',
  ),
  case: described(Type.Optional(Type.Boolean()), 'Whether upper and lower case differ; false by default.'),
  regexp: described(
    Type.Optional(Type.Boolean()),
    'Whether `q` is a regular expression in RE2 syntax; false by default.',
  ),
  errors: described(
    Type.Optional(Type.Literal(true)),
    'Search for the lines among which `failing_line` is chosen, such as messages about errors and failed tests, instead of `q`.',
  ),
  from: described(Type.Optional(Type.Integer({ minimum: 1 })), 'First line to search; 1 by default.'),
  limit: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_HITS })),
    `Number of lines to find, at most ${MAX_HITS}; 1,000 by default.`,
  ),
}

/** A line that was found. Positions count UTF-16 code units. */
export const TraceSearchHit = Type.Object({
  line: described(Type.Integer(), 'Number of the line, from 1.'),
  text: described(
    Type.String(),
    'Visible text of the line without escape sequences; of a line with more than 500 characters, 500 of them around the first match.',
  ),
  offset: described(Type.Integer(), 'Position of `text` in the visible text of the line.'),
  ranges: described(Pairs, 'Start and end of each match in `text`; at most 50.'),
})
export type TraceSearchHit = Static<typeof TraceSearchHit>

/** A report of the progress. */
export const TraceSearchProgress = Type.Object({
  searched_to: described(Type.Integer(), 'Number of the last line that was searched so far.'),
})
export type TraceSearchItem = TraceSearchHit | Static<typeof TraceSearchProgress>

/** The last line of the response. */
export const TraceSearchEnd = Type.Object({
  hits: described(Type.Integer(), 'Number of lines that were found.'),
  searched_to: described(Type.Integer(), 'Number of the last line that was searched.'),
  done: described(
    Type.Boolean(),
    'Whether the whole log was searched. False at the limit and after 30 seconds; the search continues with `from`.',
  ),
  missing_bytes: MissingBytes,
})
export type TraceSearchEnd = Static<typeof TraceSearchEnd>
