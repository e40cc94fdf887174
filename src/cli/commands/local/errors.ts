import { SwitchyardError } from '../../../lib/errors.js'

/** The request cannot be carried out as written. The message names a remedy. */
export class LocalUsageError extends SwitchyardError {
  override readonly name = 'LocalUsageError'
  readonly code = 'LOCAL_USAGE'
}

/** The files of an artifact cannot be unpacked into the working directory. */
export class UnpackError extends SwitchyardError {
  override readonly name = 'UnpackError'
  readonly code = 'UNPACK'
}
