import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJobs } from '../job-status-store.js'
import { markPending } from './mark-pending.js'

/**
 * Enqueues jobs of one pipeline, locked by `tx`, that have the given status (CI language, 10.2, "enqueue").
 * Jobs with a resource group wait for their resource first. The caller then advances the pipeline.
 */
export async function enqueueJobs(
  deps: Pick<EngineDeps, 'queue' | 'notifications'>,
  tx: Transaction,
  jobs: Pick<JobRow, 'id' | 'resource_group_id'>[],
  from: JobStatus,
): Promise<void> {
  const waiting = jobs.filter(({ resource_group_id }) => resource_group_id !== null)
  const ready = jobs.filter((job) => !waiting.includes(job))
  await markPending(deps, tx, idsOf(ready), from)
  const changes = { status: 'waiting_for_resource', scheduled_at: null } as const
  const moved = await moveJobs(tx, idsOf(waiting), from, changes)
  if (moved !== waiting.length) throw new UnexpectedStatusError(idsOf(waiting), from)
}

function idsOf(jobs: { id: number }[]): number[] {
  return jobs.map(({ id }) => id)
}
