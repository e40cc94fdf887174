import { createPipeline } from '../ci/engine/create/create-pipeline.js'
import { stopEnvironmentsOfBranch } from '../ci/engine/environments/stop-environments-of-refs.js'
import { inTransaction } from '../database/transaction.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { emitPushEvents } from '../integrations/webhooks/outbox/emit-push-events.js'
import { prepareClosing } from '../planning/close-by-commits.js'
import { completeMerges } from '../planning/merge-requests/merge/mark-merged.js'
import { onBranchMoved, onManyBranchesMoved } from '../planning/merge-requests/refresh/moved-branch.js'
import type { Services } from './services.js'

/** The dependencies of ref updates, by a push or through the API. */
export function pushDeps({
  database,
  repositories,
  logger,
  engine,
  statistics,
  mirrors,
}: Pick<Services, 'database' | 'repositories' | 'logger' | 'engine' | 'statistics'> &
  Partial<Pick<Services, 'mirrors'>>): PushDeps {
  return {
    database,
    repositories,
    logger,
    createPipeline: (pushed) => createPipeline(engine, pushed),
    onBranchDeleted: (deleted) => stopEnvironmentsOfBranch(engine, deleted),
    onRefMoved: async (tx, projectId, moved) => {
      await emitPushEvents(tx, projectId, moved)
      await completeMerges(tx, projectId, moved)
      await onBranchMoved(tx, projectId, moved)
    },
    prepareMoved: (moved) =>
      prepareClosing({ database, repositories, externalUrl: engine.server.externalUrl }, moved),
    onManyBranchesMoved: (projectId, userId) =>
      inTransaction(database, (tx) => onManyBranchesMoved(tx, projectId, userId)),
    onPushed: (projectId) => {
      statistics.record(projectId)
      mirrors?.wake()
    },
  }
}
