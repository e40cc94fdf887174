import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { backupReportOperations } from '../../../../src/coordinator/backup/reports/operations.js'
import { recordBackup, recordVerification } from '../../../../src/coordinator/backup/reports/report-files.js'
import type { LastBackup, LastVerification } from '../../../../src/coordinator/backup/reports/schema.js'
import { openSqlite } from '../../../support/databases.js'
import { tempDir } from '../../../support/temp-dir.js'
import { addPerson, openApp } from '../../support/test-app.js'

const TIMES = { started_at: '2026-03-02T01:00:00.000Z', finished_at: '2026-03-02T01:02:00.000Z' }
const BACKUP: LastBackup = {
  name: '2026-03-02T01-00-00Z',
  place: '/backup',
  ...TIMES,
  files: 900,
  size: 5_000_000,
  new_files: 20,
  new_size: 40_000,
  missing_files: 0,
}
const VERIFICATION: LastVerification = {
  name: BACKUP.name,
  place: BACKUP.place,
  ...TIMES,
  files: 900,
  repositories: 12,
  problem_count: 0,
  problems: [],
}

async function openScene() {
  const { database } = await openSqlite()
  const dataDir = await tempDir()
  const app = openApp(database, backupReportOperations({ dataDir }))
  const root = await addPerson(database, 'root', { admin: true })
  return { dataDir, read: async () => (await app.call(root, 'GET /admin/backups')).json<object>() }
}

test('administrators see the last backup, and what a check of it found', async () => {
  const { dataDir, read } = await openScene()
  expect(await read()).toEqual({ last_backup: null, last_verification: null, problems: [] })
  await recordBackup(dataDir, { ...BACKUP, files: 1 })
  await recordBackup(dataDir, BACKUP)
  await recordVerification(dataDir, VERIFICATION)
  expect(await read()).toEqual({ last_backup: BACKUP, last_verification: VERIFICATION, problems: [] })
})

test.each(['{', '{"name":"2026"}', 'null', ''])(
  'a damaged record %j is a problem that names it',
  async (text) => {
    const { dataDir, read } = await openScene()
    const file = join(dataDir, 'last-backup.json')
    await writeFile(file, text)
    await recordVerification(dataDir, VERIFICATION)
    expect(await read()).toEqual({
      last_backup: null,
      last_verification: VERIFICATION,
      problems: [`${file} is damaged. Run the command again, which replaces it.`],
    })
  },
)
