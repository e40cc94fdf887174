import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

import { openLocation, overlap, shownLocation, type StorageLocation } from '../ci/storage/open-blob-store.js'
import type { InstanceLocation } from './back-up.js'
import type { BackupLocation } from './backup-location.js'
import { BucketLocation } from './bucket-location.js'
import { BackupError } from './errors.js'
import { FolderLocation } from './folder-location.js'

/** A folder, or a bucket. */
export type BackupTarget = { kind: 'backup-folder'; path: string } | (StorageLocation & { kind: 's3' })

/** Opens a place for backups of an instance. Throws `BackupError` if it is where the instance has its own files. */
export async function openForBackup(
  target: BackupTarget,
  { dataDir, storage }: InstanceLocation,
): Promise<BackupLocation> {
  if (target.kind === 'backup-folder') {
    if (!relative(dataDir, resolve(target.path)).startsWith('..')) {
      throw new BackupError(
        `${target.path} is inside the data folder. Name a folder elsewhere, best on another disk.`,
      )
    }
    return new FolderLocation(target.path)
  }
  const shown = shownLocation(target, dataDir)
  if ([storage.location, storage.previous].some((own) => own && overlap(own, target))) {
    throw new BackupError(
      `${shown} is where the installation stores its files. Name another bucket or prefix.`,
    )
  }
  const { serverAddress = '' } = target.bucket
  const digest = createHash('sha256').update(`${serverAddress} ${shown}`).digest('hex').slice(0, 16)
  const localFolder = join(dataDir, 'backup', digest)
  return openBucket(target, { localFolder, isTemporary: false })
}

/** Opens a place whose backups are to be read. */
export async function openForReading(target: BackupTarget): Promise<BackupLocation> {
  if (target.kind === 'backup-folder') return new FolderLocation(target.path)
  const localFolder = await mkdtemp(join(tmpdir(), 'switchyard-backup-'))
  try {
    return await openBucket(target, { localFolder, isTemporary: true })
  } catch (error) {
    await rm(localFolder, { recursive: true })
    throw error
  }
}

/** Closes the place when `use` has ended. */
export async function whileOpen<T>(
  opening: Promise<BackupLocation>,
  use: (location: BackupLocation) => Promise<T>,
): Promise<T> {
  const location = await opening
  try {
    return await use(location)
  } finally {
    await location.close()
  }
}

async function openBucket(
  target: StorageLocation & { kind: 's3' },
  local: { localFolder: string; isTemporary: boolean },
): Promise<BackupLocation> {
  const { localFolder, isTemporary } = local
  const folders = { dataDir: localFolder, sharedDir: localFolder }
  const check = { isChecked: true, isReadOnly: isTemporary }
  const blobs = await openLocation(target, folders, check)
  return new BucketLocation(blobs, { ...local, shown: shownLocation(target, localFolder) })
}
