import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { crc32 } from 'node:zlib'

import type { LimitState } from './output-limit.js'
import { createTraceFilter, type TraceFilter, type TraceRules } from './trace-filter.js'

/** Text that may wait for the disk. The default would be one piece of the engine's output, which costs a write for each. */
const WAITING_BYTES = 256 * 1024

/** The state of a log while no writes are pending. */
export interface TraceCheckpoint {
  /** Number of bytes stored. */
  size: number
  /** State of the text beyond the limit of the log. Undefined while there is none. */
  leftOut?: LimitState | undefined
}

/**
 * The log of one job before it is sent. Text written to `output` is masked, repaired, limited, and stored in a file
 * until the job is reported. Memory holds one write at a time. Writers that wait for `drain` are slowed to the
 * speed of the disk.
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
    private rules: TraceRules,
  ) {
    this.output = new Writable({
      highWaterMark: WAITING_BYTES,
      // Text that arrives while the disk is busy is written at once.
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
    return new TraceBuffer(await open(path, 'wx+', 0o600), createTraceFilter(rules), rules)
  }

  /** Continues the file of an earlier process after its first `size` bytes, or at its end if `size` is absent. */
  static async reopen(
    path: string,
    rules: TraceRules,
    { size, leftOut }: Partial<TraceCheckpoint> = {},
  ): Promise<TraceBuffer> {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    if (size !== undefined) await file.truncate(size)
    const { size: kept } = await file.stat()
    const trace = new TraceBuffer(file, createTraceFilter(rules), rules)
    await trace.resume(kept)
    if (leftOut) trace.filter.restore(leftOut)
    return trace
  }

  /** Number of bytes stored so far. */
  get size(): number {
    return this.kept
  }

  /** Number of bytes that may be sent. */
  get available(): number {
    return this.heldAt ?? this.kept
  }

  /** Holds text that is written from now on. It is not sent before `release`. */
  hold(): void {
    this.heldAt ??= this.kept
  }

  release(): void {
    if (this.heldAt === undefined) return
    this.heldAt = undefined
    this.onGrowth()
  }

  /** Resolves when everything written is stored, including what the filter held back. */
  async checkpoint(): Promise<TraceCheckpoint> {
    await new Promise<void>((resolve) => {
      this.output.write(Buffer.alloc(0), () => resolve())
    })
    await this.keep(this.filter.flushMasked())
    return { size: this.kept, leftOut: this.filter.leftOut }
  }

  /** Masks values that became known after the job began. Nothing else may write at the same time. */
  async hide(secrets: readonly string[]): Promise<void> {
    await this.checkpoint()
    this.filter.hide(secrets)
    this.rules = { ...this.rules, secrets: [...this.rules.secrets, ...secrets] }
  }

  /** Masks and repairs texts like those of the log. They need not be part of it. */
  mask(texts: readonly string[]): string[] {
    if (texts.length === 0) return []
    const filter = createTraceFilter({ ...this.rules, limit: Infinity })
    const joined = Buffer.from(texts.map((text) => text.replaceAll('\0', '')).join('\0'))
    return Buffer.concat([filter.push(joined), filter.flush()])
      .toString()
      .split('\0')
  }

  /** `crc32:` and 8 hex digits over all bytes stored so far (runner protocol, 3.1). */
  get checksum(): string {
    return `crc32:${this.checksumSoFar.toString(16).padStart(8, '0')}`
  }

  /** Calls `onGrowth` each time more bytes may be sent. There is one listener at a time. */
  notify(onGrowth: () => void): void {
    this.onGrowth = onGrowth
  }

  /** Calls `onFailure` when the disk rejects a write. The log ends there, and `output` discards later text. */
  notifyFailure(onFailure: (error: unknown) => void): void {
    this.onFailure = onFailure
  }

  /** Reads at most `length` bytes from `offset`, of those that may be sent. */
  async read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.available - offset)
    if (wanted <= 0) return Buffer.alloc(0)
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(wanted), 0, wanted, offset)
    return buffer.subarray(0, bytesRead)
  }

  /** Ends `output`. Afterwards `size` and `checksum` cover the whole log. May be called twice. */
  async end(): Promise<void> {
    if (this.output.writableFinished) return
    await new Promise<void>((resolve) => {
      this.output.end(resolve)
    })
  }

  /** Closes the file and leaves it to a later process. */
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

  /** Never rejects, because an error of the stream would end every writer, including the runner's own messages. */
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
