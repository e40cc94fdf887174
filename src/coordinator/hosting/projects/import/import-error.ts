import { SwitchyardError } from '../../../../lib/errors.js'

/** An error that explains to users why an import failed. */
export class ImportError extends SwitchyardError {
  readonly name = 'ImportError'
  readonly code = 'IMPORT_FAILED'
}
