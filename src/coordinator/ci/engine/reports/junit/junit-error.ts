import { SwitchyardError } from '../../../../../lib/errors.js'

/** The report is not JUnit XML or is too large; pipeline pages show the message. */
export class JunitError extends SwitchyardError {
  readonly name = 'JunitError'
  readonly code = 'JUNIT_UNREADABLE'
}
