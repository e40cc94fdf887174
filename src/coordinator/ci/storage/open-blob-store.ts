import { join } from 'node:path'

import type { S3Settings } from '../../../s3/s3-settings.js'
import type { BlobStore } from './blob-store.js'
import { FolderBlobStore } from './folder-blob-store.js'
import { MigratingBlobStore } from './migrating-blob-store.js'

/** Where blobs are: in the data folder, or in a bucket. */
export type StoragePlace =
  | { kind: 'folder' }
  /** `prefix` is before the key in the names of objects; without slashes at its ends, may be empty. */
  | { kind: 's3'; bucket: S3Settings; prefix: string }

export interface StorageSettings {
  place: StoragePlace
  /** Where blobs were before. Those that have not been moved are read there. */
  previous: StoragePlace | undefined
  /** Whether clients download large files from the bucket itself. */
  isDirect: boolean
}

/** Opens the store of all blobs. Throws `StorageUnusableError` if a bucket cannot be used. */
export async function openBlobStore(
  { storage, dataDir }: { storage: StorageSettings; dataDir: string },
  { isChecked = false } = {},
): Promise<BlobStore> {
  const { isDirect } = storage
  const current = await openPlace(storage.place, dataDir, { isChecked, isDirect })
  if (!storage.previous) return current
  return new MigratingBlobStore(current, await openPlace(storage.previous, dataDir, { isChecked }))
}

/** Opens the store of one place. `isChecked`: a bucket is tried out first. */
export async function openPlace(
  place: StoragePlace,
  dataDir: string,
  { isChecked, isDirect = false }: { isChecked: boolean; isDirect?: boolean },
): Promise<BlobStore> {
  if (place.kind === 'folder') return new FolderBlobStore(join(dataDir, 'blobs'))
  const { bucket, prefix } = place
  // Loaded only when it is configured.
  const { S3BlobStore } = await import('./s3/s3-blob-store.js')
  const store = new S3BlobStore({ bucket, prefix, isDirect, spoolFolder: join(dataDir, 'spool') })
  if (!isChecked) return store
  const { checkBucket } = await import('./s3/check-bucket.js')
  try {
    await checkBucket(store, bucket)
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** For people: `s3://bucket/prefix`, or the folder. */
export function shownPlace(place: StoragePlace, dataDir: string): string {
  if (place.kind === 'folder') return join(dataDir, 'blobs')
  return ['s3:/', place.bucket.bucketName, place.prefix].filter((part) => part !== '').join('/')
}

export function isSamePlace(one: StoragePlace, other: StoragePlace): boolean {
  if (one.kind === 'folder' || other.kind === 'folder') return one.kind === other.kind
  return (
    one.bucket.bucketName === other.bucket.bucketName &&
    one.bucket.serverAddress === other.bucket.serverAddress &&
    one.prefix === other.prefix
  )
}
