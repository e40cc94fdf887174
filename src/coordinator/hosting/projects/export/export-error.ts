import { SwitchyardError } from '../../../../lib/errors.js'

/** An error that explains to users why an export failed. */
export class ExportError extends SwitchyardError {
  readonly name = 'ExportError'
  readonly code = 'EXPORT_FAILED'
}
