import { SwitchyardError } from '../../../../lib/errors.js'

/** Why a repository cannot be copied, in words for the people of the project. */
export class ImportError extends SwitchyardError {
  readonly name = 'ImportError'
  readonly code = 'IMPORT_FAILED'
}
