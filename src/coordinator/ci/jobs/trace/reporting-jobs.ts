import { growingCache } from '../../../../lib/growing-cache.js'
import { tokenDigest } from '../../../../lib/tokens.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../../engine/engine-deps.js'
import { recordContact } from '../../engine/finish/finish-job.js'
import {
  findLoggingJob,
  type LoggingJob,
  loggingJobOf,
  markDebugTrace,
  recordTraceSize,
} from '../../engine/job-log-store.js'
import { isWithRunner } from '../../engine/job-status.js'
import type { JobChangeListener } from '../../signals/job-watches.js'
import type { Traces } from '../../storage/traces.js'
import { checkToken, hasToken } from '../authenticate-job.js'

/** Milliseconds after which a job is read again, in case the notification of a change was lost. */
const USE = 10_000
const MAX_KEPT = 10_000

export interface ReportingJobsDeps {
  engine: Pick<EngineDeps, 'database' | 'lease' | 'logger'>
  traces: Pick<Traces, 'size'>
}

interface Kept {
  /** Undefined until it is read. */
  job?: LoggingJob
  /** Until when the job may be used, in milliseconds since 1970. */
  until: number
  /** Until when its lease need not be renewed. */
  renewedUntil: number
  /** Whether its runner has sent something to this process. */
  hasReported: boolean
}

/**
 * The jobs whose runners send parts of logs and updates to this process. These come every few seconds, or much more
 * often, and ask the same of the database each time. So the job and its lease are kept for seconds, or until the job
 * changes: it is canceled, ends, or returns to the queue.
 */
export class ReportingJobs implements JobChangeListener {
  private readonly kept = growingCache<number, Kept>(MAX_KEPT)
  private readonly recordings = new Set<Promise<void>>()

  constructor(private readonly deps: ReportingJobsDeps) {}

  /** As `authenticateJob`, but reads less of the job. */
  async authenticate(jobId: number, token: string | undefined): Promise<LoggingJob> {
    const digest = token === undefined ? undefined : tokenDigest(token)
    const kept = this.kept.get(jobId)
    if (kept?.job && Date.now() < kept.until && hasToken(kept.job, digest)) {
      kept.hasReported = true
      return kept.job
    }
    return checkToken(digest === undefined ? undefined : await this.read(jobId), digest)
  }

  /** This process has given the job to a runner, which usually reports to it as well. */
  onStarted(row: JobRow): void {
    const job = loggingJobOf(row)
    this.kept.set(job.id, { job, until: Date.now() + USE, renewedUntil: 0, hasReported: false })
  }

  /** Renews the lease of the job, with at most one write every few seconds. False if the job has ended. */
  async recordContact(job: LoggingJob): Promise<boolean> {
    const kept = this.keptAs(job)
    if (kept && Date.now() < kept.renewedUntil) return true
    const renewedUntil = await recordContact(this.deps.engine, job)
    if (kept && renewedUntil !== undefined) kept.renewedUntil = renewedUntil
    return renewedUntil !== undefined
  }

  /** Marks the log of a job as visible to developers only. */
  async markDebugTrace(job: LoggingJob): Promise<void> {
    await markDebugTrace(this.deps.engine.database, job.id)
    const kept = this.keptAs(job)
    if (kept) kept.job = { ...job, debug_trace: true }
  }

  /** Call it when the runner reports the end of the job, or what it sends does not fit. */
  forget(jobId: number): void {
    this.kept.delete(jobId)
  }

  onChanged(jobId: number): void {
    const kept = this.kept.get(jobId)
    if (!kept) return
    this.kept.delete(jobId)
    if (kept.job && kept.hasReported) this.recordSize(kept.job)
  }

  onMissed(): void {
    for (const jobId of [...this.kept.keys()]) this.onChanged(jobId)
  }

  /** Waits for the sizes that are being recorded; call it before the store is closed. */
  async stop(): Promise<void> {
    await Promise.all(this.recordings)
  }

  private async read(jobId: number): Promise<LoggingJob | undefined> {
    const kept: Kept = this.kept.get(jobId) ?? { until: 0, renewedUntil: 0, hasReported: true }
    this.kept.set(jobId, kept)
    const job = await findLoggingJob(this.deps.engine.database, jobId)
    // It has changed since the read began.
    if (this.kept.peek(jobId) !== kept) return job
    if (job && isWithRunner(job.status)) {
      const isSame = kept.job?.token_digest === job.token_digest
      const renewedUntil = isSame ? kept.renewedUntil : 0
      Object.assign(kept, { job, until: Date.now() + USE, renewedUntil, hasReported: true } satisfies Kept)
    } else this.onChanged(jobId)
    return job
  }

  /** Undefined if the job has changed since it was read, or was dispatched again. */
  private keptAs(job: LoggingJob): Kept | undefined {
    const kept = this.kept.get(job.id)
    return kept?.job?.token_digest === job.token_digest ? kept : undefined
  }

  /** A part may have been added to the log after the job had ended, before this process knew. */
  private recordSize(job: LoggingJob): void {
    const recording = this.writeSize(job)
      .catch((error: unknown) =>
        this.deps.engine.logger.warn({ err: error, job: job.id }, 'Failed to record the size of a log'),
      )
      .finally(() => this.recordings.delete(recording))
    this.recordings.add(recording)
  }

  private async writeSize(job: LoggingJob): Promise<void> {
    const size = await this.deps.traces.size(job)
    if (size > 0) await recordTraceSize(this.deps.engine.database, job.id, size)
  }
}
