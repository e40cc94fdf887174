import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { messageOf } from '../../../../lib/errors.js'
import { objectAddress } from '../../../../s3/object-address.js'
import type { S3Settings } from '../../../../s3/s3-settings.js'
import type { BlobStore } from '../blob-store.js'
import { StorageUnusableError } from '../errors.js'

/**
 * Lists, writes, reads and deletes in the bucket, so that a wrong setting is found at the start and not by a job. Throws
 * `StorageUnusableError`, which says what to do.
 */
export async function checkBucket(
  store: BlobStore,
  bucket: S3Settings,
  { isReadOnly }: { isReadOnly: boolean },
): Promise<void> {
  const key = `storage-check/${randomUUID()}`
  try {
    await store.list('storage-check')[Symbol.asyncIterator]().next()
    if (isReadOnly) return
    await store.write(key, Readable.from([Buffer.from('Switchyard')]))
    await buffer(await store.read(key))
    await store.delete(key)
  } catch (error) {
    const place = `The bucket ${bucket.bucketName} at ${objectAddress(bucket, '').origin} cannot be used`
    throw new StorageUnusableError(`${place}: ${messageOf(error)}.`, { cause: error })
  }
}
