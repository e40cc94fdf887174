import { SwitchyardError } from '../../../lib/errors.js'
import { formatBytes } from '../../../lib/format-bytes.js'
import { instanceOf, readBackupSettings } from './backup-target.js'
import { recordReport } from './record-report.js'

class KeepError extends SwitchyardError {
  readonly name = 'KeepError'
  readonly code = 'KEEP'
}

/**
 * @param flags by the name of their setting
 * @param place a folder or `s3://bucket/prefix`; by default `backup.url`
 * @param keep number of backups to keep; undefined = all
 */
export async function backUpInstance(
  flags: Record<string, string | undefined>,
  place?: string,
  keep?: string,
): Promise<void> {
  if (keep !== undefined && !/^[1-9]\d*$/.test(keep))
    throw new KeepError('--keep: must be a number from 1 on')
  process.umask(0o077)
  const { settings, target } = readBackupSettings(flags, place)
  const { backUp } = await import('../../../coordinator/backup/back-up.js')
  const { recordBackup } = await import('../../../coordinator/backup/reports/report-files.js')
  const { openForBackup, whileOpen } = await import('../../../coordinator/backup/open-location.js')
  const instance = instanceOf(settings)
  const options = { keep: keep === undefined ? undefined : Number(keep) }
  const startedAt = new Date().toISOString()
  const { place: shown, ...report } = await whileOpen(openForBackup(target, instance), async (backups) => ({
    ...(await backUp(instance, backups, options)),
    place: backups.shown,
  }))
  const { name, files, bytes, copied, removed, heldMs, missing } = report
  console.log(
    `Backup ${name}: ${files} files, ${formatBytes(bytes)}; ` +
      `${copied.files} files, ${formatBytes(copied.bytes)} are new. Pushes waited ${Math.ceil(heldMs)} ms.`,
  )
  for (const other of removed) console.log(`Removed the backup ${other}`)
  for (const path of missing) {
    console.error(`switchyard: the database names ${path}, which the installation itself lacks`)
  }
  await recordReport(() =>
    recordBackup(instance.dataDir, {
      name,
      place: shown,
      started_at: startedAt,
      finished_at: new Date().toISOString(),
      files,
      size: bytes,
      new_files: copied.files,
      new_size: copied.bytes,
      missing_files: missing.length,
    }),
  )
}
