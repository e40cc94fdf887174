import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

import { openPlace, overlap, shownPlace, type StoragePlace } from '../ci/storage/open-blob-store.js'
import type { InstancePlace } from './back-up.js'
import type { BackupPlace } from './backup-place.js'
import { BucketPlace } from './bucket-place.js'
import { BackupError } from './errors.js'
import { FolderPlace } from './folder-place.js'

/** A folder, or a bucket. */
export type BackupTarget = { kind: 'backup-folder'; path: string } | (StoragePlace & { kind: 's3' })

/** Opens a place for backups of an instance. Throws `BackupError` if it is where the instance has its own files. */
export async function openForBackup(
  target: BackupTarget,
  { dataDir, storage }: InstancePlace,
): Promise<BackupPlace> {
  if (target.kind === 'backup-folder') {
    if (!relative(dataDir, resolve(target.path)).startsWith('..')) {
      throw new BackupError(
        `${target.path} is inside the data folder. Name a folder elsewhere, best on another disk.`,
      )
    }
    return new FolderPlace(target.path)
  }
  const shown = shownPlace(target, dataDir)
  if ([storage.place, storage.previous].some((own) => own && overlap(own, target))) {
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
export async function openForReading(target: BackupTarget): Promise<BackupPlace> {
  if (target.kind === 'backup-folder') return new FolderPlace(target.path)
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
  opening: Promise<BackupPlace>,
  use: (place: BackupPlace) => Promise<T>,
): Promise<T> {
  const place = await opening
  try {
    return await use(place)
  } finally {
    await place.close()
  }
}

async function openBucket(
  target: StoragePlace & { kind: 's3' },
  local: { localFolder: string; isTemporary: boolean },
): Promise<BackupPlace> {
  const { localFolder, isTemporary } = local
  const folders = { dataDir: localFolder, sharedDir: localFolder }
  const check = { isChecked: true, isReadOnly: isTemporary }
  const blobs = await openPlace(target, folders, check)
  return new BucketPlace(blobs, { ...local, shown: shownPlace(target, localFolder) })
}
