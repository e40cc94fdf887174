import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'

import { isMissingFile, replaceFile } from '../../../lib/files.js'
import { type BackupReports, LastBackup, LastVerification } from './schema.js'

/** In the data folder. A backup does not contain them: a restored installation has its own. */
const BACKUP_FILE = 'last-backup.json'
const VERIFICATION_FILE = 'last-verification.json'

/** Records the last backup of the installation with this data folder, for the page about backups. */
export async function recordBackup(dataDir: string, report: LastBackup): Promise<void> {
  await replaceFile(join(dataDir, BACKUP_FILE), JSON.stringify(report))
}

/** Records the last check of a backup. */
export async function recordVerification(dataDir: string, report: LastVerification): Promise<void> {
  await replaceFile(join(dataDir, VERIFICATION_FILE), JSON.stringify(report))
}

/** What the commands recorded last. */
export async function readReports(dataDir: string): Promise<BackupReports> {
  const backup = await readReport(join(dataDir, BACKUP_FILE), LastBackup)
  const verification = await readReport(join(dataDir, VERIFICATION_FILE), LastVerification)
  return {
    last_backup: backup.report ?? null,
    last_verification: verification.report ?? null,
    problems: [backup, verification].flatMap(({ problem }) => problem ?? []),
  }
}

async function readReport<Schema extends TSchema>(
  file: string,
  schema: Schema,
): Promise<{ report?: Static<Schema>; problem?: string }> {
  try {
    const report: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Check(schema, report) ? { report } : damaged(file)
  } catch (error) {
    if (isMissingFile(error)) return {}
    if (error instanceof SyntaxError) return damaged(file)
    throw error
  }
}

function damaged(file: string): { problem: string } {
  return { problem: `${file} is damaged. Run the command again, which replaces it.` }
}
