import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { checkBucket } from '../../../../../src/coordinator/ci/storage/s3/check-bucket.js'
import {
  S3BlobStore,
  type S3BlobStoreOptions,
} from '../../../../../src/coordinator/ci/storage/s3/s3-blob-store.js'
import { describeBlobStore, keysOf } from '../../../../support/blob-store-suite.js'
import { PART } from '../../../../support/blob-stores.js'
import { onFinished, openForFile } from '../../../../support/lifetime.js'
import { startSwift } from '../../../../support/swift.js'
import { tempDir } from '../../../../support/temp-dir.js'

const bucket = openForFile(startSwift)

/** An empty store: each has a prefix of its own. */
async function open(options: Partial<S3BlobStoreOptions> = {}): Promise<S3BlobStore> {
  const spoolFolder = await tempDir()
  const blobs = new S3BlobStore({
    bucket: bucket(),
    prefix: randomUUID(),
    spoolFolder,
    partSize: PART,
    ...options,
  })
  onFinished(() => blobs.close())
  return blobs
}

describeBlobStore('blobs in a bucket of Swift', () => open())

test('the check at the start passes, and leaves nothing', async () => {
  const blobs = await open()
  await checkBucket(blobs, bucket(), { isReadOnly: false })
  expect(await keysOf(blobs)).toEqual([])
})

test('more objects than a page are listed and deleted', async () => {
  const blobs = await open()
  const keys = Array.from({ length: 1010 }, (_none, index) => `many/${index}`).toSorted()
  for (let start = 0; start < keys.length; start += 20) {
    const some = keys.slice(start, start + 20)
    await Promise.all(some.map((key) => blobs.write(key, Readable.from([Buffer.from(key)]))))
  }
  expect(await keysOf(blobs)).toEqual(keys)
  await blobs.deleteBelow('many')
  expect(await keysOf(blobs)).toEqual([])
})

test('large objects are copied in parts', async () => {
  const blobs = await open({ largestCopy: PART })
  const bytes = randomBytes(2 * PART + 1)
  await blobs.write('a', Readable.from([bytes]))
  await blobs.copy('a', 'b')
  expect(await blobs.find('b')).toMatchObject({ size: bytes.length })
})

test('uploads that were interrupted are deleted', async () => {
  const blobs = await open()
  const body = new Readable({ read() {} })
  const written = blobs.write('a', body).catch(() => undefined)
  body.push(randomBytes(PART + 1))
  body.destroy(new Error('gone'))
  await written
  await blobs.deleteAbandoned(new Date(Date.now() + 60_000))
  expect(await keysOf(blobs)).toEqual([])
})

test('a download address serves the blob with its headers', async () => {
  const blobs = await open({ isDirect: true })
  await blobs.write('a', Readable.from([Buffer.from('text')]))
  const headers = { contentType: 'application/octet-stream', contentDisposition: 'attachment' }
  const response = await fetch((await blobs.downloadUrl('a', 60, headers)) ?? '')
  expect([response.status, await response.text()]).toEqual([200, 'text'])
  expect(response.headers.get('content-disposition')).toBe('attachment')
})
