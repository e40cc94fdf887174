import type { CacheAddress, CacheStore, Transfer } from '../../cache/cache-store.js'
import { isProtectedJob } from '../is-protected-job.js'
import type { JobContext } from '../job-context.js'
import { hasHashedKeys } from './plan-caches.js'

/** `CACHE_REQUEST_TIMEOUT` (runner protocol, 7.9). */
const DEFAULT_TIMEOUT_MINUTES = 10

type Needs = Pick<JobContext, 'payload' | 'caches' | 'variables' | 'log' | 'timings'>

export function cacheStoreOf({ payload, caches, variables }: Needs): CacheStore {
  return caches.storeFor(payload, { hasHashedKeys: hasHashedKeys(variables.values, () => {}) })
}

export function cacheAddress({ payload }: Needs, key: string): CacheAddress {
  return { projectId: payload.job_info.project_id, isProtected: isProtectedJob(payload), key }
}

export function cacheTransfer({ variables, log, timings }: Needs, signal: AbortSignal): Transfer {
  const text = variables.get('CACHE_REQUEST_TIMEOUT') ?? ''
  const minutes = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : DEFAULT_TIMEOUT_MINUTES
  if (text !== '' && text !== String(minutes)) {
    log.warning(`CACHE_REQUEST_TIMEOUT: "${text}" is not a number of minutes, using ${minutes}`)
  }
  return { signal, timeout: minutes * 60_000, retryDelay: timings.downloadRetry }
}
