// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { MARKER_START, readMarker } from './section-marker.js'

const CARRIAGE_RETURN = 0x0d
const ESCAPE = 0x1b
/** After the time: the stream (runner, script or service), the output, and whether the line before goes on: `01O+`. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z 0[0-9a-f][OE][ +]/
const TIMESTAMP_BYTES = 32
const BRACKET = 0x5b
const LETTER_G = 0x47
const LETTER_K = 0x4b
const ZERO = 0x30
const ONE = 0x31
const TWO = 0x32
const NINE = 0x39

/**
 * Escape sequences: control sequences such as colors, operating system commands such as links, and others of two or
 * three characters. One that a line ends in the middle of counts too.
 */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\x1b(?:\[[0-?]*[ -/]*(?:[@-~]|$)|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|[ -/]+[0-~]?|[0-Z\\^-~]?)/g

/**
 * The part of a line that is shown.
 * @typedef {object} ShownPart
 * @property {number} start position of its first byte
 * @property {number} end position after its last byte
 */

/**
 * @typedef {object} ShownLine
 * @property {ShownPart[]} parts what is between section markers, without what was overwritten
 * @property {ShownPart[]} hidden what was overwritten: a return to the beginning of the line, or an erasure, follows it
 * @property {number} overwritten number of overwritten texts with visible characters
 * @property {number | undefined} time from a timestamp of the runner, in milliseconds since 1970
 * @property {boolean} hasMarker
 */

/**
 * The number of bytes of a timestamp that the reference runner writes at the beginning of a line (runner protocol,
 * 4.5); 0 if there is none.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end of the line
 */
export function timestampLength(bytes, start, end) {
  const first = bytes[start]
  if (first === undefined || first < ZERO || first > NINE || end - start < TIMESTAMP_BYTES) return 0
  return TIMESTAMP.test(bytes.toString('latin1', start, start + TIMESTAMP_BYTES)) ? TIMESTAMP_BYTES : 0
}

/**
 * Divides the line from `start` up to `end`, without its newline, into what a terminal shows and what was
 * overwritten.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {ShownLine}
 */
export function divideLine(bytes, start, end) {
  const prefix = timestampLength(bytes, start, end)
  /** @type {ShownLine} */
  const line = {
    parts: [],
    hidden: [],
    overwritten: 0,
    time: prefix > 0 ? timeOf(bytes.toString('latin1', start, start + 27)) : undefined,
    hasMarker: false,
  }
  let from = start + prefix
  for (let at = indexIn(bytes, MARKER_START, from, end); at >= 0;) {
    const marker = readMarker(bytes, at, end)
    const next = at + (marker?.length ?? MARKER_START.length)
    if (marker) {
      addText(line, bytes, from, at)
      line.hasMarker = true
      from = next
    }
    at = indexIn(bytes, MARKER_START, next, end)
  }
  addText(line, bytes, from, end)
  return line
}

/**
 * The characters of a text that a terminal shows.
 * @param {string} text
 */
export function plainText(text) {
  return text.includes('\x1b') ? text.replace(ESCAPES, '') : text
}

/**
 * The number of bytes of a return to the beginning of the line at `at`: a carriage return, or `ESC [ G`, by which
 * progress bars move there. 0 if there is none.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} end
 */
export function returnLength(bytes, at, end) {
  if (at >= end) return 0
  if (bytes[at] === CARRIAGE_RETURN) return 1
  if (bytes[at] !== ESCAPE || bytes[at + 1] !== BRACKET) return 0
  const column = bytes[at + 2] === ZERO || bytes[at + 2] === ONE ? 1 : 0
  return at + 2 + column < end && bytes[at + 2 + column] === LETTER_G ? 3 + column : 0
}

/**
 * The number of bytes of `ESC [ 2 K` at `at`, which erases the line; 0 if it is not there.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} end
 */
export function erasureLength(bytes, at, end) {
  const isErasure =
    at + 4 <= end &&
    bytes[at] === ESCAPE &&
    bytes[at + 1] === BRACKET &&
    bytes[at + 2] === TWO &&
    bytes[at + 3] === LETTER_K
  return isErasure ? 4 : 0
}

/**
 * The number of bytes of a return to the beginning of the line that ends at `end`; 0 if there is none.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 */
function returnBefore(bytes, start, end) {
  return (
    [1, 3, 4].find((length) => end - length >= start && returnLength(bytes, end - length, end) === length) ??
    0
  )
}

/**
 * Adds a text without markers, of which only what follows the last return to its beginning, or erasure, is shown.
 * @param {ShownLine} line
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 */
function addText(line, bytes, start, end) {
  let last = end
  for (let length = 1; length > 0; last -= length) length = returnBefore(bytes, start, last)
  let from = start
  for (let at = start; at < last;) {
    const length = returnLength(bytes, at, last) || erasureLength(bytes, at, last)
    if (length === 0) {
      at++
      continue
    }
    if (at > from) {
      line.hidden.push({ start: from, end: at })
      if (isVisible(bytes, from, at)) line.overwritten++
    }
    at += length
    from = at
  }
  if (last > from) line.parts.push({ start: from, end: last })
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 */
function isVisible(bytes, start, end) {
  if (indexIn(bytes, ESCAPE, start, end) < 0) return true
  return plainText(bytes.toString('latin1', start, end)).trim() !== ''
}

/**
 * @param {Buffer} bytes
 * @param {number | Buffer} value
 * @param {number} from
 * @param {number} end
 */
function indexIn(bytes, value, from, end) {
  const at = bytes.subarray(from, end).indexOf(value)
  return at < 0 ? at : from + at
}

/** @param {string} text */
function timeOf(text) {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
