import { createPipeline } from '../ci/engine/create/create-pipeline.js'
import { stopEnvironmentsOfBranch } from '../ci/engine/environments/stop-environments-of-branch.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { emitPushEvents } from '../integrations/webhooks/outbox/emit-push-events.js'
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
    onRefMoved: emitPushEvents,
    onPushed: (projectId) => {
      statistics.record(projectId)
      mirrors?.wake()
    },
  }
}
