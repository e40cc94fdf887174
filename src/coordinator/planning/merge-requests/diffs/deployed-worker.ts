import type { Logger } from '../../../../lib/logger.js'
import { MINUTE } from '../../../../lib/time-units.js'
import { ClaimedWorker } from '../../../background/claimed-worker.js'
import {
  claimDeploymentTask,
  type DeploymentTaskRow,
  findDeploymentTasks,
  finishDeploymentTask,
  MAX_DEPLOYMENT_TASKS,
  onDeploymentTask,
  renewDeploymentTask,
  storeMergeRequestsOf,
} from '../../../ci/engine/deployments/deployment-merge-request-store.js'
import { findDeploymentById } from '../../../ci/engine/deployments/deployment-store.js'
import { deployedBy, type DeployedDeps } from './deployed.js'

/** Delay before a failed task is tried again, in milliseconds. */
const TRY_AGAIN_AFTER = MINUTE

/** Stores in the background which merge requests successful deployments have brought, for lists that ask for it. */
export class DeployedWorker extends ClaimedWorker<DeploymentTaskRow> {
  constructor(deps: DeployedDeps & { logger: Logger }) {
    const { database, logger } = deps
    let sinceLook = 0
    super({
      of: 'Merge requests of deployments',
      find: () => findDeploymentTasks(database),
      claim: (row, until) => claimDeploymentTask(database, row, until),
      renew: ({ id }, until) => renewDeploymentTask(database, id, until),
      perform: async (row, signal) => {
        await storeDeployed(deps, row, signal)
        sinceLook += 1
        // After an upgrade there is a task for each earlier deployment: more than are looked at together.
        if (sinceLook % MAX_DEPLOYMENT_TASKS === 0) this.wake()
      },
      // It counts as claimed until then.
      abort: ({ id }) => renewDeploymentTask(database, id, Date.now() + TRY_AGAIN_AFTER),
      logger,
    })
    onDeploymentTask(database, () => this.wake())
  }
}

/** Performs and completes one task. The same task may be performed twice. */
export async function storeDeployed(
  deps: DeployedDeps,
  task: DeploymentTaskRow,
  signal: AbortSignal,
): Promise<void> {
  const { database } = deps
  const deployment = await findDeploymentById(database, task.deployment_id)
  if (!deployment) return finishDeploymentTask(database, task)
  const rows = await deployedBy(deps, deployment, signal)
  const ids = rows.map(({ id }) => id)
  await storeMergeRequestsOf(database, task, deployment, ids)
}
