import { SwitchyardError } from '../../../../lib/errors.js'

/** Why the archive of a project cannot be made, in words for its people. */
export class ExportError extends SwitchyardError {
  readonly name = 'ExportError'
  readonly code = 'EXPORT_FAILED'
}
