import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { UnexpectedStatusError } from '../errors.js'
import { moveJobs } from '../job-status-store.js'
import { loadGraph } from './graph-store.js'
import { skippedDependents } from './skipped-dependents.js'

/**
 * After jobs of one pipeline were retried or played, re-evaluates the jobs that were skipped because of them
 * (CI language, 11.5).
 */
export async function resetDependents(tx: Transaction, restarted: JobRow[], userId: number): Promise<void> {
  const [first] = restarted
  if (!first) return
  const graph = await loadGraph(tx, first.pipeline_id)
  const ids = skippedDependents(
    graph,
    restarted.map(({ name, stage_index }) => ({ name, stageIndex: stage_index })),
  )
  await resetSkipped(tx, ids, userId)
}

/** Resets skipped jobs to `created` and assigns them to the user. */
export async function resetSkipped(tx: Transaction, ids: number[], userId: number): Promise<void> {
  const moved = await moveJobs(tx, ids, 'skipped', { status: 'created', user_id: userId })
  if (moved !== ids.length) throw new UnexpectedStatusError(ids, 'skipped')
}
