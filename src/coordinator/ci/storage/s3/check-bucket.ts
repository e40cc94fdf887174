import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { messageOf } from '../../../../lib/errors.js'
import { S3RefusedError, S3UnavailableError } from '../../../../s3/errors.js'
import { objectAddress } from '../../../../s3/object-address.js'
import type { S3Settings } from '../../../../s3/s3-settings.js'
import { NO_KEY } from '../../../../s3/temporary-credentials.js'
import type { BlobStore } from '../blob-store.js'
import { StorageUnusableError } from '../errors.js'

/** What to do about the error codes of S3. `table` has the key of the bucket in the settings. */
function remediesOf(table: string): Record<string, string> & { PermanentRedirect: string } {
  const checkKey = `Check ${table}.access_key_id and ${table}.secret_access_key, or the AWS_ variables`
  const checkRegion = `Set ${table}.region to the region of the bucket, and ${table}.endpoint to its address`
  const allow = 'Allow the key to list, read, write and delete objects of the bucket'
  return {
    NoSuchBucket: `The bucket does not exist. Create it, or correct ${table}.url`,
    AccessDenied: allow,
    AllAccessDisabled: allow,
    InvalidAccessKeyId: checkKey,
    SignatureDoesNotMatch: checkKey,
    InvalidToken: checkKey,
    [NO_KEY]:
      `Set ${table}.access_key_id and ${table}.secret_access_key, or give the machine or container a role that may ` +
      'use the bucket. In a container, the metadata service of the machine needs a hop limit of 2',
    ExpiredToken: 'The session token has expired. Use a new one, or a key without a token',
    RequestTimeTooSkewed: 'The clock of this machine is wrong. Set it, best with NTP',
    PermanentRedirect: checkRegion,
    AuthorizationHeaderMalformed: checkRegion,
    IllegalLocationConstraintException: checkRegion,
  }
}

/**
 * Lists, writes, reads and deletes in the bucket, so that a wrong setting is found at the start and not by a job. Throws
 * `StorageUnusableError`, which says what to do.
 */
export async function checkBucket(
  store: BlobStore,
  bucket: S3Settings,
  { isReadOnly, table }: { isReadOnly: boolean; table: string },
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
    const remedy = remedyFor(error, table)
    throw new StorageUnusableError(`${place}: ${messageOf(error)}. ${remedy}.`, { cause: error })
  }
}

function remedyFor(error: unknown, table: string): string {
  const remedies = remediesOf(table)
  const isS3Error = error instanceof S3RefusedError || error instanceof S3UnavailableError
  const known = isS3Error ? remedies[error.reason ?? ''] : undefined
  if (known !== undefined) return known
  if (!(error instanceof S3RefusedError)) return `Check ${table}.endpoint, and that the store is running`
  const isElsewhere = error.status === 301 || error.status === 307
  return isElsewhere ? remedies.PermanentRedirect : `Check the settings of [${table}]`
}
