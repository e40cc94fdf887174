import { pause } from '../../../../lib/pause.js'
import { DAY } from '../../../../lib/time-units.js'
import { findOldLogs, forgetLog } from '../../engine/job-log-store.js'
import type { RetentionDeps } from './delete-old-pipelines.js'

/** Logs per read. */
const BATCH = 100

/**
 * Periodic task: deletes the logs of jobs that ended too long ago, the oldest first. The row of a job says that it has
 * a log until the file is deleted, so that the next run continues after a kill.
 */
export async function deleteOldLogs(
  { engine, traces, mayGoOn, onRetired }: RetentionDeps,
  { logDays, jobsPerSecond }: { logDays: number; jobsPerSecond: number },
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  if (logDays === 0) return
  const before = now - logDays * DAY
  for (;;) {
    if (!(await mayGoOn())) return
    const jobs = await findOldLogs(engine.database, before, BATCH)
    for (const job of jobs) {
      if (signal.aborted) return
      await traces.delete(job)
      await forgetLog(engine.database, job.id)
      onRetired({ kind: 'logs', projectId: job.project_id, number: 1, bytes: job.trace_bytes ?? 0 })
      await pause(1000 / jobsPerSecond, signal)
    }
    if (jobs.length < BATCH) return
  }
}
