import { SwitchyardError } from '../../../lib/errors.js'

/** The request cannot be carried out as written. The message names a remedy. */
export class LocalUsageError extends SwitchyardError {
  override readonly name = 'LocalUsageError'
  readonly code = 'LOCAL_USAGE'
}
