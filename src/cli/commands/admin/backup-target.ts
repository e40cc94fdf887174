import type { InstanceLocation } from '../../../coordinator/backup/back-up.js'
import type { BackupTarget } from '../../../coordinator/backup/open-location.js'
import {
  type CoordinatorSettings,
  readCoordinatorSettings,
} from '../../../coordinator/start/config/settings.js'
import { SwitchyardError } from '../../../lib/errors.js'

class BackupTargetError extends SwitchyardError {
  readonly name = 'BackupTargetError'
  readonly code = 'BACKUP_TARGET'
}

/**
 * The settings, and where the backups are. Throws `SettingsError`, and `BackupTargetError` if there is no place.
 * @param flags by the name of their setting
 * @param place a folder or `s3://bucket/prefix`; by default `backup.url`
 */
export function readBackupSettings(
  flags: Record<string, string | undefined>,
  place: string | undefined,
): { settings: CoordinatorSettings; target: BackupTarget } {
  const isBucket = place?.startsWith('s3://') === true
  const settings = readCoordinatorSettings(isBucket ? { ...flags, 'backup.url': place } : flags, process.env)
  const target: BackupTarget | undefined =
    isBucket || place === undefined ? settings.backup : { kind: 'backup-folder', path: place }
  if (!target) throw new BackupTargetError('Name a folder or s3://bucket/prefix, or set backup.url')
  return { settings, target }
}

export function instanceOf({ sharedDir, database, storage }: CoordinatorSettings): InstanceLocation {
  return { dataDir: sharedDir, database, storage }
}
