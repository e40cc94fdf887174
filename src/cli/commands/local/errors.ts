import { SwitchyardError } from '../../../lib/errors.js'

/** What was asked for cannot be done as it was written; the message says how. */
export class LocalUsageError extends SwitchyardError {
  override readonly name = 'LocalUsageError'
  readonly code = 'LOCAL_USAGE'
}
