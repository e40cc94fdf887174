import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobIdentity, JobSignals } from '../client/coordinator-client.js'
import type { TraceBuffer } from './trace-buffer.js'

export interface TraceSenderOptions {
  client: Pick<CoordinatorClient, 'appendTrace' | 'updateJob'>
  job: JobIdentity
  trace: TraceBuffer
  isDebug: boolean
  logger: Logger
  /** The coordinator wants the job to end in good order. May be called many times. */
  onCancel: () => void
  /** The coordinator has ended the job. May be called many times. */
  onAbort: () => void
}

/** Given as the reason of each abort: otherwise an error with its stack is made for it, many times in each job. */
const WOKEN = 'woken'

type Sent = 'sent' | 'nothing' | 'failed' | 'refused' | 'missing'

/** Bytes of one patch (runner protocol, 4.3). */
const MAX_PATCH_BYTES = 1024 * 1024
const FIRST_INTERVAL = 3_000
/** A cancel is noticed within this time although the job prints nothing. */
const HEARTBEAT_INTERVAL = 3_000
/** While the coordinator says by itself what happens to the job, it only has to hear that the runner lives. */
const RARE_HEARTBEAT_INTERVAL = 10_000
const FIRST_RETRY_INTERVAL = 200
const MAX_RETRY_INTERVAL = 5_000
/**
 * Patches that follow each other this closely, so that the beginning of a job and what it prints now and then are seen
 * as they happen. Each interval of the coordinator gives one back: what prints all the time keeps to the interval.
 */
const QUICK_INTERVAL = 100
const QUICK_PATCHES = 10

/**
 * Sends the trace of one job while it grows, and asks how the job stands when there is nothing to send.
 *
 *     new bytes ──▶ patch at once, unless one was sent within the interval ──▶ wait
 *     1 MiB waiting ──▶ patch without waiting
 *     nothing for 3 s, or 10 s when the coordinator tells by itself ──▶ heartbeat
 *     failed ──▶ the same bytes again, soon at first, at most 5 s later
 *
 * One call is on its way at any time. The interval is the coordinator's; only a few patches go faster.
 */
export class TraceSender {
  private offset = 0
  private interval = FIRST_INTERVAL
  private quickPatches = QUICK_PATCHES
  private quickPatchesCountedAt = Date.now()
  private nextPatchAt = 0
  private nextHeartbeatAt: number
  /** Patches in a row that were not taken. */
  private failures = 0
  private isSignaled = false
  private isRefused = false
  private wake = new AbortController()
  private loop: Promise<void> = Promise.resolve()
  private isStopping = false

  constructor(private readonly options: TraceSenderOptions) {
    this.nextHeartbeatAt = Date.now() + HEARTBEAT_INTERVAL
  }

  /** Milliseconds that the coordinator wants between two calls. */
  get updateInterval(): number {
    return this.interval
  }

  start(): void {
    this.options.trace.notify(() => this.onGrowth())
    this.loop = this.run()
  }

  /** Ends the periodic sending once the call on its way is answered. May be called twice. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.wake.abort(WOKEN)
    await this.loop
  }

  /** All that is left, back to back. `abandoned`: the coordinator takes no more of this trace. */
  async sendRest(): Promise<'complete' | 'failed' | 'abandoned'> {
    for (;;) {
      const sent = await this.sendChunk()
      if (sent === 'nothing') return 'complete'
      if (sent === 'failed') return 'failed'
      if (sent !== 'sent') return 'abandoned'
    }
  }

  /** The coordinator holds something else than was sent: begin again from the first byte. */
  rewind(): void {
    this.offset = 0
  }

  /** Whether the coordinator says by itself, and at once, what happens to the job. */
  setSignaled(isSignaled: boolean): void {
    if (this.isSignaled === isSignaled) return
    this.isSignaled = isSignaled
    this.postponeHeartbeat()
    this.wake.abort(WOKEN)
  }

  /** Takes the wishes out of any answer about the job. */
  applySignals(signals: JobSignals): void {
    if (signals.traceInterval !== undefined) this.interval = signals.traceInterval * 1000
    if (signals.status === 403 || signals.jobStatus === 'canceled' || signals.jobStatus === 'failed') {
      this.isRefused = true
      this.options.onAbort()
    } else if (signals.jobStatus === 'canceling') {
      this.options.onCancel()
    }
  }

