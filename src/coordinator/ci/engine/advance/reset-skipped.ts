import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJobs } from '../job-store.js'
import { loadGraph } from './graph-store.js'
import { skippedDependents } from './skipped-dependents.js'

/**
 * After a job was retried or played, re-evaluates the jobs that were skipped because of it (CI language,
 * 11.5).
 */
export async function resetDependents(tx: Transaction, restarted: JobRow, userId: number): Promise<void> {
  const graph = await loadGraph(tx, restarted.pipeline_id)
  const ids = skippedDependents(graph, { name: restarted.name, stageIndex: restarted.stage_index })
  await resetSkipped(tx, ids, userId)
}

/** Resets skipped jobs to `created` and assigns them to the user. */
export async function resetSkipped(tx: Transaction, ids: number[], userId: number): Promise<void> {
  const moved = await moveJobs(tx, ids, 'skipped', { status: 'created', user_id: userId })
  if (moved !== ids.length) throw new UnexpectedStatusError(ids, 'skipped')
}
