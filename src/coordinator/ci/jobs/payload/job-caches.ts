import { createHash } from 'node:crypto'

import type { PlannedCache, PlannedCacheKey } from '../../../../ci-config/plan.js'
import type { JobCache } from '../../../../protocol/job-payload.js'
import type { PayloadFacts } from './payload-facts.js'

const DEFAULT_KEY = 'default'

interface CacheFacts extends Pick<PayloadFacts, 'cacheKeyIds'> {
  job: Pick<PayloadFacts['job'], 'options' | 'protected'>
  project: Pick<PayloadFacts['project'], 'jobs_cache_index'>
}

/**
 * The caches of a job with their effective keys (CI language, 3.5; runner protocol, 2.11). Protected and
 * other refs never share a key, and neither do jobs before and after the caches were cleared. The suffix is added
 * here, where the CI file cannot remove it.
 */
export function jobCaches({ job, project, cacheKeyIds }: CacheFacts): JobCache[] {
  return (job.options.caches ?? []).map((cache, index) => {
    const cleared = project.jobs_cache_index > 0 ? `-${project.jobs_cache_index}` : ''
    const suffix = cleared + (job.protected && !cache.unprotect ? '-protected' : '-non_protected')
    return {
      key: baseKey(cache, index, cacheKeyIds[index] ?? []) + suffix,
      untracked: cache.untracked,
      paths: cache.paths,
      policy: cache.policy,
      when: cache.when,
      fallback_keys: cache.fallbackKeys.map((key) => key + suffix),
      key_suffix: suffix,
    }
  })
}

function baseKey({ key }: PlannedCache, index: number, ids: string[]): string {
  if (key === undefined) return DEFAULT_KEY
  if (typeof key === 'string') return key
  const prefix = key.prefix ?? standardPrefix(key, index)
  return [...(prefix === '' ? [] : [prefix]), digestOf(ids)].join('-')
}

/** For example `0_package-lock`: the index in the list, and the file names up to their first dot. */
function standardPrefix(key: Exclude<PlannedCacheKey, string>, index: number): string {
  if (key.by === 'commit') return String(index)
  return [index, ...key.files.map((file) => file.replace(/^\/+/, '').split('.', 1)[0])].join('_')
}

function digestOf(ids: string[]): string {
  if (ids.length === 0) return DEFAULT_KEY
  return createHash('sha1')
    .update([...new Set(ids)].sort().join('-'))
    .digest('hex')
}
