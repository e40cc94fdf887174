import type { EngineDeps } from '../../ci/engine/engine-deps.js'
import { stopEnvironmentsOfMergeRequest } from '../../ci/engine/environments/stop-environments-of-refs.js'
import { inTransaction } from '../../database/transaction.js'
import { createProjectAccessReader, createProjectFinder } from '../../hosting/projects/find-project.js'
import type { PushDeps } from '../../hosting/repositories/push/handle-push.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { findProject, findUser } from '../../hosting/repositories/store.js'
import { followVersion } from '../../planning/discussions/follow-versions.js'
import { emitMergeRequestChange, mergeRequestSnapshot } from '../../planning/merge-request-changes.js'
import { mergeParamsOf } from '../../planning/merge-requests/merge-params.js'
import { endWait } from '../../planning/merge-requests/merge/auto-merge.js'
import type { TaskDeps } from '../../planning/merge-requests/merge/perform-task.js'
import { MergeRequestTaskWorker } from '../../planning/merge-requests/merge/task-worker.js'
import { namedIssues, recordNamedIssues } from '../../planning/merge-requests/named-issues.js'
import { createPipelineOfVersion } from '../../planning/merge-requests/pipelines/create-pipeline.js'
import { resetApprovals } from '../../planning/merge-requests/record-approval.js'
import type { RefreshListeners } from '../../planning/merge-requests/refresh/listeners.js'
import { TrainWorker } from '../../planning/merge-requests/trains/train-worker.js'
import { noticedMergeRequest } from '../../planning/notices/add-todos.js'
import { finishTodosBecauseOf, insertTodos } from '../../planning/stores/todo-store.js'
import type { BaseServices } from './base.js'

/** The actions after a merge request was compared with its branches. */
export function mergeRequestListeners(
  engine: EngineDeps,
  repositories: Pick<Repositories, 'reading'>,
): RefreshListeners {
  const { database } = engine
  const { externalUrl } = engine.server
  return {
    onVersion: async (tx, { row, previousHead, pushedById }) => {
      if (previousHead === null) return
      const user = { id: pushedById ?? row.author_id }
      const was = await mergeRequestSnapshot(tx, { ...row, head_sha: previousHead })
      await emitMergeRequestChange(tx, user, was, row, { oldrev: previousHead })
      const project = await findProject(tx, row.project_id)
      if (project?.reset_approvals_on_push) await resetApprovals(tx, { project, user }, row)
      // The new head has a pipeline and a comparison of its own.
      await finishTodosBecauseOf(tx, noticedMergeRequest(row), ['build_failed', 'unmergeable'])
      // The commit that was to be merged is not the one that was pushed.
      const isOther = mergeParamsOf(row).sha !== row.head_sha
      if (row.merge_when_pipeline_succeeds && isOther) {
        await endWait(tx, user, row, null, 'the source branch was updated')
      }
    },
    afterVersion: async ({ row, pushedById }) =>
      createPipelineOfVersion(engine, row, pushedById ?? row.author_id),
    onCompared: async (row, version, signal) => {
      const project = await findProject(database, row.project_id)
      const author = await findUser(database, row.author_id)
      if (!project || !author) return
      const deps = { database, repositories, externalUrl }
      const issues = await namedIssues(deps, { project, author }, row, version, signal)
      await inTransaction(database, (tx) => recordNamedIssues(tx, project, row, issues))
      const reading = repositories.reading(project.id, signal)
      await followVersion(database, reading, row, version, project.resolve_outdated_diff_discussions)
    },
    onConflict: async (tx, row) => {
      const userIds = [row.author_id, ...(row.merge_user_id === null ? [] : [row.merge_user_id])]
      const item = { userIds, authorId: row.author_id, action: 'unmergeable' } as const
      await insertTodos(tx, noticedMergeRequest(row), item)
    },
    onConflictSolved: (tx, row) => finishTodosBecauseOf(tx, noticedMergeRequest(row), ['unmergeable']),
    onMerged: async (tx, before, row) => {
      const user = { id: row.merged_by_id ?? row.author_id }
      await emitMergeRequestChange(tx, user, await mergeRequestSnapshot(tx, before), row)
    },
  }
}

export function mergeRequestTaskWorker(
  { database, logger, engine }: Pick<BaseServices, 'database' | 'logger' | 'engine'>,
  pushes: PushDeps,
): MergeRequestTaskWorker {
  return new MergeRequestTaskWorker({ ...mergeRequestTaskDeps({ database, engine }, pushes), logger })
}

export function trainWorker(
  { database, logger, engine }: Pick<BaseServices, 'database' | 'logger' | 'engine'>,
  pushes: PushDeps,
): TrainWorker {
  return new TrainWorker({ ...mergeRequestTaskDeps({ database, engine }, pushes), engine, logger })
}

/** The dependencies of the tasks of merge requests. */
export function mergeRequestTaskDeps(
  { database, engine }: Pick<BaseServices, 'database' | 'engine'>,
  pushes: PushDeps,
): TaskDeps {
  return {
    pushes,
    externalUrl: engine.server.externalUrl,
    findProject: createProjectFinder(database),
    projectAccessOf: createProjectAccessReader(database),
    stopEnvironments: (ended) => stopEnvironmentsOfMergeRequest(engine, ended),
  }
}
