import type { PlannedCache } from '../plan.js'
import { isList, isMap, type Written } from '../yaml/config-value.js'
import { readCacheKey } from './cache-key.js'
import type { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { oneOf, readBoolean, readStrings, setItems } from './simple-values.js'
import { UPLOAD_WHEN } from './when.js'

const MAX_CACHES = 4
const MAX_FALLBACK_KEYS = 5
export const CACHE_POLICIES = ['pull-push', 'push', 'pull']

/** Folders that are kept between jobs, with up to four caches per job (CI language, 3.5). */
export const readCaches: Reader<PlannedCache[]> = (value, location) => {
  if (!isMap(value) && !isList(value)) return location.refuse('can only be a hash or an array')
  const caches = isMap(value) ? [{ value, position: [] }] : setItems(value)
  if (caches.length > MAX_CACHES) return location.refuse(`no more than ${MAX_CACHES} caches can be created`)
  return caches
    .map((cache) => readCache(cache.value, location.item('cache', cache.position)))
    .filter((cache) => cache !== null)
}

function readCache(value: Written, location: Location): PlannedCache | null {
  if (!isMap(value)) return location.refuse('should be a hash')
  const read = readMapEntry(cacheShape, value, location)
  return (
    read && {
      ...(read.key !== undefined && { key: read.key }),
      paths: read.paths ?? [],
      untracked: read.untracked ?? false,
      policy: read.policy ?? 'pull-push',
      when: read.when ?? 'on_success',
      unprotect: read.unprotect ?? false,
      fallbackKeys: read.fallback_keys ?? [],
    }
  )
}

/** A policy may also be a variable, which the runner expands. */
const readPolicy: Reader<string> = (value, location) => {
  if (typeof value !== 'string') return location.refuse('should be a string')
  const isRight = CACHE_POLICIES.includes(value) || /^\$\{?\w+\}?$/.test(value)
  return isRight
    ? value
    : location
        .suggesting({ words: [value], among: CACHE_POLICIES })
        .refuse(`should be a variable or one of: ${CACHE_POLICIES.join(', ')}`)
}

const readFallbackKeys: Reader<string[]> = (value, location) => {
  const keys = readStrings(value, location)
  if (keys === null || keys.length <= MAX_FALLBACK_KEYS) return keys
  return location.refuse(`has to many entries (maximum ${MAX_FALLBACK_KEYS})`)
}

export const cacheShape = {
  attributes: {
    policy: readPolicy,
    when: oneOf(UPLOAD_WHEN),
    fallback_keys: readFallbackKeys,
    unprotect: readBoolean,
  },
  children: { key: readCacheKey, untracked: readBoolean, paths: readStrings },
}
