import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable } from '../../http/parameters/types.js'

const Name = described(Type.String(), 'Name of the backup: its time.')
const Place = described(Type.String(), 'Folder or bucket of the backups.')
const StartedAt = described(Type.String(), 'Time of the start: ISO 8601, UTC.')
const FinishedAt = described(Type.String(), 'Time of the end: ISO 8601, UTC.')

/** The last backup that the `backup` command completed. */
export const LastBackup = Type.Object({
  name: Name,
  place: Place,
  started_at: StartedAt,
  finished_at: FinishedAt,
  files: described(Type.Integer(), 'Number of files.'),
  size: described(Type.Integer(), 'Size of the files and the database, in bytes.'),
  new_files: described(Type.Integer(), 'Number of files that were copied; the place had the others already.'),
  new_size: described(Type.Integer(), 'Size of the files that were copied, in bytes.'),
  missing_files: described(
    Type.Integer(),
    'Number of files that the database names, and that the installation itself lacked.',
  ),
})
export type LastBackup = Static<typeof LastBackup>

/** The last check of a backup by the `verify-backup` command. */
export const LastVerification = Type.Object({
  name: Name,
  place: Place,
  started_at: StartedAt,
  finished_at: FinishedAt,
  files: described(Type.Integer(), 'Number of files.'),
  repositories: described(Type.Integer(), 'Number of repositories.'),
  problem_count: described(Type.Integer(), 'Number of problems; 0 for a sound backup.'),
  problems: described(Type.Array(Type.String()), 'The first 20 problems, each as a sentence.'),
})
export type LastVerification = Static<typeof LastVerification>

export const BackupReports = Type.Object({
  last_backup: described(Nullable(LastBackup), 'The last backup; null if there is no record of one.'),
  last_verification: described(
    Nullable(LastVerification),
    'The last check of a backup; null if there is no record of one.',
  ),
  problems: described(
    Type.Array(Type.String()),
    'Records that cannot be read, each as a sentence that names the file.',
  ),
})
export type BackupReports = Static<typeof BackupReports>
