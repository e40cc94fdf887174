import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { crc32 } from 'node:zlib'

import type { LimitState } from './limit-state.js'
import { createTraceFilter, type TraceFilter, type TraceRules } from './trace-filter.js'

/** A trace at a moment at which nothing is on its way. */
export interface TraceCheckpoint {
  /** Bytes kept. */
  size: number
  /** What is known of the text beyond the limit of the trace; undefined while there is none. */
  leftOut?: LimitState | undefined
}

/**
 * The log of one job on its way out: what is written to `output` is masked, repaired, limited and kept in a file until
 * the job is reported. Memory holds one write at a time; a writer that waits for `drain` is held to the disk's speed.
 */
export class TraceBuffer {
  readonly output: Writable
  private checksumSoFar = 0
  private kept = 0
  private heldAt: number | undefined
  private onGrowth: () => void = () => {}
  private onFailure: (error: unknown) => void = () => {}
  private failure: unknown

  private constructor(
    private readonly file: FileHandle,
    private readonly filter: TraceFilter,
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

  static async create(path: string, rules: TraceRules): Promise<TraceBuffer> {
    return new TraceBuffer(await open(path, 'wx+', 0o600), createTraceFilter(rules))
  }

  /** Goes on with the file that an earlier process left, after its first `size` bytes; all of it when absent. */
  static async reopen(
    path: string,
    rules: TraceRules,
    { size, leftOut }: Partial<TraceCheckpoint> = {},
  ): Promise<TraceBuffer> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    if (size !== undefined) await file.truncate(size)
    const { size: kept } = await file.stat()
    const trace = new TraceBuffer(file, createTraceFilter(rules))
    await trace.resume(kept)
    if (leftOut) trace.filter.restore(leftOut)
    return trace
  }

  /** Bytes kept so far. */
  get size(): number {
    return this.kept
  }

  /** Those of them that may be sent. */
  get available(): number {
    return this.heldAt ?? this.kept
  }

  /** What is written from now on is not to be sent before `release`. */
  hold(): void {
    this.heldAt ??= this.kept
  }

  release(): void {
    if (this.heldAt === undefined) return
    this.heldAt = undefined
    this.onGrowth()
  }

  /** Resolves once everything written is kept, what the filter held back included. */
  async checkpoint(): Promise<TraceCheckpoint> {
    await new Promise<void>((resolve) => {
      this.output.write(Buffer.alloc(0), () => resolve())
    })
    await this.keep(this.filter.flushMasked())
    return { size: this.kept, leftOut: this.filter.leftOut }
  }

  /** Values that were learned after the job began, and never appear from now on. Nothing else is to write meanwhile. */
  async hide(secrets: readonly string[]): Promise<void> {
    await this.checkpoint()
    this.filter.hide(secrets)
  }

  /** `crc32:` and 8 hex digits over all bytes kept so far (runner protocol, 3.1). */
  get checksum(): string {
    return `crc32:${this.checksumSoFar.toString(16).padStart(8, '0')}`
  }

  /** Calls `onGrowth` each time more bytes may be sent; one listener at a time. */
  notify(onGrowth: () => void): void {
    this.onGrowth = onGrowth
  }

  /** Calls `onFailure` when the disk takes no more: the trace ends there, and `output` swallows what follows. */
  notifyFailure(onFailure: (error: unknown) => void): void {
    this.onFailure = onFailure
  }

  /** At most `length` bytes from `offset`, of those that may be sent. */
  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.available - offset)
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

  /** Leaves the file to a later process. */
  async close(): Promise<void> {
    this.output.destroy()
    await this.file.close()
  }

  private async resume(size: number): Promise<void> {
    for await (const bytes of this.file.createReadStream({ start: 0, autoClose: false })) {
      this.checksumSoFar = crc32(bytes as Buffer, this.checksumSoFar)
      this.filter.resume(bytes as Buffer)
    }
    this.kept = size
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
    if (this.heldAt === undefined) this.onGrowth()
  }
}
