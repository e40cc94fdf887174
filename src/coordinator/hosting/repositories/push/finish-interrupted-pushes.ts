import { DAY, MINUTE } from '../../../../lib/time-units.js'
import { deletePush, listDuePushes, postponePush, type Push } from '../store.js'
import { type PushDeps, resolvePush } from './handle-push.js'

/** Age in milliseconds after which a push without a moved ref is considered aborted on every coordinator. */
const FORGOTTEN_AFTER = DAY
/**
 * Maximum number of attempts. With the pauses between them they take 17 hours, which is longer than an
 * outage.
 */
const MAX_ATTEMPTS = 10
/** Pause after the first failed attempt, in milliseconds; each later pause is twice as long. */
const FIRST_PAUSE = MINUTE

/**
 * Applies the effects of pushes that a killed coordinator or an error has left unfinished. Safe at any time,
 * also beside running pushes here or on other coordinators: each ref is processed once, and refs that have
 * not moved yet are skipped. Failures are logged. After too many failed attempts a push is no longer retried,
 * and its record is kept for an administrator.
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
