import type { FileHandle } from 'node:fs/promises'

import { LineCollector, type LineText } from './line-text.js'
import { blockOfByte, type LogView } from './log-index.js'
import { styleAfter } from './text-style.js'
import { LINES_PER_BLOCK } from './trace-scanner.js'

export interface WindowLine extends LineText {
  /** Position of the first byte of the line. */
  start: number
}

/** Consecutive lines of a log. */
export interface LogWindow {
  /** Number of the first line, from 1. */
  from: number
  lines: WindowLine[]
  /** Position of the first line that is not complete in the window: the open one, or the one after the window. */
  next: number
  /** Style before the first line, as in `styleAfter`. */
  style: string
}

export interface WindowQuery {
  /** Number of the first line, from 1. */
  from: number
  count: number
  /** Most bytes of the text of a line. */
  maxLineBytes: number
}

const NEWLINE = 0x0a
const CHUNK_BYTES = 128 * 1024
/** A style is searched for in this many bytes before a line. */
const STYLE_BYTES = 64 * 1024
/** After this many bytes of text, the following lines of a window are cut to `SHORT_BYTES`. */
const MAX_WINDOW_BYTES = 2 * 1024 * 1024
const SHORT_BYTES = 256

/** Reads lines of a log. Fewer than `count` lines are returned at the end of the log. */
export async function readWindow(
  log: FileHandle,
  view: LogView,
  { from, count, maxLineBytes }: WindowQuery,
): Promise<LogWindow> {
  const collector = new LineCollector(maxLineBytes)
  const lines: WindowLine[] = []
  let textBytes = 0
  let next = view.bytes
  for await (const { bytes, line, start, isEnd } of piecesOfLines(log, view, from)) {
    if (collector.size === 0) next = start
    if (lines.length === count) break
    if (line < from) continue
    collector.push(bytes)
    if (!isEnd) continue
    const text = collector.take()
    lines.push({ ...text, start: next })
    next = view.bytes
    textBytes += text.text.length
    if (textBytes > MAX_WINDOW_BYTES) collector.limit(SHORT_BYTES)
  }
  if (collector.size > 0) lines.push({ ...collector.take(), start: next })
  const [first] = lines
  const style = first && first.start > 0 ? await styleBefore(log, first.start) : ''
  return { from, lines, next, style }
}

/** The number (from 1) of the line that contains a byte of the log. */
export async function lineOfByte(log: FileHandle, view: LogView, byte: number): Promise<number> {
  const from = blockOfByte(view.blockStarts, byte)
  let last = from
  for await (const { line, start } of piecesOfLines(log, view, from)) {
    if (start > byte) break
    last = line
  }
  return last
}

interface LinePiece {
  /** Without the newline; empty for the rest of a line whose newline is the next byte. */
  bytes: Buffer
  /** From 1. */
  line: number
  /** Position of the first byte. */
  start: number
  /** Whether the line ends here. */
  isEnd: boolean
}

/** The bytes of the log, line by line, from the block of the line `from` on. */
async function* piecesOfLines(log: FileHandle, view: LogView, from: number): AsyncGenerator<LinePiece> {
  const block = Math.floor((from - 1) / LINES_PER_BLOCK)
  let position = view.blockStarts[block]
  let line = block * LINES_PER_BLOCK + 1
  if (position === undefined) return
  while (position < view.bytes) {
    const bytes: Buffer = await readAt(log, position, Math.min(CHUNK_BYTES, view.bytes - position))
    if (bytes.length === 0) return
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield { bytes: bytes.subarray(start, end), line, start: position + start, isEnd: true }
      line++
      start = end + 1
    }
    if (start < bytes.length) {
      yield { bytes: bytes.subarray(start), line, start: position + start, isEnd: false }
    }
    position += bytes.length
  }
}

async function styleBefore(log: FileHandle, position: number): Promise<string> {
  const start = Math.max(0, position - STYLE_BYTES)
  return styleAfter((await readAt(log, start, position - start)).toString('latin1'))
}

/** Returns fewer bytes at the end of the log. */
export async function readAt(log: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await log.read(Buffer.allocUnsafe(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
