import { messageOf } from '../../../lib/errors.js'
import { pause } from '../../../lib/pause.js'
import type { CacheStore, FoundCache, Transfer } from '../../cache/cache-store.js'
import { attemptsSetting } from '../../variables/variable-settings.js'
import type { JobContext } from '../job-context.js'
import { failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import { cacheAddress, cacheStoreOf, cacheTransfer, planCaches, type PlannedCache } from './plan-caches.js'
import { inStage, STAGES } from './stage.js'

type Needs = Pick<
  JobContext,
  'payload' | 'caches' | 'damagedCaches' | 'workspace' | 'variables' | 'log' | 'control' | 'timings'
>

const MAX_STAGE_RETRY_DELAY = 5 * 60_000

/** Restores the caches of the job that exist. A cache that cannot be restored does not fail the job. */
export async function restoreCaches(job: Needs): Promise<JobOutcome> {
  const { payload, variables, log } = job
  if (!payload.cache?.some(({ untracked, paths }) => untracked || paths?.length)) return SUCCESS
  return inStage(log, STAGES.restoreCache, async () => {
    const warn = (text: string) => log.warning(text)
    const plan = planCaches(payload, variables.values, warn)
    if (plan.kind === 'invalid') {
      log.error(plan.problem)
      return failedScript(1)
    }
    const attempts = attemptsSetting(variables.values, 'RESTORE_CACHE_ATTEMPTS', warn)
    for (const cache of plan.caches) await restoreWithAttempts(job, cache, attempts)
    return SUCCESS
  })
}

async function restoreWithAttempts(job: Needs, cache: PlannedCache, attempts: number): Promise<void> {
  const { log, control, timings } = job
  if (!cache.mayPull) {
    log.plain(`Not downloading cache ${cache.key} due to policy`)
    return
  }
  for (let attempt = 1; (await restoreFirst(job, cache)) === 'failed' && attempt < attempts; attempt++) {
    log.warning('Retrying...')
    await pause(Math.min(timings.stageRetry * 2 ** (attempt - 1), MAX_STAGE_RETRY_DELAY), control.work)
    control.work.throwIfAborted()
  }
}

/** `failed`: an error occurred and no other key had a cache. Another attempt may succeed. */
type Restored = 'restored' | 'missing' | 'failed'

async function restoreFirst(job: Needs, cache: PlannedCache): Promise<Restored> {
  let result: Restored = 'missing'
  for (const key of [cache.key, ...cache.fallbackKeys]) {
    const restored = await restore(job, key)
    if (restored === 'restored') return restored
    if (restored === 'failed') result = restored
  }
  return result
}

async function restore(job: Needs, key: string): Promise<Restored> {
  const { log, control } = job
  log.plain(`Checking cache for ${key}...`)
  try {
    const store = cacheStoreOf(job)
    const transfer = cacheTransfer(job, control.work)
    const found = await store.find(cacheAddress(job, key), transfer)
    if (!found) {
      log.plain('There is no cache with this key')
      log.warning('Failed to extract cache')
      return 'missing'
    }
    logSource(job, store, found)
    await unpack(job, key, found, transfer)
    log.plain('Successfully extracted cache')
    return 'restored'
  } catch (error) {
    control.work.throwIfAborted()
    log.warning(messageOf(error))
    log.warning('Failed to extract cache')
    return 'failed'
  }
}

function logSource({ log }: Needs, store: CacheStore, found: FoundCache): void {
  if (!store.isShared) {
    log.plain(
      'No URL provided, cache will not be downloaded from shared cache server. Instead a local version of cache will be extracted.',
    )
  } else if (found.isUpToDate) log.plain('cache.zip is up to date')
  else log.plain(`Downloaded the cache from: ${store.name}`)
}

async function unpack(job: Needs, key: string, found: FoundCache, { signal }: Transfer): Promise<void> {
  try {
    const { refused } = await job.workspace.extractZip(found.file, signal)
    for (const name of refused) job.log.warning(`${name}: leads out of the project directory and is skipped`)
  } catch (error) {
    await job.damagedCaches.add(key)
    throw error
  } finally {
    await found.release()
  }
}
