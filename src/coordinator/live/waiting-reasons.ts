import type { Logger } from '../../lib/logger.js'
import { findWaiting } from '../ci/queue/waiting/find-waiting.js'
import type { Database } from '../database/connect.js'
import { type LiveEvent, liveEvent } from './live-event.js'
import { findWaitingJobs } from './store.js'
import { nameOf } from './topics.js'

export interface WaitingReasonsDeps {
  database: Database
  logger: Logger
  /** Sends an event to each stream that has one of these topics. */
  publish: (topics: readonly string[], event: LiveEvent) => void
}

/** Sends the reasons why jobs wait, with their positions in the queue: these change without the jobs. */
export class WaitingReasons {
  /** By the number of streams. */
  private readonly jobs = new Map<number, number>()
  private timer: NodeJS.Timeout | undefined
  private sending: Promise<void> | undefined

  /** `every`: time between two messages about a job, in milliseconds. */
  constructor(
    private readonly deps: WaitingReasonsDeps,
    private readonly every: number,
  ) {}

  /** A stream has the topic of this job. */
  add(jobId: number): void {
    this.jobs.set(jobId, (this.jobs.get(jobId) ?? 0) + 1)
    this.timer ??= setInterval(() => this.send(), this.every).unref()
  }

  remove(jobId: number): void {
    const streams = (this.jobs.get(jobId) ?? 0) - 1
    if (streams > 0) this.jobs.set(jobId, streams)
    else this.jobs.delete(jobId)
    if (this.jobs.size === 0) this.stopTimer()
  }

  /** Ends when the running query is done. */
  async stop(): Promise<void> {
    this.stopTimer()
    await this.sending
  }

  private stopTimer(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private send(): void {
    this.sending ??= this.sendAll()
      .catch((error: unknown) =>
        this.deps.logger.warn({ err: error }, 'Failed to read why jobs of live streams wait'),
      )
      .finally(() => {
        this.sending = undefined
      })
  }

  private async sendAll(): Promise<void> {
    const { database, publish } = this.deps
    const jobs = await findWaitingJobs(database, [...this.jobs.keys()])
    if (jobs.length === 0) return
    const reasons = await findWaiting(database, jobs, { withPosition: true })
    for (const { id } of jobs) {
      const message = { job_id: id, waiting_for: reasons.get(id) ?? null }
      publish([nameOf({ kind: 'job', id })], liveEvent('waiting', message, { kind: 'job' }))
    }
  }
}
