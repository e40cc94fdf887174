// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { MARKER_START, readMarker } from './section-marker.js'
import { erasureLength, returnLength, timestampLength } from './shown-line.js'

const BELL = 0x07
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const ESCAPE = 0x1b
const BACKSLASH = 0x5c
const BRACKET = 0x5b
/** Found before the stream in every timestamp of the runner. */
const TIMESTAMP_PART = Buffer.from('Z 0')

/**
 * The characters of whole lines that a terminal shows, with a newline after each line as before. The same as
 * `divideLine` and `plainText` for each line, and many times faster.
 * @param {Buffer} bytes it is not changed
 * @returns {Buffer}
 */
export function plainLines(bytes) {
  return isPlain(bytes) ? bytes : new PlainLines(bytes).run()
}

/** @param {Buffer} bytes */
function isPlain(bytes) {
  return [ESCAPE, CARRIAGE_RETURN, MARKER_START, TIMESTAMP_PART].every((value) => bytes.indexOf(value) < 0)
}

class PlainLines {
  #bytes
  #plain
  /** The next section marker: where it begins and ends. */
  #marker = { start: -1, end: -1 }

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    this.#plain = Buffer.allocUnsafe(bytes.length)
  }

  run() {
    const bytes = this.#bytes
    const plain = this.#plain
    const end = bytes.length
    this.#findMarker(0)
    let { start: markerStart } = this.#marker
    let length = 0
    /** Where the text that a carriage return overwrites begins. */
    let textStart = 0
    let at = timestampLength(bytes, 0, lineEnd(bytes, 0))
    while (at < end) {
      const stop = markerStart < 0 ? end : markerStart
      for (; at < stop; at++) {
        const byte = /** @type {number} */ (bytes[at])
        if (byte <= ESCAPE) break
        plain[length++] = byte
      }
      if (at === end) break
      if (at === markerStart) {
        at = this.#marker.end
        textStart = length
        this.#findMarker(at)
        markerStart = this.#marker.start
        continue
      }
      const byte = /** @type {number} */ (bytes[at])
      if (byte !== NEWLINE && byte !== CARRIAGE_RETURN && byte !== ESCAPE) {
        plain[length++] = byte
        at++
      } else if (byte === NEWLINE) {
        plain[length++] = byte
        textStart = length
        at++
        if (isDigit(bytes[at])) at += timestampLength(bytes, at, lineEnd(bytes, at))
      } else if (byte === ESCAPE && returnLength(bytes, at, stop) === 0) {
        const erased = erasureLength(bytes, at, stop)
        if (erased > 0) length = textStart
        at = erased > 0 ? at + erased : this.#afterEscape(at)
      } else {
        at = this.#afterReturns(at)
        if (!this.#isTextEnd(at)) length = textStart
      }
    }
    return plain.subarray(0, length)
  }

  /** @param {number} from */
  #findMarker(from) {
    const bytes = this.#bytes
    for (let at = bytes.indexOf(MARKER_START, from); at >= 0;) {
      const marker = readMarker(bytes, at)
      if (marker) {
        this.#marker = { start: at, end: at + marker.length }
        return
      }
      at = bytes.indexOf(MARKER_START, at + MARKER_START.length)
    }
    this.#marker = { start: -1, end: -1 }
  }

  /** Where the text before the next section marker ends. */
  #end() {
    return this.#marker.start < 0 ? this.#bytes.length : this.#marker.start
  }

  /** @param {number} at */
  #afterReturns(at) {
    const end = this.#end()
    let next = at
    for (let length = 1; length > 0; next += length) length = returnLength(this.#bytes, next, end)
    return next
  }

  /**
   * Whether the text between two markers, or of the line, ends here.
   * @param {number} at
   */
  #isTextEnd(at) {
    return at >= this.#bytes.length || at === this.#marker.start || this.#bytes[at] === NEWLINE
  }

  /**
   * Whether an escape sequence that is not complete ends here.
   * @param {number} at
   */
  #isPartEnd(at) {
    return this.#isTextEnd(at) || returnLength(this.#bytes, at, this.#end()) > 0
  }

  /**
   * The position after the escape sequence at `start`: see `plainText`.
   * @param {number} start
   */
  #afterEscape(start) {
    const first = start + 1
    if (this.#isPartEnd(first)) return first
    const byte = this.#bytes[first] ?? 0
    if (byte === BRACKET) return this.#afterControl(first + 1) ?? first
    if (isStringStart(byte)) return this.#afterString(first + 1) ?? (byte === 0x5d ? first : first + 1)
    if (isIntermediate(byte)) {
      const at = this.#skip(first, isIntermediate)
      return !this.#isPartEnd(at) && inRange(this.#bytes[at], 0x30, 0x7e) ? at + 1 : at
    }
    return inRange(byte, 0x30, 0x7e) ? first + 1 : first
  }

  /**
   * After the parameters and the last character of a control sequence.
   * @param {number} from
   */
  #afterControl(from) {
    const at = this.#skip(this.#skip(from, isParameter), isIntermediate)
    if (this.#isPartEnd(at)) return at
    return inRange(this.#bytes[at], 0x40, 0x7e) ? at + 1 : undefined
  }

  /**
   * After the end of a string such as the address of a link.
   * @param {number} from
   */
  #afterString(from) {
    let at = from
    while (!this.#isPartEnd(at) && this.#bytes[at] !== BELL && this.#bytes[at] !== ESCAPE) at++
    if (this.#isPartEnd(at)) return at
    if (this.#bytes[at] === BELL) return at + 1
    return !this.#isPartEnd(at + 1) && this.#bytes[at + 1] === BACKSLASH ? at + 2 : undefined
  }

  /**
   * @param {number} from
   * @param {(byte: number) => boolean} isSkipped
   */
  #skip(from, isSkipped) {
    let at = from
    while (!this.#isPartEnd(at) && isSkipped(this.#bytes[at] ?? 0)) at++
    return at
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} from
 */
function lineEnd(bytes, from) {
  const end = bytes.indexOf(NEWLINE, from)
  return end < 0 ? bytes.length : end
}

/** @param {number | undefined} byte */
function isDigit(byte) {
  return inRange(byte, 0x30, 0x39)
}

/** @param {number} byte */
function isParameter(byte) {
  return byte >= 0x30 && byte <= 0x3f
}

/** @param {number} byte */
function isIntermediate(byte) {
  return byte >= 0x20 && byte <= 0x2f
}

/** @param {number} byte */
function isStringStart(byte) {
  return byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f
}

/**
 * @param {number | undefined} byte
 * @param {number} first
 * @param {number} last
 */
function inRange(byte, first, last) {
  return byte !== undefined && byte >= first && byte <= last
}
