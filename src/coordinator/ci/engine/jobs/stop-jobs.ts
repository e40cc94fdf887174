import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { afterCommit, type Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJobs } from '../job-status-store.js'
import { findJobs } from '../job-store.js'
import { stopJob } from './stop-job.js'

/** Statuses of jobs without a runner, whose cancellation affects nothing else. */
const WAITING_STATUSES = ['created', 'waiting_for_resource', 'pending', 'manual', 'scheduled'] as const

/**
 * Cancels jobs of one pipeline, like `stopJob`. Waiting jobs are canceled in a few statements, however many
 * there are, the others one by one.
 */
export async function stopJobs(
  deps: EngineDeps,
  tx: Transaction,
  jobs: JobRow[],
  by?: number,
): Promise<void> {
  const waiting = jobs.filter(isWaiting)
  for (const status of WAITING_STATUSES) {
    const ids = waiting.filter((job) => job.status === status).map(({ id }) => id)
    await cancelWaiting(deps, tx, ids, status, by)
  }
  for (const job of jobs.filter((job) => !isWaiting(job))) await stopJob(deps, tx, job, by)
}

function isWaiting({ kind, status }: JobRow): boolean {
  return kind !== 'bridge' && WAITING_STATUSES.some((waiting) => waiting === status)
}

async function cancelWaiting(
  deps: EngineDeps,
  tx: Transaction,
  ids: number[],
  from: (typeof WAITING_STATUSES)[number],
  by: number | undefined,
): Promise<void> {
  if (ids.length === 0) return
  const moved = await moveJobs(tx, ids, from, {
    status: 'canceled',
    ...(by !== undefined && { auto_canceled_by_id: by }),
    token_digest: null,
    scheduled_at: null,
    finished_at: Date.now(),
  })
  if (moved !== ids.length) throw new UnexpectedStatusError(ids, from)
  if (from === 'pending') await deps.queue.dequeue(tx, ids)
  const canceled = await findJobs(tx, ids)
  afterCommit(tx, () => {
    for (const job of canceled) deps.notifications.emit('jobFinished', job)
  })
}
