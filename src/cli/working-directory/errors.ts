import { SwitchyardError } from '../../lib/errors.js'

/** There is no CI file to work with; the message says what to do. */
export class NoConfigFileError extends SwitchyardError {
  override readonly name = 'NoConfigFileError'
  readonly code = 'NO_CONFIG_FILE'
}
