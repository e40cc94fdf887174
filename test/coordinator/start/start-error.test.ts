import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

import { Kysely, sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'

import { startCoordinator } from '../../../src/coordinator/coordinator.js'
import { MigrationError } from '../../../src/coordinator/database/migrate.js'
import { EgressClient } from '../../../src/coordinator/egress/egress-client.js'
import { readCoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import { explainStart } from '../../../src/coordinator/start/start-error.js'
import { SwitchyardError } from '../../../src/lib/errors.js'
import { createLogger } from '../../../src/lib/logger.js'
import { createEmptyPostgres, openPostgres } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

/** What people read of a coordinator that does not start: the message alone, as for every error on purpose. */
async function messageOfStart(flags: Record<string, string>): Promise<string> {
  const settings = readCoordinatorSettings({ listen: '127.0.0.1:0', drain_seconds: '0', ...flags }, {})
  try {
    const coordinator = await startCoordinator(settings, createLogger('test', 'silent'))
    await coordinator.stop()
  } catch (error) {
    if (error instanceof SwitchyardError) return error.message
    throw error
  }
  throw new Error('The coordinator started')
}

test('a data folder that cannot be made is named, with the reason and a remedy', async () => {
  const file = join(await tempDir(), 'file')
  await writeFile(file, '')
  expect(await messageOfStart({ data_dir: join(file, 'data') })).toBe(
    `${join(file, 'data')} cannot be used: a part of the path is a file. Name a folder with --data-dir.`,
  )
})

test('a folder of templates that is not there is named, with a remedy', async () => {
  const file = join(await tempDir(), 'file')
  await writeFile(file, '')
  for (const templatesDir of [file, join(file, 'below'), '/nowhere/at/all']) {
    const flags = { data_dir: await tempDir(), templates_dir: templatesDir }
    expect(await messageOfStart(flags)).toBe(
      `templates_dir is ${templatesDir}, which is no folder. Create it, or name another one, or leave the setting out.`,
    )
  }
})

test('a file that is not a database is named in the error and not changed', async () => {
  const dataDir = await tempDir()
  const file = join(dataDir, 'switchyard.db')
  await writeFile(file, 'My notes. '.repeat(1000))
  expect(await messageOfStart({ data_dir: dataDir })).toBe(
    `The database ${file} cannot be used: the file is not a database. ` +
      'Restore it from a backup, or move it away to begin with an empty one.',
  )
  expect(await readFile(file, 'utf8')).toContain('My notes.')
})

test('a key file that holds no key is named, with a remedy', async () => {
  const dataDir = await tempDir()
  await writeFile(join(dataDir, 'secret.key'), 'not a key\n')
  expect(await messageOfStart({ data_dir: dataDir })).toMatch(
    /secret\.key does not contain a key of 32 bytes in base64\. Restore it from a backup/,
  )
})

test('an address that this machine does not have is named', async () => {
  expect(await messageOfStart({ data_dir: await tempDir(), listen: '192.0.2.1:0' })).toBe(
    'Cannot listen on 192.0.2.1:0: this machine does not have the address. Choose another one with --listen.',
  )
})

testAtNight('a start that fails closes its services before the database', async () => {
  const inUse = createServer()
  await new Promise<void>((resolve) => inUse.listen(0, '127.0.0.1', resolve))
  const close = vi.spyOn(EgressClient.prototype, 'close')
  const destroy = vi.spyOn(Kysely.prototype, 'destroy')
  onTestFinished(() => {
    vi.restoreAllMocks()
    inUse.close()
  })
  const { port } = inUse.address() as AddressInfo
  const message = await messageOfStart({ data_dir: await tempDir(), listen: `127.0.0.1:${port}` })
  expect(message).toContain('another process listens there')
  expect(close).toHaveBeenCalledBefore(destroy)
})

test('a PostgreSQL that does not respond is named without its password', async () => {
  const url = 'postgres://ci:secret-password@127.0.0.1:1/switchyard'
  const message = await messageOfStart({ data_dir: await tempDir(), database_url: url })
  expect(message).toBe(
    'The database postgres://ci@127.0.0.1:1/switchyard cannot be used: no server listens there. ' +
      'Check that PostgreSQL runs there, and the address in --database-url.',
  )
})

test('a PostgreSQL without the database says so', async () => {
  const { settings } = await openPostgres()
  if (settings.dialect !== 'postgres') throw new TypeError('not PostgreSQL')
  const url = new URL(settings.url)
  url.pathname = '/no_such_database'
  expect(await messageOfStart({ data_dir: await tempDir(), database_url: url.href })).toMatch(
    /no_such_database cannot be used: the database does not exist\. Create it \(createdb\)/,
  )
})

test('a PostgreSQL that takes no writes, such as a standby, says so', async () => {
  const { database } = await openPostgres()
  // One of its own: the other is lent to the next test.
  const url = await createEmptyPostgres()
  const name = sql.id(new URL(url).pathname.slice(1))
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(database)
  expect(await messageOfStart({ data_dir: await tempDir(), database_url: url })).toMatch(
    /cannot be used: it is a standby, or a server that is set to reading only\. Name the primary server/,
  )
})

const POSTGRES = { dialect: 'postgres', url: 'postgres://ci:secret@db.example:5432/switchyard' } as const
const SQLITE = { dialect: 'sqlite', file: '/data/switchyard.db' } as const

test.each([
  [
    POSTGRES,
    { code: '28P01' },
    'postgres://ci@db.example:5432/switchyard cannot be used: it refused the password',
  ],
  [POSTGRES, { code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'the host name is not known'],
  [POSTGRES, { code: 'ETIMEDOUT', syscall: 'connect' }, 'the connection timed out'],
  [POSTGRES, { code: '25006' }, 'it is a standby, or a server that is set to reading only. Name the primary'],
  [POSTGRES, { code: '57P01' }, 'it is shutting down'],
  [POSTGRES, { code: 'XX001' }, 'its files are damaged'],
  [SQLITE, { code: 'SQLITE_BUSY' }, 'another process has locked it. Stop the other process'],
  [
    SQLITE,
    { code: 'SQLITE_READONLY_DIRECTORY' },
    '/data/switchyard.db cannot be used: the file cannot be written',
  ],
  [SQLITE, { code: 'SQLITE_FULL' }, 'no space is left on the disk'],
  [
    SQLITE,
    { code: 'EROFS', path: '/data', syscall: 'mkdir' },
    '/data cannot be used: the file system is read-only',
  ],
  [SQLITE, { code: 'ENOSPC', path: '/data/secret.key', syscall: 'write' }, '/data/secret.key cannot be used'],
  [SQLITE, { code: 'EACCES', path: '/data', syscall: 'mkdir' }, '/data cannot be used: permission is denied'],
] as const)('%j: %j is reported in one sentence', (database, fields, expected) => {
  const cause = Object.assign(new Error('low level'), fields)
  const error = new MigrationError('The database schema could not be brought up to date', { cause })
  const explained = explainStart(error, { dataDir: '/data', database })
  expect(explained).toBeInstanceOf(SwitchyardError)
  expect((explained as Error).message).toContain(expected)
  expect((explained as Error).message).not.toContain('secret@')
})

test('a programming error is passed on unchanged', () => {
  const error = new TypeError('a mistake')
  expect(explainStart(error, { dataDir: '/data', database: SQLITE })).toBe(error)
})

test('a data folder made before is closed to others, and so is every file in it', async () => {
  const dataDir = join(await tempDir(), 'data')
  await mkdir(dataDir)
  await chmod(dataDir, 0o755)
  await writeFile(join(dataDir, 'secret.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o644 })
  const settings = readCoordinatorSettings(
    { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: dataDir },
    {},
  )
  const coordinator = await startCoordinator(settings, createLogger('test', 'silent'))
  onTestFinished(() => coordinator.stop())
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  expect(await modeOf(dataDir)).toBe('700')
  for (const name of [
    'secret.key',
    'switchyard.db',
    'switchyard.db-wal',
    'switchyard.db-shm',
    'admin-token',
  ]) {
    expect([name, await modeOf(join(dataDir, name))]).toEqual([name, '600'])
  }
})
