import { instanceOf, readBackupSettings } from './backup-target.js'

/**
 * @param flags by the name of their setting
 * @param from a folder or `s3://bucket/prefix`; by default `backup.url`
 * @param name of the backup; by default the newest
 */
export async function restoreInstance(
  flags: Record<string, string | undefined>,
  from?: string,
  name?: string,
): Promise<void> {
  process.umask(0o077)
  const { settings, target } = readBackupSettings(flags, from)
  const { restoreBackup } = await import('../../../coordinator/backup/restore.js')
  const { openForReading, whileOpen } = await import('../../../coordinator/backup/open-location.js')
  const instance = instanceOf(settings)
  const restored = await whileOpen(openForReading(target), (backups) =>
    restoreBackup(instance, backups, name),
  )
  console.log(
    `Restored the backup ${restored.name} (${restored.files} files) into ${instance.dataDir}. ` +
      'Start the coordinator with this data folder.',
  )
  if (instance.storage.location.kind === 's3') {
    console.log(
      'Its artifacts, logs and other files are in the data folder too. Set storage.previous.url to "folder", and move ' +
        'them to the bucket with: switchyard admin move-blobs',
    )
  }
}
