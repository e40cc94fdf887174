// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { plainLines } from './plain-lines.js'
import { createSieve } from './text-sieve.js'
import { LINES_PER_BLOCK } from './trace-scanner.js'

const NEWLINE = 0x0a
const CHUNK_BYTES = 1024 * 1024
/** At least so many bytes after a place where a text may be are looked at together. */
const PIECE_BYTES = 4096
/** A report of the progress follows so many bytes. */
const PROGRESS_BYTES = 8 * 1024 * 1024
/** Characters of a long line that are reported, and of those before the first match. */
const MAX_CHARACTERS = 500
const CHARACTERS_BEFORE = 100

/**
 * A search in a part of a log.
 * @typedef {object} LogSearch
 * @property {import('./text-matcher.js').LineQuery} query
 * @property {number} start position of a line
 * @property {number} line number of that line, from 1
 * @property {number} from number of the first line to search
 * @property {number} end position after the last byte
 * @property {number} limit most lines to find
 * @property {readonly number[]} blockStarts positions of the lines after which lines need not be counted: those of
 *   `LogView`
 */

/**
 * A line that was found. Positions are in UTF-16 code units.
 * @typedef {object} SearchHit
 * @property {number} line from 1
 * @property {string} text without escape sequences; of a long line, the part around the first match
 * @property {number} offset position of `text` in the line
 * @property {[number, number][]} ranges first and last position of each match, relative to `text`
 */

/**
 * @typedef {object} SearchEnd
 * @property {number} hits number of lines that were found
 * @property {number} searched_to number of the last line that was searched
 * @property {boolean} done whether the whole log was searched
 */

/**
 * Searches the visible text of a log line by line. A line of more than a megabyte is searched in parts.
 * @param {LogSearch} search
 * @param {import('./text-matcher.js').LineMatcher} findLines that of the query
 * @param {(buffer: Buffer, position: number) => number} read fills the buffer; returns the number of bytes
 * @param {(item: SearchHit | { searched_to: number }) => void} report
 * @returns {SearchEnd}
 */
export function searchLog(search, findLines, read, report) {
  const { query, start, line: firstLine, from, end, limit, blockStarts } = search
  const sieve = createSieve(query)
  const counter = new LineCounter({ line: firstLine, position: start }, blockStarts)
  let hits = 0
  let lastHit = 0
  let reportedAt = start
  for (const { bytes, position } of chunksOfLines({ start, end }, read)) {
    const raw = sieve ? bytes.toString('latin1') : ''
    for (const piece of sieve ? piecesAt(raw, sieve(raw)) : [{ start: 0, end: bytes.length }]) {
      counter.skipTo(piece.start, { raw, position })
      const text = plainLines(bytes.subarray(piece.start, piece.end)).toString('utf8')
      let counted = 0
      for (const match of findLines(text)) {
        counter.add(newlinesIn(text, counted, match.start))
        counted = match.start
        const { line } = counter
        // Parts of one line.
        if (line < from || line === lastHit) continue
        lastHit = line
        report({ line, ...excerptOf(text, match) })
        if (++hits === limit) return { hits, searched_to: line, done: false }
      }
      counter.add(newlinesIn(text, counted, text.length))
      counter.reach(position + piece.end)
    }
    counter.skipTo(bytes.length, { raw, position })
    if (position + bytes.length - reportedAt < PROGRESS_BYTES) continue
    reportedAt = position + bytes.length
    report({ searched_to: counter.line - 1 })
  }
  return { hits, searched_to: counter.line - (isLineStart(end, read) ? 1 : 0), done: true }
}

/** The number of the line at a position that moves forward. */
class LineCounter {
  #position
  #blockStarts
  /** Index of the first block that begins after the position, or before it. */
  #block = 0

  /**
   * @param {{ line: number, position: number }} start
   * @param {readonly number[]} blockStarts
   */
  constructor({ line, position }, blockStarts) {
    this.line = line
    this.#position = position
    this.#blockStarts = blockStarts
  }

  /** @param {number} lines */
  add(lines) {
    this.line += lines
  }

  /**
   * The lines up to a position of the log have been added.
   * @param {number} position
   */
  reach(position) {
    this.#position = position
  }

  /**
   * Counts the lines up to a place in a chunk, from the last block before it.
   * @param {number} to
   * @param {{ raw: string, position: number }} chunk
   */
  skipTo(to, { raw, position }) {
    while ((this.#blockStarts[this.#block] ?? Infinity) <= position + to) this.#block++
    const blockStart = this.#blockStarts[this.#block - 1] ?? 0
    if (blockStart > this.#position) {
      this.#position = blockStart
      this.line = (this.#block - 1) * LINES_PER_BLOCK + 1
    }
    this.line += newlinesIn(raw, this.#position - position, to)
    this.#position = position + to
  }
}

/**
 * Whole lines of a chunk that contain the places of a sieve.
 * @param {string} raw
 * @param {(from: number) => number} placeFrom
 */
function* piecesAt(raw, placeFrom) {
  for (let place = placeFrom(0); place < raw.length;) {
    const start = place > 0 ? raw.lastIndexOf('\n', place - 1) + 1 : 0
    const newline = raw.indexOf('\n', place + PIECE_BYTES)
    const end = newline < 0 ? raw.length : newline + 1
    yield { start, end }
    place = placeFrom(end)
  }
}

/**
 * Pieces of a log that end with a line. A long line is in several pieces.
 * @param {{ start: number, end: number }} range
 * @param {(buffer: Buffer, position: number) => number} read
 */
function* chunksOfLines({ start, end }, read) {
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - start))
  for (let position = start; position < end;) {
    const length = read(buffer.subarray(0, Math.min(buffer.length, end - position)), position)
    if (length === 0) return
    const isLast = position + length === end
    const lines = isLast ? 0 : buffer.lastIndexOf(NEWLINE, length - 1) + 1
    const bytes = buffer.subarray(0, lines > 0 ? lines : length)
    yield { bytes, position }
    position += bytes.length
  }
}

/**
 * @param {number} position
 * @param {(buffer: Buffer, position: number) => number} read
 */
function isLineStart(position, read) {
  if (position === 0) return true
  const byte = Buffer.alloc(1)
  return read(byte, position - 1) === 0 || byte[0] === NEWLINE
}

/**
 * @param {string} text
 * @param {import('./text-matcher.js').MatchingLine} match
 */
function excerptOf(text, { start, end, ranges }) {
  const first = ranges[0]?.[0] ?? 0
  const isLong = end - start > MAX_CHARACTERS
  const offset = isLong ? Math.max(0, Math.min(first - CHARACTERS_BEFORE, end - start - MAX_CHARACTERS)) : 0
  const excerpt = text.slice(start + offset, Math.min(end, start + offset + MAX_CHARACTERS))
  const visible = ranges.map(([from, to]) => [from - offset, Math.min(to - offset, excerpt.length)])
  return {
    text: excerpt,
    offset,
    ranges: /** @type {[number, number][]} */ (visible.filter(([from = 0, to = 0]) => from < to)),
  }
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 */
function newlinesIn(text, from, to) {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
