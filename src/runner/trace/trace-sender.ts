import type { Logger } from '../../lib/logger.js'
import { pause, withJitter } from '../../lib/pause.js'
import type { CoordinatorClient, JobIdentity, JobSignals } from '../client/coordinator-client.js'
import { failureLevel } from '../client/errors.js'
import type { TraceBuffer } from './trace-buffer.js'

export interface TraceSenderOptions {
  client: Pick<CoordinatorClient, 'appendTrace' | 'updateJob'>
  job: JobIdentity
  trace: TraceBuffer
  isDebug: boolean
  logger: Logger
  /** Milliseconds after which the status of a silent job is requested; 3 s by default. */
  heartbeatInterval?: number | undefined
  /** The coordinator requests cancellation of the job. May be called many times. */
  onCancel: () => void
  /** The coordinator has ended the job. May be called many times. */
  onAbort: () => void
}

/** The reason of each abort. Without it, an error with a stack would be created for each one. */
const WOKEN = 'woken'

type Sent = 'sent' | 'nothing' | 'failed' | 'refused' | 'missing'

/** Maximum number of bytes in one patch (runner protocol, 4.3). */
const MAX_PATCH_BYTES = 1024 * 1024
const FIRST_INTERVAL = 3_000
/** Only a coordinator that knows of a reader asks for a shorter interval. */
const WATCHED_INTERVAL = 1_000
/** A cancellation is noticed within this time even if the job prints nothing. */
const HEARTBEAT_INTERVAL = 3_000
/** If the coordinator sends status changes by itself, the heartbeat only shows that the runner is alive. */
const RARE_HEARTBEAT_INTERVAL = 10_000
const FIRST_RETRY_INTERVAL = 200
const MAX_RETRY_INTERVAL = 5_000
/**
 * Interval of a few quick patches, so that the beginning of a job and occasional output are visible at once. Each
 * interval of the coordinator allows one more of them. Continuous output is limited to the interval.
 */
const QUICK_INTERVAL = 100
const QUICK_PATCHES = 10

/**
 * Sends the log of one job while it grows, and requests the status of the job when there is nothing to send.
 *
 *     new bytes ──▶ patch at once, unless one was sent within the interval ──▶ wait
 *     1 MiB waiting ──▶ patch without waiting
 *     nothing for 3 s, or 10 s if the coordinator sends status changes ──▶ heartbeat
 *     failed ──▶ the same bytes again, soon at first, at most 5 s later
 *
 * There is only one open request at any time. The coordinator sets the interval. Only a few patches are faster.
 */
export class TraceSender {
  private offset = 0
  private interval = FIRST_INTERVAL
  private quickPatches = QUICK_PATCHES
  private quickPatchesCountedAt = performance.now()
  private nextPatchAt = 0
  private nextHeartbeatAt: number
  /** Number of consecutive patches that failed. */
  private failures = 0
  private isSignaled = false
  private isRefused = false
  private wake = new AbortController()
  private loop: Promise<void> = Promise.resolve()
  private isStopping = false

  constructor(private readonly options: TraceSenderOptions) {
    this.nextHeartbeatAt = performance.now() + this.heartbeatInterval
  }

  private get heartbeatInterval(): number {
    return this.options.heartbeatInterval ?? HEARTBEAT_INTERVAL
  }

  /** Milliseconds between two requests that the coordinator asks for. */
  get updateInterval(): number {
    return this.interval
  }

  start(): void {
    this.options.trace.notify(() => this.onGrowth())
    this.loop = this.run()
  }

  /** Ends the periodic sending after the open request. May be called twice. */
  async stop(): Promise<void> {
    this.isStopping = true
    this.wake.abort(WOKEN)
    await this.loop
  }

  /** Sends all remaining bytes without pauses. `abandoned`: the coordinator accepts no more of this log. */
  async sendRest(): Promise<'complete' | 'failed' | 'abandoned'> {
    for (;;) {
      const sent = await this.sendChunk()
      if (sent === 'nothing') return 'complete'
      if (sent === 'failed') return 'failed'
      if (sent !== 'sent') return 'abandoned'
    }
  }

  /** Starts again from the first byte, because the coordinator has something else than was sent. */
  rewind(): void {
    this.offset = 0
  }

  /** Whether the coordinator wants the log at once, because somebody reads it. */
  get isWatched(): boolean {
    return this.interval < WATCHED_INTERVAL
  }

  /** Sets whether the coordinator currently sends status changes by itself. */
  setSignaled(isSignaled: boolean): void {
    if (this.isSignaled === isSignaled) return
    this.isSignaled = isSignaled
    this.postponeHeartbeat()
    this.wake.abort(WOKEN)
  }

