// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { MARKER_START, MAX_MARKER_BYTES, readMarker } from './section-marker.js'
import { plainText, timestampLength } from './shown-line.js'

/** Every so many lines, the position of a line is recorded. A power of two. */
export const LINES_PER_BLOCK = 256

/** Further sections of a log are not recorded. */
export const MAX_SECTIONS = 5000

/**
 * A section of a log. Lines count from 1.
 * @typedef {object} TraceSection
 * @property {string} name
 * @property {string} title the text of the first line; the name if it has none
 * @property {string} options as in the marker, such as `collapsed=true`; empty if there are none
 * @property {number} firstLine the line of the marker
 * @property {number | null} lastLine null while the section is open
 * @property {number | null} startedAt seconds since 1970
 * @property {number | null} finishedAt seconds since 1970; null if no marker ends the section
 * @property {number} depth 0 for a section that is in no other one
 */

/**
 * What is known of a log up to the beginning of a line. Plain data, from which another scanner continues.
 * @typedef {object} ScanState
 * @property {number} bytes number of bytes before that line
 * @property {number} lines number of lines before that line
 * @property {TraceSection[]} sections in the order of their first lines
 * @property {number[]} open positions in `sections`, the outermost first
 * @property {number} untitled position in `sections` of the section whose title may be the next line; -1 = none
 */

const NEWLINE = 0x0a

/** Enough bytes to read a marker and the title after it. */
const TITLE_BYTES = 512
const LOOKAHEAD = MAX_MARKER_BYTES + TITLE_BYTES
const TITLE_CHARACTERS = 200

/** A line up to this length is processed at once, when its end is known. */
const MAX_HELD_BYTES = 8 * 1024
/** Text before a marker is searched for visible characters only this near to the beginning of the line. */
const NEAR_BYTES = 4 * 1024

/** @returns {ScanState} */
function emptyState() {
  return { bytes: 0, lines: 0, sections: [], open: [], untitled: -1 }
}

/**
 * Finds lines and sections in a log that arrives in pieces. The result does not depend on how the log is cut into
 * pieces. At most a few kilobytes are held between two pieces.
 */
export class TraceScanner {
  /** @type {TraceSection[]} */
  sections
  /** Positions of the lines 256, 512, … (from 0) that were found. @type {number[]} */
  blockStarts = []
  /** Number of line ends. */
  lines
  #open
  #untitled
  /** Bytes before `#held`. */
  #processed
  /** Position of the current line. */
  #lineStart
  #held = Buffer.alloc(0)

  /** @param {ScanState} [state] it is not changed */
  constructor(state = emptyState()) {
    this.sections = state.sections.slice()
    this.#open = [...state.open]
    this.#untitled = state.untitled
    this.lines = state.lines
    this.#processed = state.bytes
    this.#lineStart = state.bytes
  }

  /** Number of bytes that were fed, and those before. */
  get bytes() {
    return this.#processed + this.#held.length
  }

  /** Position of the line that has no end yet; `bytes` if there is none. */
  get openLineStart() {
    const last = this.#held.lastIndexOf(NEWLINE)
    return last < 0 ? this.#lineStart : this.#processed + last + 1
  }

  /** @param {Buffer} chunk it may be reused afterwards */
  feed(chunk) {
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    const lineStart = bytes.lastIndexOf(NEWLINE) + 1
    const lineBytes =
      this.#processed + bytes.length - (lineStart > 0 ? this.#processed + lineStart : this.#lineStart)
    const isShort = lineBytes <= MAX_HELD_BYTES
    this.#process(bytes, isShort ? lineStart : Math.max(lineStart, bytes.length - LOOKAHEAD), false)
  }

  /** Processes the rest. The last line need not have an end. Nothing may be fed afterwards. */
  finish() {
    this.#process(this.#held, this.#held.length, true)
  }

  /** What another scanner continues from. The text so far must end with a newline. @returns {ScanState} */
  get state() {
    return {
      bytes: this.bytes,
      lines: this.lines,
      sections: this.sections,
      open: this.#open,
      untitled: this.#untitled,
    }
  }

