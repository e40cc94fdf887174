import { join } from 'node:path'

import { sizeIfThere } from '../../lib/files.js'
import { VERSION } from '../../lib/version.js'
import { openBlobStore, type StorageSettings } from '../ci/storage/open-blob-store.js'
import { connectDatabase, type DatabaseSettings } from '../database/connect.js'
import { requireReleasedSchema } from '../database/recorded-schema.js'
import type { BackupLocation } from './backup-location.js'
import { BackupStore, type Copied } from './backup-store.js'
import { copyFiles, type Files, type FileSource } from './copy-files.js'
import { BackupError } from './errors.js'
import type { BackedUpFile, Manifest } from './manifest.js'
import { copyMoment, type Moment, readRootFiles } from './moment.js'
import { type NamedFile, namedFiles } from './named-files.js'
import { readAllRefs, repositoryOf } from './repository-refs.js'

export interface InstanceLocation {
  dataDir: string
  database: DatabaseSettings
  storage: StorageSettings
}

export interface BackupOptions {
  /** Number of backups to keep; undefined = all. */
  keep?: number | undefined
  /** Called before each step; tests act then. */
  onStep?: (step: BackupStep) => Promise<void> | void
}

export type BackupStep = 'first pass' | 'moment' | 'second pass' | 'finish'

export interface BackupReport {
  name: string
  files: number
  /** Bytes of all files and the database. */
  bytes: number
  /** What this backup added to the place. */
  copied: Copied
  /** Files that rows name and the instance itself lacks. */
  missing: string[]
  removed: string[]
  /** How long coordinators could not write, in milliseconds. */
  heldMs: number
}

/** Files named by the copy may be deleted before they are copied; a later moment does not name them. */
const MAX_ATTEMPTS = 10

/**
 * Backs a running instance up. The order makes it consistent:
 *
 * 1. All files are copied. This takes long: files are created and deleted at the same time.
 * 2. In one moment, in which no push begins, the database is copied, and refs, sizes of growing logs and keys are read.
 * 3. Files that are new since step 1 are copied.
 *
 * The coordinator writes a file before the row that names it, so the files of all rows of the copy exist at step 2. It
 * deletes a file after its row: what was deleted since step 2 was copied in step 1, unless it is younger. In that case
 * the backup begins again, with little to copy. Blobs and git objects never change, so it does not matter when they are
 * copied. A file without a row is kept if both passes saw it; others belong to changes before or after the moment.
 */
export async function backUp(
  instance: InstanceLocation,
  target: BackupLocation,
  { keep, onStep }: BackupOptions = {},
): Promise<BackupReport> {
  await checkPlace(instance)
  const backup = await BackupStore.create(target)
  const isInFolder = instance.storage.location.kind === 'folder' && !instance.storage.previous
  const blobs = isInFolder
    ? undefined
    : await openBlobStore({ ...instance, sharedDir: instance.dataDir }, { isChecked: true })
  try {
    const { manifest, moment } = await copyInstance(backup, { ...instance, blobs }, onStep)
    await onStep?.('finish')
    const name = await backup.finish(manifest)
    const { backups: removed } = await backup.prune(keep ?? Infinity)
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, manifest.database.size)
    const { missing, files } = manifest
    return {
      name,
      files: files.length,
      bytes,
      copied: backup.copied,
      missing,
      removed,
      heldMs: moment.heldMs,
    }
  } finally {
    backup.close()
    await blobs?.close()
  }
}

async function checkPlace({ dataDir, database }: InstanceLocation): Promise<void> {
  if (!(await exists(join(dataDir, 'secret.key')))) {
    throw new BackupError(`${dataDir} is not the data folder of a coordinator. Name it with --data-dir.`)
  }
  if (database.dialect === 'sqlite' && !(await exists(database.file))) {
    throw new BackupError(`${database.file} does not exist. Name the database with --database-url.`)
  }
  await requireRestorable(database)
}

/** No release restores a backup of a database of an unreleased commit. */
async function requireRestorable(settings: DatabaseSettings): Promise<void> {
  const database = connectDatabase(settings)
  try {
    await requireReleasedSchema(database, settings)
  } finally {
    await database.destroy()
  }
}

