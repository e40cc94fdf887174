import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { startCoordinator } from '../../src/coordinator/coordinator.js'
import { readCoordinatorSettings } from '../../src/coordinator/start/config/settings.js'
import { removeUnfinished } from '../../src/lib/files.js'
import { createLogger } from '../../src/lib/logger.js'
import { type RunningProcess, startSwitchyard } from '../integration/support/processes.js'
import { copyMigratedStore, createEmptyPostgres } from '../support/databases.js'
import { tempDir } from '../support/temp-dir.js'
import { pointsIn } from './support/kill-points.js'
import { withSqliteStatements } from './support/statement-hooks.js'

test('a first start on SQLite that is killed at any statement is completed by the next start', async () => {
  const first = await tempDir()
  const statements = await withSqliteStatements(
    () => undefined,
    () => startOnce(first),
  )
  const copies = new Map<number, string>()
  // The account and its token are written at the end; `killed-migrations.nightly.system.test.ts` kills the migrations before.
  for (const point of pointsIn(statements, { parts: 2, last: 4, everyAtNight: true }))
    copies.set(point, await tempDir())
  const killed = await tempDir()
  await withSqliteStatements(
    (statement) => {
      const copy = copies.get(statement)
      if (copy !== undefined) copyFiles(killed, copy)
    },
    () => startOnce(killed),
  )
  for (const [point, folder] of copies) {
    const user = await startOnce(folder)
    expect(user, `killed at statement ${point} of ${statements}`).toMatchObject({ username: 'root' })
    const names = await readdir(folder)
    expect(names).toEqual(expect.arrayContaining(['admin-token', 'runner-registration-token', 'secret.key']))
    await removeUnfinished(folder, new Date(Date.now() + 1000))
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
  }
})

test('the token file of a start that was killed before the account is the token of the account', async () => {
  const folder = await migratedFolder()
  const token = `glpat-${'a'.repeat(20)}`
  await writeFile(join(folder, 'admin-token'), `${token}\n`)
  expect(await startOnce(folder)).toMatchObject({ username: 'root' })
  expect(await readFile(join(folder, 'admin-token'), 'utf8')).toBe(`${token}\n`)
})

test('a token file that a killed start of an earlier version left empty is written again', async () => {
  const folder = await migratedFolder()
  await writeFile(join(folder, 'admin-token'), '')
  expect(await startOnce(folder)).toMatchObject({ username: 'root' })
})

test('two coordinators that start on an empty PostgreSQL database at the same time use one token', async () => {
  const url = await createEmptyPostgres()
  const folder = await tempDir()
  const users = await Promise.all([startOnce(folder, url), startOnce(folder, url)])
  expect(users).toMatchObject([{ username: 'root' }, { username: 'root' }])
})

test('of two coordinators that start in the same empty folder at the same time, one starts', async () => {
  const folder = await tempDir()
  const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', folder]
  const environment = { SWITCHYARD_DRAIN_SECONDS: '0' }
  const processes = [startSwitchyard(args, environment), startSwitchyard(args, environment)]
  onTestFinished(async () => {
    await Promise.all(processes.map((process) => process.kill('SIGTERM')))
  })
  // The first that a coordinator writes to its standard output is its address.
  const firstOutput = async ({ child, log }: RunningProcess) => {
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'close')])
    return log()
  }
  const outputs = await Promise.all(processes.map(firstOutput))
  expect(outputs.filter((output) => output.includes('Listening on http://127.0.0.1:'))).toHaveLength(1)
  expect(outputs.filter((output) => output.includes('Another coordinator runs in'))).toHaveLength(1)
})

test('a key file without a key stops the start, and the error names the file and the remedy', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'secret.key'), '')
  await expect(startOnce(folder)).rejects.toThrow(
    `${join(folder, 'secret.key')} is empty. Restore it from a backup`,
  )
})

/** Starts and stops a coordinator; the response is the user whose token is in the file, undefined without a file. */
async function startOnce(folder: string, databaseUrl?: string): Promise<unknown> {
  const settings = readCoordinatorSettings(
    { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: folder, database_url: databaseUrl },
    {},
  )
  const coordinator = await startCoordinator(settings, createLogger('test', 'silent'))
  try {
    if (!(await readdir(folder)).includes('admin-token')) return undefined
    const token = (await readFile(join(folder, 'admin-token'), 'utf8')).trim()
    const response = await fetch(`${coordinator.url}/api/v4/user`, { headers: { 'private-token': token } })
    return await response.json()
  } finally {
    await coordinator.stop()
  }
}

/** A data folder whose store is empty and up to date. */
async function migratedFolder(): Promise<string> {
  const folder = await tempDir()
  await copyMigratedStore(folder)
  return folder
}

/** What is on the disk; SQLite makes its shared memory again from the log. */
function copyFiles(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('-shm') })
}
