import type { InstancePlace } from '../../../coordinator/backup/back-up.js'
import { SwitchyardError } from '../../../lib/errors.js'
import { formatBytes } from '../../../lib/format-bytes.js'

class KeepError extends SwitchyardError {
  readonly name = 'KeepError'
  readonly code = 'KEEP'
}

/** @param keep number of backups to keep; undefined = all */
export async function backUpInstance(place: InstancePlace, folder: string, keep?: string): Promise<void> {
  if (keep !== undefined && !/^[1-9]\d*$/.test(keep))
    throw new KeepError('--keep: must be a number from 1 on')
  process.umask(0o077)
  const { backUp } = await import('../../../coordinator/backup/back-up.js')
  const report = await backUp(place, folder, { keep: keep === undefined ? undefined : Number(keep) })
  const { name, files, bytes, copied, removed, heldMs } = report
  console.log(
    `Backup ${name}: ${files} files, ${formatBytes(bytes)}; ` +
      `${copied.files} files, ${formatBytes(copied.bytes)} are new. Pushes waited ${Math.ceil(heldMs)} ms.`,
  )
  for (const other of removed) console.log(`Removed the backup ${other}`)
  for (const path of report.missing) {
    console.error(`switchyard: the database names ${path}, which the installation itself lacks`)
  }
}
