import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { mayReadTrace } from '../engine/trace-access.js'

/** Whether a job has a log that the caller may read. */
export function hasReadableLog(
  accessLevel: number,
  job: Pick<JobRow, 'kind' | 'started_at' | 'erased_at' | 'debug_trace'>,
): boolean {
  const hasLog = job.kind === 'build' && job.started_at !== null && job.erased_at === null
  return hasLog && mayReadTrace(accessLevel, job)
}
