import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { crc32 } from 'node:zlib'

import type { ByteFilter } from './byte-filter.js'
import { createTraceFilter, type TraceRules } from './trace-filter.js'

/**
 * The log of one job on its way out: what is written to `output` is masked, repaired, limited and kept in a file until
 * the job is reported. Memory holds one write at a time; a writer that waits for `drain` is held to the disk's speed.
 */
export class TraceBuffer {
  readonly output: Writable
  private checksumSoFar = 0
  private kept = 0
  private onGrowth: () => void = () => {}
  private onFailure: (error: unknown) => void = () => {}
  private failure: unknown

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly filter: ByteFilter,
  ) {
    this.output = new Writable({
      // What arrives while the disk is busy is written in one go.
      writev: (chunks, done) => {
        const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))
        void this.keep(this.filter.push(bytes)).then(() => done())
      },
      write: (chunk: Buffer, _encoding, done) => {
        void this.keep(this.filter.push(chunk)).then(() => done())
      },
      final: (done) => {
        void this.keep(this.filter.flush()).then(() => done())
      },
    })
  }

  static async open(directory: string, jobId: number, rules: TraceRules): Promise<TraceBuffer> {
    const path = join(directory, `job-${jobId}-${process.pid}-${Date.now()}.log`)
    return new TraceBuffer(await open(path, 'wx+', 0o600), path, createTraceFilter(rules))
  }

  /** Bytes kept so far. */
  get size(): number {
    return this.kept
  }

  /** `crc32:` and 8 hex digits over all bytes kept so far (runner protocol, 3.1). */
  get checksum(): string {
    return `crc32:${this.checksumSoFar.toString(16).padStart(8, '0')}`
  }

  /** Calls `onGrowth` each time bytes were kept; one listener at a time. */
  notify(onGrowth: () => void): void {
    this.onGrowth = onGrowth
  }

  /** Calls `onFailure` when the disk takes no more: the trace ends there, and `output` swallows what follows. */
  notifyFailure(onFailure: (error: unknown) => void): void {
    this.onFailure = onFailure
  }

  /** At most `length` bytes from `offset`. */
  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.kept - offset)
    if (wanted <= 0) return Buffer.alloc(0)
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(wanted), 0, wanted, offset)
    return buffer.subarray(0, bytesRead)
  }

  /** Ends `output`; afterwards `size` and `checksum` are those of the whole trace. May be called twice. */
  async end(): Promise<void> {
    if (this.output.writableFinished) return
    await new Promise<void>((resolve) => {
      this.output.end(resolve)
    })
  }

  async remove(): Promise<void> {
    this.output.destroy()
    await this.file.close()
    await rm(this.path, { force: true })
  }

  /** Never rejects: an error of the stream would end whatever writes to it, the runner's own messages included. */
  private async keep(bytes: Buffer): Promise<void> {
    if (this.failure !== undefined) return
    try {
      await this.append(bytes)
    } catch (error) {
      this.failure = error
      this.onFailure(error)
    }
  }

  private async append(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    for (let written = 0; written < bytes.length;) {
      const rest = bytes.subarray(written)
      written += (await this.file.write(rest, 0, rest.length, this.kept + written)).bytesWritten
    }
    this.checksumSoFar = crc32(bytes, this.checksumSoFar)
    this.kept += bytes.length
    this.onGrowth()
  }
}
