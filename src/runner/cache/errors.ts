import { SwitchyardError } from '../../lib/errors.js'

/** The store responded with an error. Repeating the request would not help. */
export class CacheRefusedError extends SwitchyardError {
  readonly name = 'CacheRefusedError'
  readonly code = 'CACHE_REFUSED'
}

/** The store did not respond, or is temporarily unavailable. */
export class CacheUnavailableError extends SwitchyardError {
  readonly name = 'CacheUnavailableError'
  readonly code = 'CACHE_UNAVAILABLE'
}