  private async run(): Promise<void> {
    while (!this.isStopping && !this.isRefused) {
      const waiting = this.waitingTime()
      if (waiting > 0) await pause(waiting, this.freshWake())
      else await this.turn()
    }
  }

  private async turn(): Promise<void> {
    if (this.untilPatch() <= 0) {
      const sent = await this.sendChunk()
      this.nextPatchAt = Date.now() + this.patchGap(sent)
      if (sent === 'sent') this.postponeHeartbeat()
    }
    if (this.untilHeartbeat() <= 0) await this.beat()
  }

  private waitingTime(): number {
    return Math.min(this.untilPatch(), this.untilHeartbeat())
  }

  private untilPatch(): number {
    return this.options.trace.available > this.offset ? this.nextPatchAt - Date.now() : Infinity
  }

  /** A heartbeat comes after trace bytes were taken, so that the patch that failed is made good first. */
  private untilHeartbeat(): number {
    return this.failures > 0 && this.options.trace.available > this.offset
      ? Infinity
      : this.nextHeartbeatAt - Date.now()
  }

  private patchGap(sent: Sent): number {
    if (sent === 'nothing') return 0
    if (sent !== 'sent') return withJitter(Math.min(this.retryInterval(), this.interval, MAX_RETRY_INTERVAL))
    if (this.options.trace.available - this.offset >= MAX_PATCH_BYTES) return 0
    return this.takeQuickPatch() ? QUICK_INTERVAL : this.interval
  }

  private retryInterval(): number {
    return FIRST_RETRY_INTERVAL * 2 ** (this.failures - 1)
  }

  private takeQuickPatch(): boolean {
    const regained = Math.floor((Date.now() - this.quickPatchesCountedAt) / this.interval)
    this.quickPatches = Math.min(this.quickPatches + regained, QUICK_PATCHES)
    if (regained > 0) this.quickPatchesCountedAt = Date.now()
    if (this.quickPatches === 0) return false
    this.quickPatches--
    return true
  }

  private onGrowth(): void {
    const waitingBytes = this.options.trace.available - this.offset
    // A whole patch need not wait, unless the last one failed and the coordinator is left alone for a moment.
    if (waitingBytes >= MAX_PATCH_BYTES && this.failures === 0) this.nextPatchAt = 0
    this.wake.abort(WOKEN)
  }

  private freshWake(): AbortSignal {
    if (this.wake.signal.aborted && !this.isStopping) this.wake = new AbortController()
    return this.wake.signal
  }

  private async sendChunk(): Promise<Sent> {
    const bytes = await this.options.trace.read(this.offset, MAX_PATCH_BYTES)
    if (bytes.length === 0) return 'nothing'
    const sent = await this.patch(bytes)
    this.failures = sent === 'sent' ? 0 : this.failures + 1
    return sent
  }

  private async patch(bytes: Buffer): Promise<Sent> {
    const { client, job, trace, isDebug, logger } = this.options
    try {
      const answer = await client.appendTrace(job, this.offset, bytes, isDebug)
      this.applySignals(answer)
      switch (answer.status) {
        case 202:
          this.offset += bytes.length
          return 'sent'
        case 416:
          return this.moveTo(Math.min(answer.nextOffset, trace.size))
        case 403:
          return 'refused'
        case 404:
          return 'missing'
        default:
          logger.warn({ job: job.id, status: answer.status }, 'The trace was not accepted; it is sent again')
          return 'failed'
      }
    } catch (error) {
      logger.warn({ job: job.id, err: error }, 'The trace could not be sent; it is sent again')
      return 'failed'
    }
  }

  /** Further on means that an earlier patch arrived and only its answer was lost. */
  private moveTo(offset: number): Sent {
    const sent = offset > this.offset ? 'sent' : 'failed'
    this.offset = offset
    return sent
  }

  private async beat(): Promise<void> {
    const { client, job, trace, logger } = this.options
    this.postponeHeartbeat()
    try {
      const answer = await client.updateJob(job, {
        state: 'running',
        output: { checksum: trace.checksum, bytesize: trace.size },
      })
      this.applySignals(answer)
      if (answer.status === 404) {
        this.isRefused = true
        this.options.onAbort()
      }
    } catch (error) {
      logger.warn({ job: job.id, err: error }, 'The coordinator cannot be told that the job goes on')
    }
  }

  private postponeHeartbeat(): void {
    this.nextHeartbeatAt = Date.now() + (this.isSignaled ? RARE_HEARTBEAT_INTERVAL : HEARTBEAT_INTERVAL)
  }
}
