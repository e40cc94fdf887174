import { knownFailureReason } from '../../../protocol/failure-reason.js'
import type { JobUpdate } from '../../../protocol/job-update.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { invalidParameters } from '../../http/errors.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { finishJob } from '../engine/finish/finish-job.js'
import type { JobResult } from '../engine/finish/finish-jobs.js'
import type { LoggingJob } from '../engine/job-log-store.js'
import { findJob } from '../engine/job-store.js'
import { findCoverage } from '../engine/reports/find-coverage.js'
import type { Traces } from '../storage/traces.js'
import { notRunning } from './authenticate-job.js'
import { storeSteps } from './store-steps.js'
import type { ReportingJobs } from './trace/reporting-jobs.js'
import type { TraceMaskers } from './trace/trace-maskers.js'

export interface UpdateJobDeps {
  engine: EngineDeps
  traces: Traces
  reportingJobs: ReportingJobs
}

/** Whether the job has ended on its runner (`endReportedJob`). */
export function isEnd({ state }: JobUpdate): boolean {
  return state === 'success' || state === 'failed'
}

/**
 * Renews the lease of a job that its runner still has, and returns the status of the job (runner protocol, 3.1). Throws 400
 * for an unknown state.
 */
export async function updateJob(
  deps: UpdateJobDeps,
  job: LoggingJob,
  update: JobUpdate,
): Promise<JobRow['status']> {
  switch (update.state) {
    case 'running':
    case 'pending':
      await deps.reportingJobs.recordContact(job)
      return job.status
    default:
      throw invalidParameters('state does not have a valid value')
  }
}

/**
 * Ends a job as its runner reports, and returns the status of the job afterwards (runner protocol, 3.1). `job` is the row that
 * was read to check the job token. Throws 403 if it has ended, or was dispatched to another runner, since.
 */
export async function endReportedJob(
  { engine, traces, reportingJobs, maskers }: UpdateJobDeps & { maskers: TraceMaskers },
  job: JobRow,
  update: JobUpdate,
  token: string,
): Promise<JobRow['status']> {
  const { database } = engine
  reportingJobs.forget(job.id)
  await compareTrace(engine, traces, job, update)
  await storeSteps({ traces, maskers, logger: engine.logger }, job, update, token)
  const coverage = await findCoverage(database, traces, job)
  const ended = await finishJob(engine, job, { ...resultOf(update), coverage })
  if (ended === 'not-running') throw notRunning((await findJob(database, job.id)) ?? job)
  return ended.status
}

function resultOf({ state, failure_reason, exit_code }: JobUpdate): JobResult {
  if (state === 'success') return { status: 'success' }
  return { status: 'failed', reason: knownFailureReason(failure_reason), exitCode: exit_code }
}

/** Logs a trace that differs from what the runner sent, without failing the job (runner protocol, 3.2). */
async function compareTrace(
  { logger }: EngineDeps,
  traces: Traces,
  job: JobRow,
  { output, checksum }: JobUpdate,
): Promise<void> {
  const sent = output?.checksum ?? checksum
  if (sent === undefined) return
  const stored = await checksumOf(traces, job)
  if (stored !== sent)
    logger.warn({ job: job.id, sent, stored }, 'The trace differs from what the runner sent')
}

async function checksumOf(traces: Traces, job: JobRow): Promise<string> {
  return `crc32:${(await traces.checksum(job)).toString(16).padStart(8, '0')}`
}
