import { deletePush, listPushes, type Push } from '../store.js'
import { type PushDeps, settlePush } from './handle-push.js'

/** Milliseconds. A push that has moved nothing for so long is not under way any more, on any coordinator. */
const FORGOTTEN_AFTER = 24 * 60 * 60 * 1000

/**
 * Makes pipelines of the pushes that a killed coordinator, or an error, has left without. Safe at any time, also while
 * pushes are under way here or on another coordinator: each ref is run once, and one that has not moved yet is waited
 * for. Logs what fails and goes on; it will be found again.
 */
export async function finishInterruptedPushes(deps: PushDeps): Promise<void> {
  for (const push of await listPushes(deps.database)) {
    try {
      await finishPush(deps, push)
    } catch (error) {
      deps.logger.error({ err: error, push: push.id, project: push.project_id }, 'push is left for later')
    }
  }
}

async function finishPush(deps: PushDeps, push: Push): Promise<void> {
  await settlePush(deps, push, { isOver: false })
  if (push.created_at < Date.now() - FORGOTTEN_AFTER) await deletePush(deps.database, push.id)
}
