import { join } from 'node:path'

import type { S3Settings } from '../../../s3/s3-settings.js'
import type { BlobStore } from './blob-store.js'
import { FolderBlobStore } from './folder-blob-store.js'
import { MigratingBlobStore } from './migrating-blob-store.js'

/** Where blobs are: in the shared folder, or in a bucket. */
export type StorageLocation =
  | { kind: 'folder' }
  /** `prefix` is before the key in the names of objects; without slashes at its ends, may be empty. */
  | { kind: 's3'; bucket: S3Settings; prefix: string }

export interface StorageSettings {
  location: StorageLocation
  /** Where blobs were before. Those that have not been moved are read there. */
  previous: StorageLocation | undefined
  /** Whether clients download large files from the bucket itself. */
  isDirect: boolean
}

/** As in the settings of the coordinator. */
export interface BlobFolders {
  /** For temporary files. */
  dataDir: string
  sharedDir: string
}

/** Opens the store of all blobs. Throws `StorageUnusableError` if a bucket cannot be used. */
export async function openBlobStore(
  { storage, ...folders }: { storage: StorageSettings } & BlobFolders,
  { isChecked = false } = {},
): Promise<BlobStore> {
  const { isDirect } = storage
  const current = await openLocation(storage.location, folders, { isChecked, isDirect })
  if (!storage.previous) return current
  return new MigratingBlobStore(current, await openLocation(storage.previous, folders, { isChecked }))
}

export interface OpenLocationOptions {
  /** Whether a bucket is tested first. */
  isChecked: boolean
  /** Whether objects are only listed and read. */
  isReadOnly?: boolean
  /** Whether clients may download from the bucket itself. */
  isDirect?: boolean
}

/** Opens the store of one place. Throws `StorageUnusableError`. */
export async function openLocation(
  location: StorageLocation,
  { dataDir, sharedDir }: BlobFolders,
  { isChecked, isReadOnly = false, isDirect = false }: OpenLocationOptions,
): Promise<BlobStore> {
  if (location.kind === 'folder') return new FolderBlobStore(join(sharedDir, 'blobs'))
  const { bucket, prefix } = location
  // Loaded only when it is configured.
  const { S3BlobStore } = await import('./s3/s3-blob-store.js')
  const store = new S3BlobStore({ bucket, prefix, isDirect, spoolFolder: join(dataDir, 'spool') })
  if (!isChecked) return store
  const { checkBucket } = await import('./s3/check-bucket.js')
  try {
    await checkBucket(store, bucket, { isReadOnly })
  } catch (error) {
    await store.close()
    throw error
  }
  return store
}

/** For people: `s3://bucket/prefix`, or the folder. */
export function shownLocation(location: StorageLocation, sharedDir: string): string {
  if (location.kind === 'folder') return join(sharedDir, 'blobs')
  return ['s3:/', location.bucket.bucketName, location.prefix].filter((part) => part !== '').join('/')
}

/** Whether two buckets are the same one, and one prefix is below the other. Pure. */
export function overlap(one: StorageLocation, other: StorageLocation): boolean {
  if (one.kind === 'folder' || other.kind === 'folder') return false
  const [shorter = '', longer = ''] = [one.prefix, other.prefix].toSorted((a, b) => a.length - b.length)
  return isSameBucket(one, other) && (shorter === '' || `${longer}/`.startsWith(`${shorter}/`))
}

export function isSameLocation(one: StorageLocation, other: StorageLocation): boolean {
  if (one.kind === 'folder' || other.kind === 'folder') return one.kind === other.kind
  return isSameBucket(one, other) && one.prefix === other.prefix
}

function isSameBucket(
  one: StorageLocation & { kind: 's3' },
  other: StorageLocation & { kind: 's3' },
): boolean {
  return (
    one.bucket.bucketName === other.bucket.bucketName &&
    one.bucket.serverAddress === other.bucket.serverAddress
  )
}
