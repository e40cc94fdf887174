import type { EngineEvents } from '../../../ci/engine/engine-events.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import { requestTask } from '../../merge-request-task-store.js'

/** Statuses with which a pipeline may let a merge begin. */
const PASSED = new Set<CompositeStatus>(['success', 'skipped'])

/** Asks for the merges that wait for one of the pipelines, in the transaction that ends them. */
export async function requestWaitingMerges(tx: Transaction, { pipelines }: EngineEvents): Promise<void> {
  const ids = pipelines.filter(({ status }) => PASSED.has(status)).map(({ id }) => id)
  if (ids.length === 0) return
  const pipelinesNow = tx.selectFrom('pipeline').where('pipeline.id', 'in', ids)
  const ofBranch = pipelinesNow.innerJoin('merge_request', (join) =>
    join
      .onRef('merge_request.source_project_id', '=', 'pipeline.project_id')
      .onRef('merge_request.source_branch', '=', 'pipeline.ref'),
  )
  const own = pipelinesNow.innerJoin('merge_request', 'merge_request.id', 'pipeline.merge_request_id')
  const waiting = (query: typeof ofBranch) =>
    query
      .select(['merge_request.id', 'merge_request.project_id', 'merge_request.merge_user_id'])
      .where('merge_request.state', '=', 'opened')
      .where('merge_request.merge_when_pipeline_succeeds', '=', true)
  for (const row of await waiting(ofBranch).union(waiting(own)).execute()) {
    if (row.merge_user_id !== null) await requestTask(tx, row, 'merge', row.merge_user_id)
  }
}
