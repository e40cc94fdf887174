import { SwitchyardError } from '../../../../../lib/errors.js'

/** The report is no coverage report in XML, or is too large. */
export class LineCoverageError extends SwitchyardError {
  readonly name = 'LineCoverageError'
  readonly code = 'COVERAGE_UNREADABLE'
}
