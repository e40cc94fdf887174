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

const CHECK_KEY = 'Check storage.access_key_id and storage.secret_access_key, or the AWS_ variables'
const CHECK_REGION = 'Set storage.region to the region of the bucket, and storage.endpoint to its address'
const GIVE_ROLE =
  'Set storage.access_key_id and storage.secret_access_key, or give the machine or container a role that may use the ' +
  'bucket. In a container, the metadata service of the machine needs a hop limit of 2'
const ALLOW = 'Allow the key to list, read, write and delete objects of the bucket'

/** What to do about the error codes of S3. */
const REMEDIES: Record<string, string> = {
  NoSuchBucket: 'The bucket does not exist. Create it, or correct storage.url',
  AccessDenied: ALLOW,
  AllAccessDisabled: ALLOW,
  InvalidAccessKeyId: CHECK_KEY,
  SignatureDoesNotMatch: CHECK_KEY,
  InvalidToken: CHECK_KEY,
  [NO_KEY]: GIVE_ROLE,
  ExpiredToken: 'The session token has expired. Use a new one, or a key without a token',
  RequestTimeTooSkewed: 'The clock of this machine is wrong. Set it, best with NTP',
  PermanentRedirect: CHECK_REGION,
  AuthorizationHeaderMalformed: CHECK_REGION,
  IllegalLocationConstraintException: CHECK_REGION,
}

/**
 * Lists, writes, reads and deletes in the bucket, so that a wrong setting is found at the start and not by a job. Throws
 * `StorageUnusableError`, which says what to do.
 */
export async function checkBucket(store: BlobStore, bucket: S3Settings): Promise<void> {
  const key = `storage-check/${randomUUID()}`
  try {
    await store.list('storage-check')[Symbol.asyncIterator]().next()
    await store.write(key, Readable.from([Buffer.from('Switchyard')]))
    await buffer(await store.read(key))
    await store.delete(key)
  } catch (error) {
    const place = `The bucket ${bucket.bucketName} at ${objectAddress(bucket, '').origin} cannot be used`
    const remedy = remedyFor(error)
    throw new StorageUnusableError(`${place}: ${messageOf(error)}. ${remedy}.`, { cause: error })
  }
}

function remedyFor(error: unknown): string {
  if (error instanceof S3UnavailableError && error.reason === NO_KEY) return GIVE_ROLE
  if (!(error instanceof S3RefusedError)) return 'Check storage.endpoint, and that the store is running'
  const known = REMEDIES[error.reason ?? '']
  if (known) return known
  return error.status === 301 || error.status === 307 ? CHECK_REGION : 'Check the settings of [storage]'
}
