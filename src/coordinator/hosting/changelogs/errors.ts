import { SwitchyardError } from '../../../lib/errors.js'

/** The changelog cannot be generated from what the repository contains; the message says why. */
export class ChangelogError extends SwitchyardError {
  readonly name = 'ChangelogError'
  readonly code = 'CHANGELOG'
}
