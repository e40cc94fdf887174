import type { EngineEvents } from '../../../ci/engine/engine-events.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Transaction } from '../../../database/transaction.js'
import { requestTask } from '../../stores/merge-request-task-store.js'
import { wakeTrainsOfPipelines } from '../../stores/merge-train-store.js'
import { finishTodosBecauseOf, insertTodos, type TodoTarget } from '../../stores/todo-store.js'

/** Statuses after which a merge train may go on. */
const ENDED = new Set<CompositeStatus>(['success', 'skipped', 'failed', 'canceled'])
/** Statuses with which a pipeline may let a merge begin. */
const PASSED = new Set<CompositeStatus>(['success', 'skipped'])

/**
 * What follows for merge requests when their head pipelines have ended, in the transaction that ends them: a merge that
 * waits is requested, and merge trains go on. The author and the user who waits get a to-do item about a failure, which is done after a success.
 */
export async function followPipelines(tx: Transaction, { pipelines }: EngineEvents): Promise<void> {
  const ended = pipelines.filter(({ status }) => ENDED.has(status)).map(({ id }) => id)
  await wakeTrainsOfPipelines(tx, ended)
  const passed = pipelines.filter(({ status }) => PASSED.has(status)).map(({ id }) => id)
  for (const row of await mergeRequestsOf(tx, passed)) {
    await finishTodosBecauseOf(tx, aboutMergeRequest(row), ['build_failed'])
    if (row.merge_when_pipeline_succeeds && row.merge_user_id !== null)
      await requestTask(tx, row, 'merge', row.merge_user_id)
  }
  const failed = pipelines.filter(({ status }) => status === 'failed').map(({ id }) => id)
  for (const row of await mergeRequestsOf(tx, failed)) {
    const userIds = [row.author_id, ...(row.merge_user_id === null ? [] : [row.merge_user_id])]
    await insertTodos(tx, aboutMergeRequest(row), {
      userIds,
      authorId: row.author_id,
      action: 'build_failed',
    })
  }
}

function aboutMergeRequest({ id, project_id }: { id: number; project_id: number }): TodoTarget {
  return { table: 'merge_request', id, project_id }
}

/** The open merge requests for whose heads the pipelines are. */
async function mergeRequestsOf(tx: Transaction, pipelineIds: readonly number[]) {
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
      .select(['merge_request.merge_user_id', 'merge_request.merge_when_pipeline_succeeds'])
      .where('merge_request.state', '=', 'opened')
  return selected(ofBranch).union(selected(own)).execute()
}