async function copyInstance(
  backup: BackupStore,
  instance: InstanceLocation & FileSource,
  onStep: BackupOptions['onStep'],
): Promise<{ manifest: Manifest; moment: Moment }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    await onStep?.('first pass')
    const before = await copyFiles(backup, instance)
    const keys = readRootFiles(instance.dataDir).get('secret.key')
    const since = Date.now()
    const refs = readAllRefs(instance.dataDir)
    await onStep?.('moment')
    const copy = backup.workPath()
    const { moment, named } = await copyMoment(instance, copy, { refs, since })
    // A key may have been replaced just before: what it sealed must be in the copy too.
    if (!keys || !moment.rootFiles.get('secret.key')?.equals(keys)) continue
    await onStep?.('second pass')
    const after = await copyFiles(backup, instance, { before, sizes: moment.sizes })
    await addMoment(backup, instance.dataDir, moment, after)
    const { files, lacking } = chosenFiles({ before, after, named, moment })
    const missing = lacking.length === 0 ? [] : await missingForGood(instance, lacking)
    if (!missing) continue
    const database = await backup.adopt(copy)
    const { dialect } = instance.database
    return {
      manifest: { version: VERSION, takenAt: moment.takenAt, dialect, database, missing, files },
      moment,
    }
  }
  throw new BackupError('Files were deleted faster than they could be copied. Run the command again later.')
}

/** Adds what was read in the moment, except for repositories that were deleted since: their objects are not complete. */
async function addMoment(backup: BackupStore, dataDir: string, moment: Moment, files: Files): Promise<void> {
  const add = async (path: string, text: string | Buffer) => files.set(path, await backup.addText(path, text))
  for (const { path, files: texts } of moment.refs.values()) {
    if (!(await exists(join(dataDir, path, 'HEAD')))) continue
    for (const [name, text] of texts) await add(`${path}/${name}`, text)
  }
  for (const [path, text] of moment.reflogs) await add(path, text)
  for (const [name, text] of moment.rootFiles) await add(name, text)
}

/** Which of the copied files belong to the moment, and which are lacking. Pure. */
function chosenFiles({
  before,
  after,
  named,
  moment,
}: {
  before: Files
  after: Files
  named: readonly NamedFile[]
  moment: Pick<Moment, 'refs' | 'sizes'>
}): { files: BackedUpFile[]; lacking: NamedFile[] } {
  const chosen = new Map<string, BackedUpFile>()
  const lacking: NamedFile[] = []
  for (const [path, file] of after) if (before.has(path) || isOfMoment(path, moment)) chosen.set(path, file)
  for (const { path, size = 0 } of named) {
    const file = after.get(path) ?? before.get(path)
    if (file && file.size >= size) chosen.set(path, file)
    else lacking.push({ path, size })
  }
  const files = [...chosen.values()].filter(({ size, path }) => size > 0 || !moment.sizes.has(path))
  return { files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)), lacking }
}

/** Whether a file that only the second pass has seen nevertheless belongs to the moment. */
function isOfMoment(path: string, { refs, sizes }: Pick<Moment, 'refs' | 'sizes'>): boolean {
  if (sizes.has(path) || !path.includes('/')) return true
  const repository = repositoryOf(path)
  return repository !== undefined && refs.has(repository)
}

/** The files that the instance lacks itself. Undefined if rows or files have changed since, so that another moment is needed. */
async function missingForGood(
  { dataDir, database: settings, blobs }: InstanceLocation & FileSource,
  lacking: NamedFile[],
): Promise<string[] | undefined> {
  const database = connectDatabase(settings)
  try {
    const named = new Set<string>()
    for await (const { path } of namedFiles(database)) named.add(path)
    for (const { path, size = 0 } of lacking) {
      const now =
        blobs && path.startsWith('blobs/')
          ? (await blobs.find(path.slice('blobs/'.length)))?.size
          : await sizeIfThere(join(dataDir, path))
      if (!named.has(path) || (now !== undefined && now >= size)) return undefined
    }
    return lacking.map(({ path }) => path)
  } finally {
    await database.destroy()
  }
}

async function exists(path: string): Promise<boolean> {
  return (await sizeIfThere(path)) !== undefined
}
