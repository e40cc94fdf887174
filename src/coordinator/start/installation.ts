import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import { SwitchyardError } from '../../lib/errors.js'
import { createFile, isMissingFile, readIfThere, sizeIfThere } from '../../lib/files.js'
import type { BlobStore } from '../ci/storage/blob-store.js'
import { openBlobStore, shownLocation } from '../ci/storage/open-blob-store.js'
import { forgetStorageOwner } from '../ci/storage/orphans/storage-owner.js'
import { SET_ASIDE, setAside } from '../ci/storage/set-aside.js'
import { connectDatabase, type Database } from '../database/connect.js'
import { hasTable } from '../database/has-table.js'
import { shownDatabase } from '../database/shown-database.js'
import { existingSetting, findSetting, insertSetting } from '../database/stores/instance-setting-store.js'
import type { CoordinatorSettings } from './config/settings.js'
import { FolderLock } from './folder-lock.js'

/** The database and the folders, or the bucket, do not belong together. */
class InstallationError extends SwitchyardError {
  readonly name = 'InstallationError'
  readonly code = 'WRONG_INSTALLATION'
}

/** Stored in the data folder and the shared folder; the setting of the same name is in the database. Not in backups. */
const MARK_FILE = 'installation-id'
const MARK_SETTING = 'installation_id'

type InstallationSettings = Pick<CoordinatorSettings, 'dataDir' | 'sharedDir' | 'database' | 'storage'>

/** An open database and store of blobs, and where they are. */
interface OpenStores {
  settings: InstallationSettings
  database: Database
  blobs: BlobStore
}

/** The result of the search at the start: `id` is undefined if neither the database nor a folder has one. */
export interface Installation {
  id: string | undefined
}

/**
 * Throws `InstallationError` if there is no file of a database of SQLite, and the folder has files of an installation.
 * Called before anything is created, so that the database can be put back.
 */
export async function refuseLostFile(settings: InstallationSettings): Promise<void> {
  const { database, sharedDir } = settings
  if (database.dialect !== 'sqlite' || (await sizeIfThere(database.file))) return
  const found = [...(await markedFolders(settings)).keys(), ...(await contentOf(sharedDir))]
  if (found.length > 0) throw lostDatabase(settings, sharedDir)
}

/**
 * Compares the database with the folders and the bucket, before the schema is migrated. Throws `InstallationError` if one
 * of them belongs to another installation, or the database is empty and they are not.
 *
 * An installation of a version without IDs has none: it gets one at its first start (`tieInstallation`), unless its
 * database never had a project and the folders have files of projects. `secret.key` shows that a folder without an ID
 * belongs to the database.
 */
export async function checkInstallation({ settings, database, blobs }: OpenStores): Promise<Installation> {
  const { sharedDir } = settings
  const bucket = shownLocation(settings.storage.location, sharedDir)
  const store = await stateOf(database, settings.database.dialect)
  const folders = await markedFolders(settings)
  const marks = await blobs.marks()
  if (store.id === undefined && store.use !== 'projects') {
    const isEmpty = store.use === 'nothing'
    if ((isEmpty && folders.size > 0) || (await contentOf(sharedDir, isEmpty)).length > 0)
      throw lostDatabase(settings, sharedDir)
    if ((isEmpty && marks.length > 0) || (await hasBlobs(blobs, isEmpty)))
      throw lostDatabase(settings, bucket)
  }
  const id = store.id ?? [...folders.values()][0]
  for (const [folder, mark] of folders) if (mark !== id) throw otherInstallation(settings, folder)
  if (marks.some((mark) => mark !== (id ?? mark))) throw otherInstallation(settings, bucket)
  return { id: id ?? marks[0] }
}

/** Records the ID in the database first, and then in the folders and the bucket. A killed start can be repeated. */
export async function tieInstallation(
  { settings, database, blobs }: OpenStores,
  { id: known }: Installation,
): Promise<void> {
  await insertSetting(database, MARK_SETTING, known ?? randomUUID())
  const id = await existingSetting(database, MARK_SETTING)
  for (const folder of foldersOf(settings)) await createFile(join(folder, MARK_FILE), `${id}\n`)
  if ((await blobs.marks()).length === 0) await blobs.mark(id)
}

/**
 * Lets a start tie the database of the settings with the folders and the bucket, whatever they belonged to. If the
 * database never had a project, the files of the folder are set aside: the numbers of new projects and jobs are those
 * of the former ones. Returns the folder where they are then. Throws `FolderInUseError` while a coordinator runs there.
 */
export async function adoptFolders(settings: InstallationSettings): Promise<string | undefined> {
  await mkdir(settings.dataDir, { recursive: true, mode: 0o700 })
  const lock = await FolderLock.take(settings)
  try {
    return await adoptLocked(settings)
  } finally {
    lock[Symbol.dispose]()
  }
}

async function adoptLocked(settings: InstallationSettings): Promise<string | undefined> {
  const { sharedDir } = settings
  const blobs = await openBlobStore(settings, { isChecked: true })
  try {
    const isUsed = await hasProjects(settings.database)
    const isAside = !isUsed && (await contentOf(sharedDir)).length > 0
    const target = isAside ? await setAside(sharedDir, FOLDERS) : undefined
    // Another owner deletes nothing in the bucket of the former one.
    if (!isUsed) await forgetStorageOwner(sharedDir)
    await blobs.mark(undefined)
    for (const folder of foldersOf(settings)) await rm(join(folder, MARK_FILE), { force: true })
    return target
  } finally {
    await blobs.close()
  }
}