  /** Processes the signals in any response about the job. */
  applySignals(signals: JobSignals): void {
    if (signals.traceInterval !== undefined) this.setInterval(signals.traceInterval * 1000)
    if (signals.status === 403 || signals.jobStatus === 'canceled' || signals.jobStatus === 'failed') {
      this.isRefused = true
      this.options.onAbort()
    } else if (signals.jobStatus === 'canceling') {
      this.options.onCancel()
    }
  }

  /** Bytes that wait for a longer interval are sent sooner. */
  private setInterval(interval: number): void {
    const isShorter = interval < this.interval
    this.interval = interval
    if (!isShorter) return
    this.nextPatchAt = Math.min(this.nextPatchAt, performance.now() + interval)
    this.wake.abort(WOKEN)
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
      this.nextPatchAt = performance.now() + this.patchGap(sent)
      if (sent === 'sent') this.postponeHeartbeat()
    }
    if (this.untilHeartbeat() <= 0) await this.beat()
  }

  private waitingTime(): number {
    return Math.min(this.untilPatch(), this.untilHeartbeat())
  }

  private untilPatch(): number {
    return this.options.trace.available > this.offset ? this.nextPatchAt - performance.now() : Infinity
  }

  /** A heartbeat is sent only after a patch was accepted, so that a failed patch is repeated first. */
  private untilHeartbeat(): number {
    return this.failures > 0 && this.options.trace.available > this.offset
      ? Infinity
      : this.nextHeartbeatAt - performance.now()
  }

  private patchGap(sent: Sent): number {
    if (sent === 'nothing') return 0
    if (sent !== 'sent') return withJitter(this.retryInterval())
    if (this.options.trace.available - this.offset >= MAX_PATCH_BYTES) return 0
    return this.takeQuickPatch() ? QUICK_INTERVAL : this.interval
  }

  private retryInterval(): number {
    // A reader is no reason to repeat a failure more often.
    const most = Math.min(Math.max(this.interval, WATCHED_INTERVAL), MAX_RETRY_INTERVAL)
    return Math.min(FIRST_RETRY_INTERVAL * 2 ** (this.failures - 1), most)
  }

  private takeQuickPatch(): boolean {
    const regained = Math.floor((performance.now() - this.quickPatchesCountedAt) / this.interval)
    this.quickPatches = Math.min(this.quickPatches + regained, QUICK_PATCHES)
    if (regained > 0) this.quickPatchesCountedAt = performance.now()
    if (this.quickPatches === 0) return false
    this.quickPatches--
    return true
  }

  private onGrowth(): void {
    const waitingBytes = this.options.trace.available - this.offset
    // A full patch need not wait, unless the last one failed and the coordinator gets a moment of rest.
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
      const response = await client.appendTrace(job, this.offset, bytes, isDebug)
      this.applySignals(response)
      switch (response.status) {
        case 202:
          this.offset += bytes.length
          return 'sent'
        case 416:
          return this.moveTo(Math.min(response.nextOffset, trace.size))
        case 403:
          return 'refused'
        case 404:
          return 'missing'
        default:
          logger[this.failures === 0 ? 'warn' : 'debug'](
            { job: job.id, status: response.status },
            'The log was not accepted; it will be sent again',
          )
          return 'failed'
      }
    } catch (error) {
      logger[failureLevel(error)](
        { job: job.id, err: error },
        'The log could not be sent; it will be sent again',
      )
      return 'failed'
    }
  }

  /** A later offset means that an earlier patch arrived and only its response was lost. */
  private moveTo(offset: number): Sent {
    const sent = offset > this.offset ? 'sent' : 'failed'
    this.offset = offset
    return sent
  }

  private async beat(): Promise<void> {
    const { client, job, trace, logger } = this.options
    this.postponeHeartbeat()
    try {
      const response = await client.updateJob(job, {
        state: 'running',
        output: { checksum: trace.checksum, bytesize: trace.size },
      })
      this.applySignals(response)
      if (response.status === 404) {
        this.isRefused = true
        this.options.onAbort()
      }
    } catch (error) {
      logger[failureLevel(error)]({ job: job.id, err: error }, 'The heartbeat of the job could not be sent')
    }
  }

  private postponeHeartbeat(): void {
    this.nextHeartbeatAt =
      performance.now() + (this.isSignaled ? RARE_HEARTBEAT_INTERVAL : this.heartbeatInterval)
  }
}
