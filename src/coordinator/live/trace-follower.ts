import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'

import { isFinished } from '../ci/engine/job-status.js'
import type { TraceOwner, Traces } from '../ci/storage/traces.js'
import type { Database } from '../database/connect.js'
import { type LiveEvent, liveEvent } from './live-event.js'
import type { TraceEndMessage, TraceMessage } from './messages.js'
import { findTraceState } from './store.js'

/** Maximum number of bytes of one event. */
const PIECE = 64 * 1024

export interface TraceFollowerDeps {
  database: Database
  traces: Traces
}

/** The stream of a follower. */
export interface TraceReader {
  /** Whether the client has read so much that more of the log may be sent. */
  hasRoom: () => boolean
  /** Whether the caller may read logs that show every variable. */
  readsDebugLogs: () => boolean
  send: (event: LiveEvent) => void
  /** The caller may no longer read the log. */
  refuse: () => void
  /** Reading failed. */
  fail: (error: unknown) => void
}

type TraceEnd = Omit<TraceEndMessage, 'job_id'>

/** Sends the log of a job to a stream, from a byte on: what is there, and what comes. */
export class TraceFollower {
  private isRunning = false
  private isAwake = false
  private isWaitingForRoom = false
  private isClosed = false
  private sentEnd: TraceEnd | undefined
  private knownSize = 0

  constructor(
    private readonly deps: TraceFollowerDeps,
    readonly job: TraceOwner,
    private offset: number,
    private readonly reader: TraceReader,
  ) {}

  /**
   * The log may have grown, or the job may have ended. `size`: what readers may see according to the coordinator that took
   * the bytes, which the file system may show later here.
   */
  wake(size = 0): void {
    this.knownSize = Math.max(this.knownSize, size)
    this.isAwake = true
    if (!this.isRunning && !this.isClosed) void this.run()
  }

  /** The client has read events. */
  onRoom(): void {
    if (this.isWaitingForRoom) this.wake()
  }

  /** Continues from an earlier byte, because the events after it were dropped. */
  rewind(offset: number): void {
    this.offset = offset
    this.sentEnd = undefined
    this.wake()
  }

  close(): void {
    this.isClosed = true
  }

  private async run(): Promise<void> {
    this.isRunning = true
    try {
      while (this.isAwake && !this.isClosed) {
        this.isAwake = false
        await this.sendNew()
      }
    } catch (error) {
      this.reader.fail(error)
    } finally {
      this.isRunning = false
    }
  }

  private async sendNew(): Promise<void> {
    for (;;) {
      this.isWaitingForRoom = !this.reader.hasRoom()
      if (this.isWaitingForRoom || !(await this.sendPiece())) return
    }
  }

  /** Returns whether there may be more. */
  private async sendPiece(): Promise<boolean> {
    const { database, traces } = this.deps
    const from = this.offset
    // The order matters: a job is marked as having a debug log before the first byte of that is readable.
    const readable = Math.max(this.knownSize, await traces.readableSize(this.job))
    const job = await findTraceState(database, this.job.id)
    if (!job || job.erased_at !== null) return this.end({ bytes: 0, missing_bytes: 0, erased: true })
    if (job.debug_trace && !this.reader.readsDebugLogs()) {
      this.close()
      this.reader.refuse()
      return false
    }
    const hasEnded = isFinished(job.status)
    const size = hasEnded ? await traces.size(job) : readable
    const missing = Math.max(0, (job.trace_bytes ?? 0) - size)
    if (size <= from)
      return hasEnded ? this.end({ bytes: size, missing_bytes: missing, erased: false }) : false
    const length = Math.min(PIECE, size - from)
    const bytes = await buffer(await traces.read(job, { start: from, end: from + length - 1 }))
    const isLast = hasEnded && from + bytes.length === size
    const piece = isLast ? bytes : wholeCharacters(bytes)
    if (piece.length === 0 || this.isClosed || this.offset !== from) return false
    this.offset += piece.length
    const message = traceMessage(this.job.id, from, piece)
    this.reader.send(
      liveEvent('trace', message, { kind: 'trace', position: { jobId: this.job.id, offset: this.offset } }),
    )
    return true
  }

  /** Sends the end once, and again if it has changed. */
  private end(end: TraceEnd): false {
    if (isDeepStrictEqual(this.sentEnd, end) || this.isClosed) return false
    this.sentEnd = end
    this.reader.send(liveEvent('trace-end', { job_id: this.job.id, ...end }, { kind: 'trace' }))
    return false
  }
}

function traceMessage(jobId: number, offset: number, bytes: Buffer): TraceMessage {
  const common = { job_id: jobId, offset, bytes: bytes.length }
  return isUtf8(bytes)
    ? { ...common, text: bytes.toString('utf8') }
    : { ...common, base64: bytes.toString('base64') }
}

/** Without the start of a character at the end, whose other bytes have not arrived yet. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    return lengthOfCharacter(byte) > back ? bytes.subarray(0, -back) : bytes
  }
  return bytes
}

/** The number of bytes of a character in UTF-8, by the first of them. */
function lengthOfCharacter(first: number): number {
  if (first >= 0b1111_0000) return 4
  if (first >= 0b1110_0000) return 3
  return first >= 0b1100_0000 ? 2 : 1
}
