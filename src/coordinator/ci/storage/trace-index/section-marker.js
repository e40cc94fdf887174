// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).

/** What every marker begins with. */
export const MARKER_START = Buffer.from('section_')

/** A marker is not longer than this, in bytes. */
export const MAX_MARKER_BYTES = 600

const MARKER =
  // oxlint-disable-next-line no-control-regex
  /^section_(start|end):(\d{1,20}):([\w.-]{1,255})(?:\[([\w=,.-]{0,200})\])?\r(?:\x1b\[0?K)?/
const S = 0x73
const E = 0x65

/** Times after this do not fit into a date, in seconds since 1970. */
const MAX_SECONDS = 8.64e12

/**
 * A section marker in a log (runner protocol, 4.4).
 * @typedef {object} SectionMarker
 * @property {'start' | 'end'} kind
 * @property {number | null} time seconds since 1970; null if the number is not a time
 * @property {string} name
 * @property {string} options as written, such as `collapsed=true`; empty if there are none
 * @property {number} length in bytes
 */

/**
 * The marker that begins at `at`, if there is one. A newline ends the search, so bytes after the line do not matter.
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} [end]
 * @returns {SectionMarker | undefined}
 */
export function readMarker(bytes, at, end = bytes.length) {
  const next = bytes[at + MARKER_START.length]
  if (next !== S && next !== E) return undefined
  const match = MARKER.exec(bytes.toString('latin1', at, Math.min(end, at + MAX_MARKER_BYTES)))
  if (!match) return undefined
  const [text, kind, digits, name = '', options = ''] = match
  const seconds = Number(digits)
  return {
    kind: kind === 'start' ? 'start' : 'end',
    time: seconds <= MAX_SECONDS ? seconds : null,
    name,
    options,
    length: text.length,
  }
}
