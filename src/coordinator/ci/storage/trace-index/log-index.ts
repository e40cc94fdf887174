import { crc32 } from 'node:zlib'

import { LINES_PER_BLOCK, type ScanState, type TraceSection } from './trace-scanner.js'

/**
 * The positions of the lines and sections of a log, up to the beginning of a line. `blockStarts` are the positions of
 * the lines 0, 256, 512, … (from 0).
 */
export interface LogIndex {
  state: ScanState
  blockStarts: number[]
  /** Checksum of the last bytes before `state.bytes` (`MARK_BYTES`), by which a log is recognized. */
  mark: number
}

/** Bytes of a log by which it is recognized. */
export const MARK_BYTES = 256

const MAGIC = Buffer.from('SWINDEX1')
const POSITION_BYTES = 6
/** Magic, checksum of the rest, mark, length of the state, number of positions. */
const HEADER_BYTES = MAGIC.length + 4 * 4

export const EMPTY_INDEX: LogIndex = {
  state: { bytes: 0, lines: 0, sections: [], open: [], untitled: -1 },
  blockStarts: [0],
  mark: 0,
}

/** Approximate size in memory, in bytes. */
export function indexSize({ state, blockStarts }: LogIndex): number {
  return 500 + blockStarts.length * 8 + state.sections.length * 500
}

export function encodeIndex({ state, blockStarts, mark }: LogIndex): Buffer {
  const text = Buffer.from(JSON.stringify(state))
  const file = Buffer.alloc(HEADER_BYTES + text.length + blockStarts.length * POSITION_BYTES)
  let at = MAGIC.copy(file) + 4
  at = file.writeUInt32LE(mark, at)
  at = file.writeUInt32LE(text.length, at)
  at = file.writeUInt32LE(blockStarts.length, at)
  at += text.copy(file, at)
  for (const start of blockStarts) at = file.writeUIntLE(start, at, POSITION_BYTES)
  file.writeUInt32LE(checksumOf(file), MAGIC.length)
  return file
}

/** Undefined for anything but the complete result of `encodeIndex`, because an index can be built again. */
export function decodeIndex(file: Buffer): LogIndex | undefined {
  if (file.length < HEADER_BYTES || !file.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  if (file.readUInt32LE(MAGIC.length) !== checksumOf(file)) return undefined
  const [mark, textLength, count] = [1, 2, 3].map((number) => file.readUInt32LE(MAGIC.length + 4 * number))
  if (mark === undefined || textLength === undefined || count === undefined) return undefined
  const positions = HEADER_BYTES + textLength
  if (file.length !== positions + count * POSITION_BYTES) return undefined
  // The checksum says that this is what `encodeIndex` wrote.
  const state = JSON.parse(file.toString('utf8', HEADER_BYTES, positions)) as ScanState
  const blockStarts = Array.from({ length: count }, (_none, index) =>
    file.readUIntLE(positions + index * POSITION_BYTES, POSITION_BYTES),
  )
  return { state, blockStarts, mark }
}

function checksumOf(file: Buffer): number {
  return crc32(file.subarray(MAGIC.length + 4))
}

/** A log as a reader sees it: what the index covers, and the bytes after it. */
export interface LogView {
  /** Number of bytes. */
  bytes: number
  /** Number of lines. The last one need not have an end. */
  lines: number
  sections: readonly TraceSection[]
  blockStarts: readonly number[]
}

/** The number (from 1) of the first line of the block that `byte` is in. */
export function blockOfByte(blockStarts: readonly number[], byte: number): number {
  let low = 0
  let high = blockStarts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((blockStarts[middle] ?? Infinity) <= byte) low = middle
    else high = middle
  }
  return low * LINES_PER_BLOCK + 1
}
