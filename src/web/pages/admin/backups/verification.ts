import type { BackupReports } from '../../../../coordinator/backup/reports/schema.js'

/** What is known about the last backup: it is sound, it has problems, or it has not been checked. */
export type Verification = 'sound' | 'damaged' | 'unchecked'

/** Whether the last check was of the last backup, and what it found. */
export function verificationOf({
  last_backup: backup,
  last_verification: check,
}: Pick<BackupReports, 'last_backup' | 'last_verification'>): Verification {
  if (!backup || !check || check.name !== backup.name || check.place !== backup.place) return 'unchecked'
  return check.problem_count === 0 ? 'sound' : 'damaged'
}
