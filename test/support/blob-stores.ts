import type { BlobStore } from '../../src/coordinator/ci/storage/blob-store.js'
import { FolderBlobStore } from '../../src/coordinator/ci/storage/folder-blob-store.js'
import { MigratingBlobStore } from '../../src/coordinator/ci/storage/migrating-blob-store.js'
import { S3BlobStore, type S3BlobStoreOptions } from '../../src/coordinator/ci/storage/s3/s3-blob-store.js'
import { onFinished } from './lifetime.js'
import { variants } from './nightly.js'
import { S3Server } from './s3-server.js'
import { tempDir } from './temp-dir.js'

/** Smallest part that S3 allows. */
export const PART = 5 * 1024 ** 2

export type OpenBlobs = () => Promise<BlobStore>

export const openFolder: OpenBlobs = async () => new FolderBlobStore(await tempDir())

export const openBucket: OpenBlobs = async () => (await openS3()).blobs

/** A bucket of its own, and the store of blobs in it. */
export async function openS3(
  options: Partial<S3BlobStoreOptions> = {},
): Promise<{ server: S3Server; blobs: S3BlobStore }> {
  const server = await S3Server.start()
  return { server, blobs: await openStoreIn(server, options) }
}

export async function openStoreIn(
  server: S3Server,
  options: Partial<S3BlobStoreOptions> = {},
): Promise<S3BlobStore> {
  const blobs = new S3BlobStore({
    bucket: server.settings(),
    prefix: 'ci/blobs',
    spoolFolder: await tempDir(),
    partSize: PART,
    retryDelay: 1,
    ...options,
  })
  onFinished(() => blobs.close())
  return blobs
}

type NamedStore = [name: string, open: OpenBlobs]

/** The stores of blobs, by name. Tests of blobs run on each, at night on one that is being moved as well. */
export const BLOB_STORES = variants<NamedStore>(
  [
    ['folder', openFolder],
    ['bucket', openBucket],
  ],
  [
    [
      'bucket, moved from a folder',
      async () => new MigratingBlobStore(await openBucket(), await openFolder()),
    ],
  ],
)
