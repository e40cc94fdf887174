import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

import { isMissingFile } from '../../../../lib/files.js'
import { TraceFile } from './trace-file.js'

/*
 * The times at which the bytes of a log arrived, in a file beside it: a header, and for each patch the position of
 * its first byte and the time, in six bytes each. Both only grow. A log without the file has no times.
 */

const HEADER = Buffer.from('SWTIMES1')
const NUMBER_BYTES = 6
const RECORD_BYTES = 2 * NUMBER_BYTES
const RECORDS_AT_ONCE = 512

interface Arrival {
  byte: number
  /** Milliseconds since 1970. */
  time: number
}

/**
 * Records that the bytes of a log from `byte` on arrived at `time`. Repairs the end of a file after a crash. The first
 * byte begins the file again. `isShared`: other machines mount the file.
 */
export async function recordArrival(path: string, { byte, time }: Arrival, isShared = false): Promise<void> {
  const record = Buffer.alloc(RECORD_BYTES)
  record.writeUIntLE(byte, 0, NUMBER_BYTES)
  record.writeUIntLE(time, NUMBER_BYTES, NUMBER_BYTES)
  await using file = await TraceFile.open(path, { flags: byte === 0 ? constants.O_TRUNC : 0, isShared })
  const size = file.size ?? 0
  const isNew = size < HEADER.length + RECORD_BYTES
  const position = isNew ? 0 : HEADER.length + recordsIn(size) * RECORD_BYTES
  await file.write(isNew ? Buffer.concat([HEADER, record]) : record, position)
}

/**
 * The times at which bytes of a log arrived, in milliseconds since 1970. `bytes` are positions in ascending order.
 * Undefined for those whose time is not known.
 */
export async function findArrivals(path: string, bytes: readonly number[]): Promise<(number | undefined)[]> {
  try {
    await using file = await open(path)
    return await arrivalsIn(file, bytes)
  } catch (error) {
    if (isMissingFile(error)) return bytes.map(() => undefined)
    throw error
  }
}

async function arrivalsIn(file: FileHandle, bytes: readonly number[]): Promise<(number | undefined)[]> {
  const [first = 0] = bytes
  const records = new Records(file, recordsIn((await file.stat()).size))
  if (!(await records.isValid())) return bytes.map(() => undefined)
  let at = await records.lastAtOrBefore(first)
  let next = await records.at(at + 1)
  let current = at < 0 ? undefined : await records.at(at)
  const times: (number | undefined)[] = []
  for (const byte of bytes) {
    while (next && next.byte <= byte) {
      current = next
      at++
      next = await records.at(at + 1)
    }
    times.push(current?.time)
  }
  return times
}

/** The records of a file, read in blocks. */
class Records {
  private block: { first: number; bytes: Buffer } = { first: 0, bytes: Buffer.alloc(0) }

  constructor(
    private readonly file: FileHandle,
    private readonly count: number,
  ) {}

  async isValid(): Promise<boolean> {
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0)
    return bytesRead === HEADER.length && buffer.equals(HEADER)
  }

  /** The number of the last record whose byte is not after `byte`; -1 if there is none. */
  async lastAtOrBefore(byte: number): Promise<number> {
    let low = -1
    let high = this.count
    while (high - low > 1) {
      const middle = (low + high) >> 1
      const record = await this.at(middle)
      if (record && record.byte <= byte) low = middle
      else high = middle
    }
    return low
  }

  async at(index: number): Promise<Arrival | undefined> {
    if (index < 0 || index >= this.count) return undefined
    const { first, bytes } = this.block
    const start = (index - first) * RECORD_BYTES
    if (index < first || start + RECORD_BYTES > bytes.length) {
      this.block = { first: index, bytes: await this.read(index) }
      return this.block.bytes.length < RECORD_BYTES ? undefined : this.at(index)
    }
    return {
      byte: bytes.readUIntLE(start, NUMBER_BYTES),
      time: bytes.readUIntLE(start + NUMBER_BYTES, NUMBER_BYTES),
    }
  }

  private async read(index: number): Promise<Buffer> {
    const length = Math.min(RECORDS_AT_ONCE, this.count - index) * RECORD_BYTES
    const position = HEADER.length + index * RECORD_BYTES
    const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }
}

function recordsIn(size: number): number {
  return Math.max(0, Math.floor((size - HEADER.length) / RECORD_BYTES))
}
