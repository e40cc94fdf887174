// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { MARKER_START, readMarker } from './section-marker.js'

const CARRIAGE_RETURN = 0x0d
const ESCAPE = 0x1b
/** After the time: the stream (runner, script or service), the output, and whether the line before goes on: `01O+`. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z 0[0-9a-f][OE][ +]/
const TIMESTAMP_BYTES = 32
const ZERO = 0x30
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
 * @property {ShownPart[]} hidden what was overwritten: a carriage return follows it
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
 * Adds a text without markers, of which only what follows the last carriage return is shown.
 * @param {ShownLine} line
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 */
function addText(line, bytes, start, end) {
  let last = end
  while (last > start && bytes[last - 1] === CARRIAGE_RETURN) last--
  let from = start
  for (;;) {
    const at = indexIn(bytes, CARRIAGE_RETURN, from, last)
    if (at < 0) break
    if (at > from) {
      line.hidden.push({ start: from, end: at })
      if (isVisible(bytes, from, at)) line.overwritten++
    }
    from = at + 1
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
