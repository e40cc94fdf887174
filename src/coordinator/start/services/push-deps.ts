import { createPipeline } from '../../ci/engine/create/create-pipeline.js'
import { stopEnvironmentsOfBranch } from '../../ci/engine/environments/stop-environments-of-refs.js'
import { inTransaction } from '../../database/transaction.js'
import type { MirrorWorker } from '../../hosting/mirrors/mirror-worker.js'
import { createProjectAccessReader, createProjectFinder } from '../../hosting/projects/find-project.js'
import type { PushDeps } from '../../hosting/repositories/push/handle-push.js'
import { recordBulkPush, recordPush } from '../../integrations/activity-events/record-activity.js'
import { emitPushEvents } from '../../integrations/webhooks/outbox/emit-push-events.js'
import { prepareClosing } from '../../planning/closing/close-by-commits.js'
import { completeMerges } from '../../planning/merge-requests/merge/mark-merged.js'
import { followPushOptions } from '../../planning/merge-requests/push-options.js'
import { onBranchMoved, onManyBranchesMoved } from '../../planning/merge-requests/refresh/moved-branch.js'
import type { BaseServices } from './base.js'

/** The dependencies of ref updates, by a push or through the API. */
export function pushDeps({
  database,
  repositories,
  logger,
  engine,
  statistics,
  mirrors,
}: Pick<BaseServices, 'database' | 'repositories' | 'logger' | 'engine' | 'statistics'> & {
  mirrors?: Pick<MirrorWorker, 'wake'>
}): PushDeps {
  const forMergeRequests = () => ({
    database,
    repositories,
    findProject: createProjectFinder(database),
    projectAccessOf: createProjectAccessReader(database),
  })
  return {
    database,
    repositories,
    logger,
    createPipeline: (pushed) => createPipeline(engine, pushed),
    onBranchDeleted: (deleted) => stopEnvironmentsOfBranch(engine, deleted),
    recordMove: recordPush,
    recordBulkMove: recordBulkPush,
    onRefMoved: async (tx, projectId, moved) => {
      await emitPushEvents(tx, projectId, moved)
      await completeMerges(tx, projectId, moved)
      await onBranchMoved(tx, projectId, moved)
    },
    prepareMoved: async (moved) => {
      const { externalUrl } = engine.server
      for (const line of await followPushOptions({ ...forMergeRequests(), externalUrl }, moved))
        moved.say(line)
      return prepareClosing({ database, repositories, externalUrl }, moved)
    },
    onManyBranchesMoved: (projectId, userId) =>
      inTransaction(database, (tx) => onManyBranchesMoved(tx, projectId, userId)),
    onPushed: (projectId) => {
      statistics.record(projectId)
      mirrors?.wake()
    },
  }
}
