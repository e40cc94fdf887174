import type { EngineEvents } from '../../../ci/engine/engine-events.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import { insertTodos } from '../../../hosting/todo-store.js'
import { requestTask } from '../../merge-request-task-store.js'

/** Statuses with which a pipeline may let a merge begin. */
const PASSED = new Set<CompositeStatus>(['success', 'skipped'])

/**
 * What follows for merge requests when their head pipelines have ended, in the transaction that ends them: a merge that
 * waits is asked for, and the author and the user who waits get a to-do item about a failure.
 */
export async function followPipelines(tx: Transaction, { pipelines }: EngineEvents): Promise<void> {
  const passed = pipelines.filter(({ status }) => PASSED.has(status)).map(({ id }) => id)
  for (const row of await mergeRequestsOf(tx, passed, true)) {
    if (row.merge_user_id !== null) await requestTask(tx, row, 'merge', row.merge_user_id)
  }
  const failed = pipelines.filter(({ status }) => status === 'failed').map(({ id }) => id)
  for (const row of await mergeRequestsOf(tx, failed, false)) {
    const userIds = [row.author_id, ...(row.merge_user_id === null ? [] : [row.merge_user_id])]
    const target = { table: 'merge_request', id: row.id, project_id: row.project_id } as const
    await insertTodos(tx, target, { userIds, authorId: row.author_id, action: 'build_failed' })
  }
}

/** The open merge requests for whose heads the pipelines are; only those that wait for one, if that is wanted. */
async function mergeRequestsOf(tx: Transaction, pipelineIds: readonly number[], areWaiting: boolean) {
  if (pipelineIds.length === 0) return []
  const pipelines = tx.selectFrom('pipeline').where('pipeline.id', 'in', pipelineIds)
  const ofBranch = pipelines.innerJoin('merge_request', (join) =>
    join
      .onRef('merge_request.source_project_id', '=', 'pipeline.project_id')
      .onRef('merge_request.source_branch', '=', 'pipeline.ref')
      .onRef('merge_request.head_sha', '=', 'pipeline.sha'),
  )
  const own = pipelines.innerJoin('merge_request', (join) =>
    join
      .onRef('merge_request.id', '=', 'pipeline.merge_request_id')
      .onRef('merge_request.head_sha', '=', 'pipeline.sha'),
  )
  const selected = (query: typeof ofBranch) =>
    query
      .select(['merge_request.id', 'merge_request.project_id', 'merge_request.author_id'])
      .select('merge_request.merge_user_id')
      .where('merge_request.state', '=', 'opened')
      .$if(areWaiting, (all) => all.where('merge_request.merge_when_pipeline_succeeds', '=', true))
  return selected(ofBranch).union(selected(own)).execute()
}
