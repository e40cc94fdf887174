import { join } from 'node:path'

import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { sizeIfThere } from '../../../lib/files.js'
import { readBackupSettings } from './backup-target.js'
import { recordReport } from './record-report.js'

/** Problems that are recorded for the page about backups; the command prints all of them. */
const MAX_PROBLEMS = 20

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
  const { settings, target } = readBackupSettings(flags, place)
  const { verifyBackup } = await import('../../../coordinator/backup/verify-backup.js')
  const { recordVerification } = await import('../../../coordinator/backup/reports/report-files.js')
  const { openForReading, whileOpen } = await import('../../../coordinator/backup/open-location.js')
  const startedAt = new Date().toISOString()
  const { place: shown, ...found } = await whileOpen(openForReading(target), async (backups) => ({
    ...(await verifyBackup(backups, name)),
    place: backups.shown,
  }))
  const { files, repositories, problems, missing, name: checked } = found
  for (const path of missing) console.error(`switchyard: the installation lacked ${path} at that time`)
  for (const problem of problems) console.error(`switchyard: ${problem}`)
  // A backup may also be checked on a machine without an installation.
  if ((await sizeIfThere(join(settings.sharedDir, 'secret.key'))) !== undefined) {
    await recordReport(() =>
      recordVerification(settings.sharedDir, {
        name: checked,
        place: shown,
        started_at: startedAt,
        finished_at: new Date().toISOString(),
        files,
        repositories,
        problem_count: problems.length,
        problems: problems.slice(0, MAX_PROBLEMS),
      }),
    )
  }
  if (problems.length > 0) process.exitCode = EXIT_CODES.failed.code
  else
    console.log(`Backup ${checked} is sound: ${files} files, ${repositories} repositories and the database`)
}
