import { SwitchyardError } from '../../../../../lib/errors.js'

/** A report that is no JUnit XML, or too large; the message is for those who look at the pipeline. */
export class JunitError extends SwitchyardError {
  readonly name = 'JunitError'
  readonly code = 'JUNIT_UNREADABLE'
}
