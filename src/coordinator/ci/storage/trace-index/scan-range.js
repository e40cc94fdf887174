// This is JavaScript because a worker thread runs it from src/ too (trace-worker.js).
import { TraceScanner } from './trace-scanner.js'

const CHUNK_BYTES = 1024 * 1024

/**
 * A part of a log that begins where `state` ends, and ends after a newline.
 * @typedef {object} ScanRange
 * @property {import('./trace-scanner.js').ScanState} state
 * @property {number} end position
 */

/**
 * @typedef {object} ScanResult
 * @property {import('./trace-scanner.js').ScanState} state
 * @property {number[]} blockStarts those in the range
 */

/**
 * Scans a part of a log. If the log ends before `end`, it was replaced, and the result is undefined.
 * @param {ScanRange} range
 * @param {(buffer: Buffer, position: number) => number} read fills the buffer; returns the number of bytes
 * @returns {ScanResult | undefined}
 */
export function scanRange({ state, end }, read) {
  const scanner = new TraceScanner(state)
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, end - state.bytes))
  while (scanner.bytes < end) {
    const chunk = buffer.subarray(0, Math.min(buffer.length, end - scanner.bytes))
    const length = read(chunk, scanner.bytes)
    if (length === 0) return undefined
    scanner.feed(chunk.subarray(0, length))
  }
  return { state: scanner.state, blockStarts: scanner.blockStarts }
}
