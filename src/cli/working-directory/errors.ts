import { SwitchyardError } from '../../lib/errors.js'

/** There is no CI file to use. The message names a remedy. */
export class NoConfigFileError extends SwitchyardError {
  override readonly name = 'NoConfigFileError'
  readonly code = 'NO_CONFIG_FILE'
}
