import { SwitchyardError } from '../../lib/errors.js'

/** The store answered, but not with what was asked for; asking again would not help. */
export class CacheRefusedError extends SwitchyardError {
  readonly name = 'CacheRefusedError'
  readonly code = 'CACHE_REFUSED'
}

/** The store gave no answer, or said that it cannot just now. */
export class CacheUnavailableError extends SwitchyardError {
  readonly name = 'CacheUnavailableError'
  readonly code = 'CACHE_UNAVAILABLE'
}
