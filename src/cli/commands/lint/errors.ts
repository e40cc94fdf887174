import { SwitchyardError } from '../../../lib/errors.js'

/** There is nothing to be checked; the message says what to do. */
export class LintError extends SwitchyardError {
  override readonly name = 'LintError'
  readonly code = 'NOTHING_TO_LINT'
}
