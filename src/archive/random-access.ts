import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { RandomAccessReader } from 'yauzl'

/** A range of bytes. `end` is exclusive. */
export interface ByteSpan {
  start: number
  end: number
}

/** Bytes with random access, such as an object of a store. */
export interface RandomAccessSource {
  size: number
  read(span: ByteSpan): Promise<Readable>
}

const CHUNK_BYTES = 256 * 1024

/** A file on the host. Must be closed after the last read. */
export class FileSource implements RandomAccessSource {
  private constructor(
    private readonly file: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileSource> {
    const file = await open(path)
    const { size } = await file.stat()
    return new FileSource(file, size)
  }

  async read(span: ByteSpan): Promise<Readable> {
    return Readable.from(this.chunks(span), { objectMode: false })
  }

  /** Returns fewer bytes than requested at the end of the file. */
  async readBytes({ start, end }: ByteSpan): Promise<Buffer> {
    const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
    return buffer.subarray(0, bytesRead)
  }

  async close(): Promise<void> {
    await this.file.close()
  }

  private async *chunks({ start, end }: ByteSpan): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const bytes = await this.readBytes({ start: at, end: Math.min(end, at + CHUNK_BYTES) })
      if (bytes.length === 0) return
      at += bytes.length
      yield bytes
    }
  }
}

/** Reads a range that is small enough to buffer. Returns fewer bytes if the source ends first. */
export async function readSpan(source: RandomAccessSource, span: ByteSpan): Promise<Buffer> {
  if (span.start === span.end) return Buffer.alloc(0)
  return source instanceof FileSource ? await source.readBytes(span) : await buffer(await source.read(span))
}

/** Number of bytes of a table of contents that are read at a time. Each header has about 100 bytes. */
const WINDOW_BYTES = 128 * 1024

/**
 * The reader for headers that yauzl uses. It reads through a moving window, so that a table of contents needs few
 * reads of the source. yauzl's own file reader crashes the process if a stream is destroyed while another one
 * reads. Therefore contents are not read through yauzl.
 */
export class HeaderReader extends RandomAccessReader {
  private window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  constructor(private readonly source: RandomAccessSource) {
    super()
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.copy(target, offset, { start: position, end: position + length }).then(
      () => done(null),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    )
  }

  private async copy(target: Buffer, offset: number, span: ByteSpan): Promise<void> {
    if (!this.holds(span)) await this.moveTo(span)
    const { start, bytes } = this.window
    if (!this.holds(span)) throw new Error('it ends too early')
    bytes.copy(target, offset, span.start - start, span.end - start)
  }

  private holds({ start, end }: ByteSpan): boolean {
    return start >= this.window.start && end <= this.window.start + this.window.bytes.length
  }

  private async moveTo({ start, end }: ByteSpan): Promise<void> {
    const windowEnd = Math.min(Math.max(end, start + WINDOW_BYTES), this.source.size)
    const bytes = windowEnd > start ? await readSpan(this.source, { start, end: windowEnd }) : Buffer.alloc(0)
    this.window = { start, bytes }
  }
}