  /**
   * Processes markers that begin before `limit`, and the text before it.
   * @param {Buffer} bytes
   * @param {number} limit
   * @param {boolean} isEnd
   */
  #process(bytes, limit, isEnd) {
    if (this.#untitled >= 0) this.#readNextTitle(bytes, 0, isEnd)
    let position = 0
    /** Where the text after the last marker begins. */
    let textFrom = 0
    for (;;) {
      const at = bytes.indexOf(MARKER_START, position)
      const isLast = at < 0 || at >= limit
      this.#countLines(bytes, position, isLast ? limit : at)
      if (isLast) break
      const marker = readMarker(bytes, at)
      position = at + (marker?.length ?? MARKER_START.length)
      if (!marker) continue
      if (marker.kind === 'start') this.#start(marker, bytes, position, isEnd)
      else this.#end(marker, this.#hasText(bytes, textFrom, at))
      textFrom = position
    }
    const processed = Math.max(position, limit)
    this.#held = Buffer.from(bytes.subarray(processed))
    this.#processed += processed
  }

  /**
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} to
   */
  #countLines(bytes, from, to) {
    const text = bytes.subarray(from, to)
    const base = this.#processed + from + 1
    let { lines } = this
    let last = -1
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) {
      last = at
      if ((++lines & (LINES_PER_BLOCK - 1)) === 0) this.blockStarts.push(base + at)
    }
    this.lines = lines
    if (last >= 0) this.#lineStart = base + last
  }

  /**
   * Whether visible text is before a marker in its line.
   * @param {Buffer} bytes
   * @param {number} textFrom after the marker before
   * @param {number} at
   */
  #hasText(bytes, textFrom, at) {
    const lineStart = this.#lineStart - this.#processed
    if (at - lineStart > NEAR_BYTES) return true
    const from = Math.max(lineStart, textFrom)
    const begin = from === lineStart ? from + timestampLength(bytes, from, at) : from
    return plainText(bytes.toString('latin1', begin, at)).trim() !== ''
  }

  /**
   * @param {import('./section-marker.js').SectionMarker} marker
   * @param {Buffer} bytes
   * @param {number} after
   * @param {boolean} isEnd
   */
  #start({ name, options, time }, bytes, after, isEnd) {
    if (this.sections.length >= MAX_SECTIONS) return
    this.#open.push(this.sections.length)
    this.sections.push({
      name,
      title: titleIn(bytes, after) || name,
      options,
      firstLine: this.lines + 1,
      lastLine: null,
      startedAt: time,
      finishedAt: null,
      depth: this.#open.length - 1,
    })
    // The reference runner ends the line after a marker when it writes timestamps. The title is the next line.
    const isAlone = after < bytes.length ? bytes[after] === NEWLINE : isEnd
    this.#untitled = isAlone ? this.sections.length - 1 : -1
    if (isAlone) this.#readNextTitle(bytes, after + 1, isEnd)
  }

  /**
   * Ends a section, and those in it that have no end of their own. A marker without a section is ignored.
   * @param {import('./section-marker.js').SectionMarker} marker
   * @param {boolean} hasText
   */
  #end({ name, time }, hasText) {
    const level = this.#open.findLastIndex((position) => this.sections[position]?.name === name)
    if (level < 0) return
    const lastLine = hasText ? this.lines + 1 : this.lines
    for (const [inner, position] of this.#open.splice(level).entries()) {
      const section = this.sections[position]
      if (!section) continue
      const finishedAt = inner === 0 ? time : null
      this.sections[position] = { ...section, lastLine: Math.max(lastLine, section.firstLine), finishedAt }
    }
  }

  /**
   * Reads the title of a section from the line at `from`, if that line continues the one of the marker. Waits if its
   * bytes are not there yet.
   * @param {Buffer} bytes
   * @param {number} from
   * @param {boolean} isEnd
   */
  #readNextTitle(bytes, from, isEnd) {
    const isThere = isEnd || bytes.length - from >= TITLE_BYTES || bytes.indexOf(NEWLINE, from) >= 0
    if (!isThere) return
    const section = this.sections[this.#untitled]
    const prefix = timestampLength(bytes, from, bytes.length)
    if (section && prefix > 0 && bytes[from + prefix - 1] === CONTINUES) {
      const title = titleIn(bytes, from + prefix) || section.title
      this.sections[this.#untitled] = { ...section, title }
    }
    this.#untitled = -1
  }
}

/** The last character of a timestamp before text that continues the line before. */
const CONTINUES = 0x2b

/**
 * The visible text at `from`, up to the end of the line or the next marker.
 * @param {Buffer} bytes
 * @param {number} from
 */
function titleIn(bytes, from) {
  const most = Math.min(bytes.length, from + TITLE_BYTES)
  const text = bytes.toString('utf8', from, most).split(/[\r\n]|section_(?:start|end):\d/, 1)[0] ?? ''
  return plainText(text).trim().slice(0, TITLE_CHARACTERS)
}
