import { deletePush, listDuePushes, postponePush, type Push } from '../store.js'
import { type PushDeps, resolvePush } from './handle-push.js'

/** Milliseconds. A push that has moved nothing for so long is not under way any more, on any coordinator. */
const FORGOTTEN_AFTER = 24 * 60 * 60 * 1000
/** With the pauses between them these take 17 hours, which is longer than an outage. */
const MAX_ATTEMPTS = 10
/** Milliseconds after the first failed attempt; each later pause is twice as long. */
const FIRST_PAUSE = 60 * 1000

/**
 * Makes pipelines of the pushes that a killed coordinator, or an error, has left without. Safe at any time, also while
 * pushes are under way here or on another coordinator: each ref is run once, and one that has not moved yet is waited
 * for. Logs what fails and continues. A push that fails again and again is set aside: its record stays, for an
 * administrator to look at, and is not tried any more.
 */
export async function finishInterruptedPushes(deps: PushDeps, now = Date.now()): Promise<void> {
  for (const push of await listDuePushes(deps.database, now, MAX_ATTEMPTS)) {
    try {
      await finishPush(deps, push, now)
    } catch (error) {
      await postpone(deps, push, now, error)
    }
  }
}

async function finishPush(deps: PushDeps, push: Push, now: number): Promise<void> {
  await resolvePush(deps, push, { isOver: false })
  if (push.created_at < now - FORGOTTEN_AFTER) await deletePush(deps.database, push.id)
}

async function postpone(deps: PushDeps, push: Push, now: number, error: unknown): Promise<void> {
  const { database, logger } = deps
  const isCounted = await postponePush(database, push, now + FIRST_PAUSE * 2 ** push.attempts)
  if (!isCounted) return
  const fields = { err: error, push: push.id, project: push.project_id }
  if (push.attempts + 1 < MAX_ATTEMPTS) {
    logger.info({ ...fields, attempts: push.attempts + 1 }, 'Failed to process a push; a later run retries')
  } else {
    const refs = push.changes.map(({ ref }) => ref)
    logger.warn(
      { ...fields, refs },
      'Gave up on a push: its refs were updated, but its pipelines and webhooks were not run. Run pipelines for them manually',
    )
  }
}
