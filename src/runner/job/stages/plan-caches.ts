import type { JobCache, JobPayload } from '../../../protocol/job-payload.js'
import { hashKey, sanitizeKey } from '../../cache/cache-key.js'
import type { CacheAddress, CacheStore, Transfer } from '../../cache/cache-store.js'
import { expandText } from '../../variables/job-variables.js'
import { booleanSetting } from '../../variables/variable-settings.js'
import type { FileSelection } from '../../workspace/workspace.js'
import { isProtectedJob } from '../is-protected-job.js'
import type { JobContext } from '../job-context.js'

type Values = ReadonlyMap<string, string>
type Warn = (text: string) => void

/** One cache of a job, ready to be restored and saved. */
export interface PlannedCache {
  key: string
  /** Keys to try, in this order, if there is no cache under `key`. */
  fallbackKeys: string[]
  selection: FileSelection
  mayPull: boolean
  mayPush: boolean
  when: 'on_success' | 'on_failure' | 'always'
}

/** The caches, or a problem with one of them that fails the stage (runner protocol, 2.11). */
type CachePlan = { kind: 'caches'; caches: PlannedCache[] } | { kind: 'invalid'; problem: string }

const POLICIES: Record<string, Pick<PlannedCache, 'mayPull' | 'mayPush'>> = {
  'pull-push': { mayPull: true, mayPush: true },
  pull: { mayPull: true, mayPush: false },
  push: { mayPull: false, mayPush: true },
}

/** Expands and checks the cache settings of a job. Caches without files or without a key are skipped. */
export function planCaches(payload: JobPayload, values: Values, warn: Warn): CachePlan {
  const caches: PlannedCache[] = []
  for (const cache of payload.cache ?? []) {
    if (!cache.untracked && !cache.paths?.length) continue
    const named = expandText(cache.policy || 'pull-push', values)
    const policy = POLICIES[named]
    if (!policy) return { kind: 'invalid', problem: `unknown cache policy "${named}"` }
    const key = plannedKey(cache.key || defaultKey(payload), values, warn)
    if (key === '') continue
    caches.push({
      key,
      fallbackKeys: fallbackKeys(cache, values, warn).filter((fallback) => fallback !== key),
      selection: selectionOf(cache, values),
      ...policy,
      when: whenOf(cache),
    })
  }
  return { kind: 'caches', caches }
}

function hasHashedKeys(values: Values, warn: Warn): boolean {
  return booleanSetting(values, 'FF_HASH_CACHE_KEYS', false, warn)
}

function defaultKey({ job_info, git_info }: JobPayload): string {
  return `${job_info.name}/${git_info.ref}`
}

function plannedKey(text: string, values: Values, warn: Warn): string {
  const expanded = expandText(text, values)
  if (hasHashedKeys(values, () => {})) return expanded === '' ? '' : hashKey(expanded)
  const key = sanitizeKey(expanded)
  if (key !== expanded) warn(`cache key "${expanded}" sanitized to "${key}"`)
  return key
}

/**
 * No coordinator appends the `-protected` suffix to the value of `CACHE_FALLBACK_KEY`. So the variable must not end
 * in it, or a job could read protected caches.
 */
function fallbackKeys({ fallback_keys }: JobCache, values: Values, warn: Warn): string[] {
  const own = (fallback_keys ?? []).map((key) => plannedKey(key, values, warn))
  const variable = values.get('CACHE_FALLBACK_KEY') ?? ''
  if (/-protected$/.test(variable.replace(/[. ]+$/, ''))) {
    warn(`CACHE_FALLBACK_KEY "${variable}" must not end in "-protected"`)
    return own.filter((key) => key !== '')
  }
  return [...own, variable === '' ? '' : plannedKey(variable, values, warn)].filter((key) => key !== '')
}

function selectionOf({ paths, untracked }: JobCache, values: Values): FileSelection {
  return {
    paths: (paths ?? []).map((path) => expandText(path, values)),
    exclude: [],
    untracked: untracked ?? false,
  }
}

function whenOf({ when }: JobCache): PlannedCache['when'] {
  return when === 'on_failure' || when === 'always' ? when : 'on_success'
}

/** Default of `CACHE_REQUEST_TIMEOUT` (runner protocol, 7.9). */
const DEFAULT_TIMEOUT_MINUTES = 10

type TransferNeeds = Pick<JobContext, 'payload' | 'caches' | 'variables' | 'log' | 'timings'>

export function cacheStoreOf({ payload, caches, variables }: TransferNeeds): CacheStore {
  return caches.storeFor(payload, { hasHashedKeys: hasHashedKeys(variables.values, () => {}) })
}

export function cacheAddress({ payload }: TransferNeeds, key: string): CacheAddress {
  return { projectId: payload.job_info.project_id, isProtected: isProtectedJob(payload), key }
}

export function cacheTransfer({ variables, log, timings }: TransferNeeds, signal: AbortSignal): Transfer {
  const text = variables.get('CACHE_REQUEST_TIMEOUT') ?? ''
  const minutes = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : DEFAULT_TIMEOUT_MINUTES
  if (text !== '' && text !== String(minutes)) {
    log.warning(`CACHE_REQUEST_TIMEOUT: "${text}" is not a number of minutes, using ${minutes}`)
  }
  return { signal, timeout: minutes * 60_000, retryDelay: timings.downloadRetry }
}
