import { SwitchyardError } from '../../lib/errors.js'

/** A backup, a check or a restore that cannot be done. */
export class BackupError extends SwitchyardError {
  readonly name = 'BackupError'
  readonly code = 'BACKUP'
}
