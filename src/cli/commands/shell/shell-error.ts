import { SwitchyardError } from '../../../lib/errors.js'

/** A shell cannot be opened, or its connection was lost. */
export class ShellError extends SwitchyardError {
  readonly name = 'ShellError'
  readonly code = 'SHELL_FAILED'
}
