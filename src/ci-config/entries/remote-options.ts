import { parseDuration } from '../duration.js'
import { type ConfigMap, type ConfigValue } from '../yaml/config-value.js'

/** Options that only the include of a URL accepts (CI language, 4.1). */
export interface RemoteOptions {
  /** Base64 of the SHA-256 digest of the file. */
  integrity: string | undefined
  /** Seconds that a copy of the file may be old. */
  maxAgeSeconds: number | undefined
}

/** The reason why a key is refused; `key` is its path. */
export interface RefusedOption {
  key: 'integrity' | 'cache'
  message: string
}

/** Reads `integrity` and `cache` of an entry of a list of includes. */
export function remoteOptions(map: ConfigMap): RemoteOptions | RefusedOption {
  const integrity = map.get('integrity') ?? null
  const cache = map.get('cache') ?? null
  for (const [key, written] of [
    ['integrity', integrity],
    ['cache', cache],
  ] as const) {
    if (written !== null && !map.has('remote')) {
      return { key, message: `${key} can only be specified for remote includes` }
    }
  }
  const digest = integrity === null ? undefined : digestIn(integrity)
  if (typeof digest === 'object') return digest
  const maxAgeSeconds = cache === null ? undefined : cacheSeconds(cache)
  if (typeof maxAgeSeconds === 'object') return maxAgeSeconds
  return { integrity: digest, maxAgeSeconds }
}

const SHA256 = 'sha256-'

function digestIn(written: ConfigValue): string | RefusedOption {
  if (typeof written !== 'string' || !written.startsWith(SHA256)) {
    return { key: 'integrity', message: "integrity hash must start with 'sha256-'" }
  }
  const digest = written.slice(SHA256.length)
  if (/^[A-Za-z0-9+/]{43}=$/.test(digest)) return digest
  return { key: 'integrity', message: 'integrity hash must be base64 encoded' }
}

const HOUR_SECONDS = 3600
const SHORTEST_CACHE_SECONDS = 60

function cacheSeconds(written: ConfigValue): number | RefusedOption | undefined {
  if (written === false) return undefined
  if (written === true) return HOUR_SECONDS
  const seconds = typeof written === 'string' ? parseDuration(written) : undefined
  if (seconds !== undefined && seconds >= SHORTEST_CACHE_SECONDS) return seconds
  return { key: 'cache', message: 'cache should be true or a duration of at least 1 minute' }
}
