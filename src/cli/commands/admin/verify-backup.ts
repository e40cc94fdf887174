import { readBackupSettings } from './backup-target.js'

/**
 * @param flags by the name of their setting
 * @param place a folder or `s3://bucket/prefix`; by default `backup.url`
 * @param name of the backup; by default the newest
 */
export async function verifyInstanceBackup(
  flags: Record<string, string | undefined>,
  place?: string,
  name?: string,
): Promise<void> {
  process.umask(0o077)
  const { target } = readBackupSettings(flags, place)
  const { verifyBackup } = await import('../../../coordinator/backup/verify-backup.js')
  const { openForReading, whileOpen } = await import('../../../coordinator/backup/open-place.js')
  const found = await whileOpen(openForReading(target), (backups) => verifyBackup(backups, name))
  const { files, repositories, problems, missing, name: checked } = found
  for (const path of missing) console.error(`switchyard: the installation lacked ${path} at that time`)
  for (const problem of problems) console.error(`switchyard: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else
    console.log(`Backup ${checked} is sound: ${files} files, ${repositories} repositories and the database`)
}
