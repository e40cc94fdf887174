import type { Logger } from '../../../lib/logger.js'
import { MINUTE } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import { FINISHED_STATUSES } from '../engine/job-status.js'
import type { TraceOwner, Traces } from '../storage/traces.js'

export interface StoreFinishedLogsDeps {
  database: Database
  traces: Traces
  logger: Logger
}

/**
 * Milliseconds after the end of a job when its log is moved. Patches that are under way arrive before, and most readers
 * have read it.
 */
const DELAY = 5 * MINUTE
/** Logs in one query. */
const BATCH = 200

/**
 * Periodic task: moves the logs of jobs that have ended into the blob store. Files that a kill or an error of the store
 * left are moved by the next run.
 */
export async function storeFinishedLogs(
  { database, traces, logger }: StoreFinishedLogsDeps,
  signal: AbortSignal,
  now = Date.now(),
): Promise<void> {
  let jobs: TraceOwner[] = []
  const storeBatch = async () => {
    const ended = await endedBefore(database, jobs, now - DELAY)
    jobs = []
    for (const job of ended) {
      if (signal.aborted) return
      try {
        await traces.moveToStore(job)
      } catch (error) {
        logger.warn({ err: error, job: job.id }, 'Failed to store the log of a job; a later run retries')
      }
    }
  }
  for await (const job of traces.listFiles()) {
    if (signal.aborted) return
    jobs.push(job)
    if (jobs.length === BATCH) await storeBatch()
  }
  await storeBatch()
}

async function endedBefore(database: Database, jobs: TraceOwner[], time: number): Promise<TraceOwner[]> {
  if (jobs.length === 0) return []
  return (
    database
      .selectFrom('job')
      .select(['id', 'project_id'])
      .where(
        'id',
        'in',
        jobs.map(({ id }) => id),
      )
      .where('status', 'in', FINISHED_STATUSES)
      .where('finished_at', '<', time)
      // The file of an erased log is being deleted.
      .where('erased_at', 'is', null)
      .execute()
  )
}
