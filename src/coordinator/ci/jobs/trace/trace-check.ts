import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { apiError, notFound } from '../../../http/errors.js'
import { findJob } from '../../engine/job-store.js'
import { mayReadTrace } from '../../engine/trace-access.js'

/**
 * Must be called when the size of the log is known that is read. The order matters: a job is marked as having a debug
 * log before the first byte of that is readable. Throws as `checkTrace`.
 */
export type TraceCheck = () => Promise<void>

/**
 * Throws 403 for a debug log that the caller may not read, and 404 for a job that has not started or whose log was
 * erased.
 */
function checkTrace(accessLevel: number, job: JobRow): void {
  if (!mayReadTrace(accessLevel, job)) {
    throw apiError('debug_log_forbidden')
  }
  if (job.started_at === null || job.erased_at !== null) throw notFound()
}

/** Checks whether the caller may read the log of a job, and returns the check that follows. Throws as `checkTrace`. */
export function startTraceCheck(
  database: Database,
  { accessLevel }: { accessLevel: number },
  job: JobRow,
): TraceCheck {
  checkTrace(accessLevel, job)
  return async () => {
    // Nothing that changes would refuse the log to a caller who may read debug logs.
    if (mayReadTrace(accessLevel, { debug_trace: true })) return
    const current = await findJob(database, job.id)
    if (!current) throw notFound()
    checkTrace(accessLevel, current)
  }
}
