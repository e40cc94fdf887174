import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { BlobStore } from '../../../src/coordinator/ci/storage/blob-store.js'
import { FolderBlobStore } from '../../../src/coordinator/ci/storage/folder-blob-store.js'
import { setAside } from '../../../src/coordinator/ci/storage/set-aside.js'
import { Traces } from '../../../src/coordinator/ci/storage/traces.js'
import { type Coordinator, startCoordinator } from '../../../src/coordinator/coordinator.js'
import { connectDatabase, type DatabaseSettings } from '../../../src/coordinator/database/connect.js'
import { readCoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import {
  adoptFolders,
  checkInstallation,
  tieInstallation,
} from '../../../src/coordinator/start/installation.js'
import { createLogger } from '../../../src/lib/logger.js'
import { SameLengthMasker } from '../../../src/masking/same-length-masker.js'
import { openS3 } from '../../support/blob-stores.js'
import { copyMigratedStore, createEmptyPostgres, openPostgres, openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

const LOST = /is empty, but \S+ has files of an installation: put its database back.*or move the folder away/
const OTHER = /belongs to another installation than the database/

function settingsIn(dataDir: string, more: object = {}) {
  return readCoordinatorSettings(
    { listen: '127.0.0.1:0', drain_seconds: '0', data_dir: dataDir, ...more },
    {},
  )
}

async function start(dataDir: string, more: object = {}): Promise<Coordinator> {
  const logger = createLogger('test', 'silent')
  const coordinator = await startCoordinator(settingsIn(dataDir, more), logger, { adminToken: 'chosen' })
  onFinished(() => coordinator.stop())
  return coordinator
}

async function api(coordinator: Coordinator, path: string, body?: object): Promise<{ id: number }> {
  const response = await fetch(`${coordinator.url}/api/v4${path}`, {
    headers: { 'private-token': 'chosen', 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await response.json()) as { id: number }
}

/** An installation that has stopped, with a project that has a README. */
async function installation(more: object = {}): Promise<string> {
  const dataDir = await tempDir()
  await copyMigratedStore(dataDir)
  const coordinator = await start(dataDir, more)
  await api(coordinator, '/projects', { name: 'former', initialize_with_readme: true })
  await coordinator.stop()
  return dataDir
}

async function deleteDatabase(dataDir: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `switchyard.db${end}`), { force: true })
}

async function unmark(settings: DatabaseSettings, ...folders: string[]): Promise<void> {
  const database = connectDatabase(settings)
  await database.deleteFrom('instance_setting').where('key', '=', 'installation_id').execute()
  await database.destroy()
  for (const folder of folders) await rm(join(folder, 'installation-id'))
}

test('a start without the database of a folder is refused and changes nothing; with it, it is as before', async () => {
  const dataDir = await installation()
  await copyFile(join(dataDir, 'switchyard.db'), join(dataDir, 'kept'))
  await deleteDatabase(dataDir)
  await expect(start(dataDir)).rejects.toThrow(LOST)
  expect(await readdir(dataDir)).not.toContain('switchyard.db')
  await copyMigratedStore(dataDir)
  await expect(start(dataDir)).rejects.toThrow(LOST)
  await deleteDatabase(dataDir)
  await copyFile(join(dataDir, 'kept'), join(dataDir, 'switchyard.db'))
  expect(await api(await start(dataDir), '/projects/1')).toMatchObject({ name: 'former' })
})

test('an empty database of PostgreSQL beside the shared folder of another one is refused', async () => {
  const sharedDir = await tempDir()
  const blobs = new FolderBlobStore(join(sharedDir, 'blobs'))
  const settings = (database: DatabaseSettings) => ({ ...settingsIn(sharedDir), database, sharedDir })
  const used = await openPostgres()
  const places = { settings: settings(used.settings), database: used.database, blobs }
  await tieInstallation(places, await checkInstallation(places))
  await checkInstallation(places)
  const empty = { dialect: 'postgres', url: await createEmptyPostgres() } as const
  const database = connectDatabase(empty)
  onFinished(() => database.destroy())
  await expect(checkInstallation({ settings: settings(empty), database, blobs })).rejects.toThrow(LOST)
})

test.each([
  'repositories/ab/1.git',
  'wikis/ab/1.git',
  'group-wikis/ab/1.git',
  'snippets/ab/1.git',
  'traces/1/1.log',
  'blobs/artifacts/1/1',
])('an empty database beside %s is refused', async (path) => {
  const dataDir = await tempDir()
  await mkdir(join(dataDir, path), { recursive: true })
  await expect(start(dataDir)).rejects.toThrow(LOST)
})

test('the database of another installation is refused', async () => {
  const [one, other] = [await installation(), await installation()]
  await deleteDatabase(one)
  await copyFile(join(other, 'switchyard.db'), join(one, 'switchyard.db'))
  await expect(start(one)).rejects.toThrow(OTHER)
})

testAtNight(
  'an installation without an ID gets one, unless its database never had a project and the folder has some',
  async () => {
    const dataDir = await installation()
    const settings = settingsIn(dataDir).database
    await unmark(settings, dataDir)
    const coordinator = await start(dataDir)
    await coordinator.stop()
    expect(await readFile(join(dataDir, 'installation-id'), 'utf8')).toMatch(/^[0-9a-f-]{36}\n$/)

    await deleteDatabase(dataDir)
    const fresh = await tempDir()
    await copyMigratedStore(fresh)
    await (await start(fresh)).stop()
    await unmark(settingsIn(fresh).database, dataDir)
    await copyFile(join(fresh, 'switchyard.db'), join(dataDir, 'switchyard.db'))
    await expect(start(dataDir)).rejects.toThrow(LOST)
  },
)

testAtNight(
  'a folder that is adopted with an empty database keeps its files aside, and a new project has none of them',
  async () => {
    const dataDir = await installation()
    await deleteDatabase(dataDir)
    const aside = await adoptFolders(settingsIn(dataDir))
    expect(await readdir(aside ?? '')).toContain('repositories')
    await copyMigratedStore(dataDir)
    const coordinator = await start(dataDir)
    const { id } = await api(coordinator, '/projects', { name: 'new' })
    expect(id).toBe(1)
    expect(await api(coordinator, `/projects/${id}/repository/branches`)).toEqual([])
  },
)

testAtNight('a folder is not adopted while a coordinator runs in it', async () => {
  const dataDir = await tempDir()
  await copyMigratedStore(dataDir)
  const coordinator = await start(dataDir)
  await expect(adoptFolders(settingsIn(dataDir))).rejects.toThrow(
    `Another coordinator runs in ${dataDir}: process`,
  )
  await coordinator.stop()
  await expect(adoptFolders(settingsIn(dataDir))).resolves.toBeUndefined()
})

testAtNight('a folder that is adopted by a database with projects stays as it is', async () => {
  const [one, other] = [await installation(), await installation()]
  await deleteDatabase(one)
  for (const name of ['switchyard.db', 'secret.key']) await copyFile(join(other, name), join(one, name))
  expect(await adoptFolders(settingsIn(one))).toBeUndefined()
  expect(await api(await start(one), '/projects/1/repository/branches')).toHaveLength(1)
})

testAtNight('a new project does not get what an older copy of the database does not know', async () => {
  const dataDir = await installation()
  await copyFile(join(dataDir, 'switchyard.db'), join(dataDir, 'older'))
  const first = await start(dataDir)
  const newer = await api(first, '/projects', { name: 'newer', initialize_with_readme: true })
  await first.stop()
  await mkdir(join(dataDir, `traces/${newer.id}`), { recursive: true })
  await writeFile(join(dataDir, `traces/${newer.id}/1.log`), 'of the newer one')
  await deleteDatabase(dataDir)
  await copyFile(join(dataDir, 'older'), join(dataDir, 'switchyard.db'))
  const second = await start(dataDir)
  const { id } = await api(second, '/projects', { name: 'another' })
  expect(id).toBe(newer.id)
  expect(await api(second, `/projects/${id}/repository/branches`)).toEqual([])
  expect(await readdir(join(dataDir, 'traces'))).not.toContain(String(id))
})

test('a job that starts does not get the log that another one left under its number', async () => {
  const folder = await tempDir()
  const traces = new Traces(join(folder, 'traces'), 1000)
  onFinished(() => traces.close())
  const job = { id: 7, project_id: 3 }
  await mkdir(join(folder, 'traces/3'), { recursive: true })
  for (const name of ['7.log', '7.held', '7.times']) await writeFile(join(folder, 'traces/3', name), '0')
  await traces.setAside(job)
  await traces.append(job, 0, Readable.from([Buffer.from('own')]), new SameLengthMasker([]))
  expect(await text(await traces.read(job))).toBe('own')
  expect(await setAside(folder, ['traces/3/8.log'])).toBeUndefined()
})

test('a bucket of another installation, or with objects beside an empty database, is refused', async () => {
  const { blobs } = await openS3()
  const places = async (blobStore: BlobStore = blobs) => {
    const { database, settings } = await openSqlite()
    const dataDir = await tempDir()
    return { settings: { ...settingsIn(dataDir), database: settings }, database, blobs: blobStore }
  }
  const one = await places()
  await tieInstallation(one, await checkInstallation(one))
  await checkInstallation(one)
  await expect(places().then(checkInstallation)).rejects.toThrow(LOST)
  const other = await places(new FolderBlobStore(await tempDir()))
  await tieInstallation(other, await checkInstallation(other))
  await expect(checkInstallation({ ...other, blobs })).rejects.toThrow(OTHER)
  await blobs.mark(undefined)
  await blobs.write('artifacts/1/1/a', Readable.from([Buffer.from('bytes')]))
  await expect(places().then(checkInstallation)).rejects.toThrow(LOST)
})

testAtNight(
  'a second coordinator on a database of SQLite is refused, with who runs there, until the first one ends',
  async () => {
    const dataDir = await tempDir()
    await copyMigratedStore(dataDir)
    const first = await start(dataDir)
    await expect(start(dataDir)).rejects.toThrow(`process ${process.pid} on ${hostname()}`)
    await first.stop()
    await start(dataDir)
  },
)

test('with a database of an unreleased commit, no coordinator starts, and the database stays as it is', async () => {
  const dataDir = await tempDir()
  await copyMigratedStore(dataDir)
  const file = join(dataDir, 'switchyard.db')
  const database = connectDatabase({ dialect: 'sqlite', file })
  await sql`update kysely_migration set name = '0200-feature-flags' where name = '0001-baseline'`.execute(
    database,
  )
  await database.destroy()
  const before = await readFile(file)
  await expect(start(dataDir)).rejects.toThrow(`The database ${file} was made by an unreleased commit`)
  expect(before.equals(await readFile(file))).toBe(true)
})
