import { SwitchyardError } from '../../../lib/errors.js'

/** The server of the project cannot be reached, or does not respond as an API. */
export class ServerUnavailableError extends SwitchyardError {
  override readonly name = 'ServerUnavailableError'
  readonly code = 'server-unavailable'
}