async function hasProjects(settings: InstallationSettings['database']): Promise<boolean> {
  if (settings.dialect === 'sqlite' && !(await sizeIfThere(settings.file))) return false
  const database = connectDatabase(settings)
  try {
    return (await stateOf(database, settings.dialect)).use === 'projects'
  } finally {
    await database.destroy()
  }
}

interface StoreState {
  id: string | undefined
  /** `projects`: it has a project, or had one. */
  use: 'nothing' | 'users' | 'projects'
}

async function stateOf(
  database: Database,
  dialect: InstallationSettings['database']['dialect'],
): Promise<StoreState> {
  for (const table of ['instance_setting', 'user', 'project'])
    if (!(await hasTable(database, dialect, table))) return { id: undefined, use: 'nothing' }
  const id = await findSetting(database, MARK_SETTING)
  const { rows: numbers } = await (
    dialect === 'sqlite'
      ? sql`select 1 from sqlite_sequence where name = 'project' and seq > 0`
      : sql`select 1 from project_id_seq where is_called`
  ).execute(database)
  if (numbers.length > 0) return { id, use: 'projects' }
  const user = await database.selectFrom('user').select('id').limit(1).executeTakeFirst()
  return { id, use: user ? 'users' : 'nothing' }
}

function foldersOf({ dataDir, sharedDir }: Pick<InstallationSettings, 'dataDir' | 'sharedDir'>): Set<string> {
  return new Set([sharedDir, dataDir])
}

/** The folders with an ID, and the ID. */
async function markedFolders(
  settings: Pick<InstallationSettings, 'dataDir' | 'sharedDir'>,
): Promise<Map<string, string>> {
  const marked = new Map<string, string>()
  for (const folder of foldersOf(settings)) {
    const id = (await readIfThere(join(folder, MARK_FILE)))?.trim()
    if (id) marked.set(folder, id)
  }
  return marked
}

const REPOSITORIES = ['repositories', 'wikis', 'group-wikis', 'snippets']
const OF_NO_PROJECT = new Set(['group-wikis', 'snippets'])
const BLOBS_OF_PROJECTS = ['artifacts', 'caches', 'projects', 'traces']
const FOLDERS = [...REPOSITORIES, 'traces', 'uploads', 'blobs']

/** The folders of a shared folder that have files of an installation; of its projects, unless `isAny`. */
async function contentOf(sharedDir: string, isAny = true): Promise<string[]> {
  const found: string[] = []
  for (const name of REPOSITORIES) {
    if (!isAny && OF_NO_PROJECT.has(name)) continue
    if (await hasEntry(join(sharedDir, name), 2, /^\d+\.git$/)) found.push(name)
  }
  if (await hasEntry(join(sharedDir, 'traces'), 2, /^\d+\./)) found.push('traces')
  const kinds = isAny ? await namesIn(join(sharedDir, 'blobs')) : BLOBS_OF_PROJECTS
  for (const kind of kinds.filter((name) => /^[a-z]/.test(name)))
    if (await hasEntry(join(sharedDir, 'blobs', kind), 2, /./)) found.push(`blobs/${kind}`)
  return found
}

/** Whether a name matches at this depth below the folder. */
async function hasEntry(folder: string, levels: number, pattern: RegExp): Promise<boolean> {
  if (levels === 1) return (await namesIn(folder)).some((name) => pattern.test(name))
  for (const name of await namesIn(folder))
    if (await hasEntry(join(folder, name), levels - 1, pattern)) return true
  return false
}

/** The names in a folder; none of a file, or of nothing. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissingFile(error) || (error instanceof Error && 'code' in error && error.code === 'ENOTDIR'))
      return []
    throw error
  }
}

async function hasBlobs(blobs: BlobStore, isAny: boolean): Promise<boolean> {
  for (const folder of isAny ? [undefined] : BLOBS_OF_PROJECTS) {
    for await (const { key } of blobs.list(folder)) if (!key.startsWith('storage-check/')) return true
  }
  return false
}

function lostDatabase(settings: InstallationSettings, location: string): InstallationError {
  return new InstallationError(
    `The database ${shownDatabase(settings.database)} is empty, but ${location} has files of an installation: put its ` +
      'database back (or correct database_url), or move the folder away (or name another one with --data-dir, shared_dir ' +
      `or storage.url). ${toAdopt(settings)} begins with an empty database and moves the files to ${SET_ASIDE}/ of the folder.`,
  )
}

function otherInstallation(settings: InstallationSettings, location: string): InstallationError {
  return new InstallationError(
    `${location} belongs to another installation than the database ${shownDatabase(settings.database)}: name the database ` +
      `or the folder that belong together. If these do, tie them with ${toAdopt(settings)}.`,
  )
}

function toAdopt({ dataDir }: InstallationSettings): string {
  return `"switchyard admin adopt-folder --data-dir ${dataDir}"`
}
