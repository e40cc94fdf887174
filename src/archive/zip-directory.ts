import { directoryHeader, endRecords, type ZipRecord } from './zip-records.js'

/** Parts of the table of contents are merged to save memory: a million small buffers are large. */
const CHUNK_BYTES = 256 * 1024

/** The table of contents of a zip that is being written, and the position in the zip. */
export class ZipDirectory {
  /** Number of bytes that were written. */
  offset = 0
  private entries = 0
  private readonly chunks: Buffer[] = []
  private lines: Buffer[] = []
  private linesBytes = 0

  /** Counts bytes that are written, and returns them. */
  counted(bytes: Buffer): Buffer {
    this.offset += bytes.length
    return bytes
  }

  /** Adds an entry whose bytes are written. */
  add(record: ZipRecord): void {
    const line = directoryHeader(record)
    this.entries++
    this.lines.push(line)
    this.linesBytes += line.length
    if (this.linesBytes < CHUNK_BYTES) return
    this.chunks.push(Buffer.concat(this.lines))
    this.lines = []
    this.linesBytes = 0
  }

  /** The end of the zip. */
  *end(): Generator<Buffer> {
    const { offset, entries } = this
    this.chunks.push(...this.lines)
    for (const chunk of this.chunks) yield this.counted(chunk)
    yield endRecords({ entries, offset, size: this.offset - offset })
  }
}
