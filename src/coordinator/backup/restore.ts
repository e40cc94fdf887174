import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { execa } from 'execa'
import pMap from 'p-map'

import { isEmptyPostgres, restorePostgres } from '../database/postgres-copy.js'
import type { InstanceLocation } from './back-up.js'
import type { BackupLocation } from './backup-location.js'
import { readBackup } from './backup-store.js'
import { BackupError } from './errors.js'
import type { Manifest } from './manifest.js'
import { requireReleasedCopy } from './require-released-copy.js'
import { RESTORING } from './restoring.js'
import { repositoriesOf, REPOSITORY_PARTS } from './verify-backup.js'

const AT_ONCE = 8

export interface Restored {
  name: string
  takenAt: number
  files: number
}

/** Writes a backup, by default the newest, into an empty data folder and, for PostgreSQL, an empty database. */
export async function restoreBackup(
  { dataDir, database }: Pick<InstanceLocation, 'dataDir' | 'database'>,
  from: BackupLocation,
  name?: string,
): Promise<Restored> {
  const { name: chosen, manifest } = await readBackup(from, name)
  if (database.dialect !== manifest.dialect) {
    throw new BackupError(
      manifest.dialect === 'postgres'
        ? 'The backup is of PostgreSQL. Name an empty database with --database-url.'
        : 'The backup is of SQLite. Leave --database-url out, and database_url in the settings file.',
    )
  }
  if (database.dialect === 'postgres' && !(await isEmptyPostgres(database.url))) {
    throw new BackupError(
      'The database has tables already. Name an empty one (createdb) with --database-url.',
    )
  }
  await emptyFolder(dataDir)
  const copy = join(dataDir, 'database.restored')
  await writeObject(from, { path: 'the database', to: copy, sha256: manifest.database.sha256 })
  try {
    await requireReleasedCopy(copy, manifest.dialect, chosen)
  } catch (error) {
    for (const path of [copy, join(dataDir, RESTORING)]) await rm(path)
    throw error
  }
  await writeFiles(from, dataDir, manifest)
  if (database.dialect === 'postgres') {
    await restorePostgres(database.url, copy)
    await rm(copy)
  } else {
    await rename(copy, database.file)
  }
  await execa('sync', ['--file-system', dataDir])
  await rm(join(dataDir, RESTORING))
  return { name: chosen, takenAt: manifest.takenAt, files: manifest.files.length }
}

/** Creates the folder, or empties one in which a restore was interrupted. */
async function emptyFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const names = await readdir(dataDir)
  if (names.length > 0 && !names.includes(RESTORING)) {
    throw new BackupError(`${dataDir} is not empty. Name an empty or new folder with --data-dir.`)
  }
  for (const entry of names) {
    if (entry !== RESTORING) await rm(join(dataDir, entry), { recursive: true })
  }
  await writeFile(join(dataDir, RESTORING), '', { mode: 0o600 })
}

async function writeFiles(from: BackupLocation, dataDir: string, { files }: Manifest): Promise<void> {
  for (const path of repositoriesOf(files).keys()) {
    for (const part of REPOSITORY_PARTS)
      await mkdir(join(dataDir, path, part), { recursive: true, mode: 0o700 })
  }
  const folders = new Set(files.map(({ path }) => dirname(path)))
  for (const path of folders) await mkdir(join(dataDir, path), { recursive: true, mode: 0o700 })
  const write = ({ path, sha256 }: (typeof files)[number]) =>
    writeObject(from, { path, to: join(dataDir, path), sha256 })
  await pMap(files, write, { concurrency: AT_ONCE })
}

async function writeObject(
  from: BackupLocation,
  { path, to, sha256 }: { path: string; to: string; sha256: string },
): Promise<void> {
  const content = await from.read(sha256)
  if (!content) throw new BackupError(`The backup lacks the content of ${path}. ${REMEDY}`)
  const hash = createHash('sha256')
  const file = await open(to, 'wx', 0o600)
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (hash.digest('hex') !== sha256) throw new BackupError(`The content of ${path} is damaged. ${REMEDY}`)
}

const REMEDY = 'Choose another backup with --name.'
