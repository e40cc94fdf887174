import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { messageOf } from '../../src/lib/errors.js'
import { NO_KEY, withRemedy } from '../../src/s3/errors.js'
import { openS3 } from '../support/blob-stores.js'
import { SETTING_NAMES } from '../support/s3-server.js'

test.each([
  [{ reason: 'NoSuchBucket', status: 404 }, 'The bucket does not exist. Create it, or correct storage.url'],
  [{ reason: 'AccessDenied', status: 403 }, 'Allow the key to list, read, write and delete objects'],
  [{ reason: 'InvalidAccessKeyId', status: 403 }, 'Check storage.access_key_id'],
  [{ reason: 'ExpiredToken', status: 400 }, 'The session token has expired.'],
  [{ reason: NO_KEY }, 'Set storage.access_key_id'],
  [{ reason: 'RequestTimeTooSkewed', status: 403 }, 'The clock of this machine is wrong.'],
  [{ reason: 'PermanentRedirect', status: 301 }, 'Set storage.region to the region of the bucket'],
  [{ reason: 'SlowDown', status: 503 }, 'The store limits requests or is busy.'],
  [{ reason: 'XMinioServerNotInitialized', status: 503 }, 'The store limits requests or is busy.'],
  [{ reason: 'QuotaExceeded', status: 403 }, 'The store is full.'],
  [{ reason: 'KMS.DisabledException', status: 400 }, 'Allow the key to use the encryption key of the bucket'],
  [{ status: 403 }, 'Check storage.access_key_id'],
  [{}, 'Check storage.endpoint, and that the store is running'],
])('the error of %j says what to do', (failure, remedy) => {
  expect(withRemedy('It failed', SETTING_NAMES, failure)).toContain(`It failed. ${remedy}`)
})

test.each([{ reason: 'NoSuchUpload', status: 404 }, { reason: 'toString', status: 400 }, { status: 412 }])(
  'the error of %j has no advice that could be wrong',
  (failure) => expect(withRemedy('It failed', SETTING_NAMES, failure)).toBe('It failed'),
)

test('errors of a bucket that could be used before name it and say what to do', async () => {
  const { server, blobs } = await openS3()
  const body = () => Readable.from([Buffer.from('a')])
  await blobs.write('a', body())
  server.skew = 3_600_000
  const skewed = 'the bucket caches returned 403: RequestTimeTooSkewed. The clock of this machine is wrong.'
  expect(await blobs.write('b', body()).catch(messageOf)).toContain(skewed)
  expect(await blobs.read('a').catch(messageOf)).toContain(skewed)
  // The response to HEAD has no error code.
  expect(await blobs.exists('a').catch(messageOf)).toContain('and the clock of this machine.')
  server.skew = 0
  const busy = { status: 503, body: '<Error><Code>SlowDown</Code></Error>' }
  server.misbehave(() => true, ...Array<typeof busy>(5).fill(busy))
  await expect(blobs.read('a')).rejects.toMatchObject({ code: 'S3_UNAVAILABLE', reason: 'SlowDown' })
})
