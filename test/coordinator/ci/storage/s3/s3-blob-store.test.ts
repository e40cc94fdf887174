import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { BlobMissingError, DifferentBlobError } from '../../../../../src/coordinator/ci/storage/errors.js'
import { expectedDownloadUrl } from '../../../../../src/coordinator/ci/storage/read-expected.js'
import { openS3, openStoreIn, PART } from '../../../../support/blob-stores.js'
import { testAtNight } from '../../../../support/nightly.js'
import { BUCKET } from '../../../../support/s3-server.js'
import { tempDir } from '../../../../support/temp-dir.js'

test('objects have the prefix, and other objects of the bucket stay', async () => {
  const { server, blobs } = await openS3()
  const other = await openStoreIn(server, { prefix: 'ci/blobs-of-another' })
  await other.write('a/b', Readable.from([Buffer.from('other')]))
  await blobs.write('a/b', Readable.from([Buffer.from('mine')]))
  expect([...server.objects.keys()]).toEqual(['ci/blobs-of-another/a/b', 'ci/blobs/a/b'])
  await blobs.deleteBelow('a')
  expect([...server.objects.keys()]).toEqual(['ci/blobs-of-another/a/b'])
})

test('each part is sent while the next one arrives, and the spool holds no file afterwards', async () => {
  const spoolFolder = await tempDir()
  const { server, blobs } = await openS3({ spoolFolder })
  const body = new PassThrough()
  const written = blobs.write('a', body)
  body.write(randomBytes(PART + 1))
  const first = new Promise<void>((resolve) => {
    server.misbehave(({ url }) => {
      if (url.includes('partNumber=1')) resolve()
      return false
    }, 'cut')
  })
  await first
  body.end(randomBytes(PART))
  await written
  expect(server.objects.get('ci/blobs/a')?.bytes.length).toBe(2 * PART + 1)
  expect(server.uploads.size).toBe(0)
  expect(await readdir(spoolFolder)).toEqual([])
})

testAtNight(
  'writes, reads, lists, copies and deletes succeed although every fifth request fails',
  async () => {
    const { server, blobs } = await openS3({ largestCopy: 2 * PART })
    let state = 20_261_126
    // A linear congruential generator: the same faults in each run.
    server.failOften(1 / 5, () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647)
    const large = randomBytes(3 * PART + 1)
    for (let round = 0; round < 3; round++) {
      const small = randomBytes(1000)
      await blobs.write(`x/small-${round}`, Readable.from([small]))
      await blobs.write(`x/large-${round}`, Readable.from([large]))
      await blobs.copy(`x/large-${round}`, `x/copy-${round}`)
      expect((await buffer(await blobs.read(`x/small-${round}`))).equals(small)).toBe(true)
      expect((await buffer(await blobs.read(`x/copy-${round}`))).equals(large)).toBe(true)
      const range = { start: 1000, end: 2 * PART }
      const part = await buffer(await blobs.read(`x/large-${round}`, range))
      expect(part.equals(large.subarray(1000, 2 * PART + 1))).toBe(true)
    }
    server.pageSize = 2
    let count = 0
    for await (const { key } of blobs.list('x')) count += key.startsWith('x/') ? 1 : 0
    expect(count).toBe(9)
    await blobs.deleteBelow('x')
    server.failOften(0, () => 1)
    expect(server.objects.size).toBe(0)
  },
)

test('an upload whose last response was lost is complete', async () => {
  const { server, blobs } = await openS3()
  server.misbehave(({ method, url }) => method === 'POST' && url.includes('uploadId='), 'cut-body')
  const bytes = randomBytes(PART + 1)
  await blobs.write('a', Readable.from([bytes]))
  expect(server.objects.get('ci/blobs/a')?.bytes.equals(bytes)).toBe(true)
})

test('a blob whose parts cannot be joined does not exist, and its parts are deleted', async () => {
  const { server, blobs } = await openS3()
  const failure = { status: 200, body: '<Error><Code>InvalidPart</Code></Error>' }
  server.misbehave(({ method, url }) => method === 'POST' && url.includes('uploadId='), failure)
  await expect(blobs.write('a', Readable.from([randomBytes(PART + 1)]))).rejects.toThrow('InvalidPart')
  expect(await blobs.exists('a')).toBe(false)
  expect(server.uploads.size).toBe(0)
})

test('a blob that is replaced while a broken read continues is an error, not a mixture', async () => {
  const { server, blobs } = await openS3()
  await blobs.write('a', Readable.from([randomBytes(500_000)]))
  server.misbehave(({ method }) => method === 'GET', 'cut-body')
  const body = await blobs.read('a')
  await blobs.write('a', Readable.from([randomBytes(500_000)]))
  await expect(buffer(body)).rejects.toThrow('PreconditionFailed')
})

test('a whole blob fails before its last bytes if they are others, also over a broken connection', async () => {
  const { server, blobs } = await openS3()
  const stored = await blobs.write('a', Readable.from([randomBytes(500_000)]))
  server.misbehave(({ method }) => method === 'GET', 'cut-body')
  expect(await buffer(await blobs.readWhole('a', stored))).toHaveLength(500_000)
  await blobs.write('a', Readable.from([randomBytes(500_000)]))
  server.misbehave(({ method }) => method === 'GET', 'cut-body')
  let received = 0
  const reading = async () => {
    for await (const chunk of await blobs.readWhole('a', stored)) received += (chunk as Buffer).length
  }
  await expect(reading()).rejects.toBeInstanceOf(DifferentBlobError)
  expect(received).toBeGreaterThanOrEqual(250_000)
  expect(received).toBeLessThan(500_000)
})

testAtNight('a reader that stops early ends the download', async () => {
  const { server, blobs } = await openS3()
  await blobs.write('a', Readable.from([randomBytes(4 * PART)]))
  const body = await blobs.read('a')
  const { lastEnd } = server
  body.destroy()
  await expect(lastEnd).resolves.toBeDefined()
})

testAtNight('large objects are copied in parts on the server', async () => {
  const { server, blobs } = await openS3({ largestCopy: PART })
  const bytes = randomBytes(2 * PART + 1)
  await blobs.write('a', Readable.from([bytes]))
  server.calls.length = 0
  await blobs.copy('a', 'b')
  expect(server.calls.every(({ size }) => size < 10_000)).toBe(true)
  expect(server.objects.get('ci/blobs/b')?.bytes.equals(bytes)).toBe(true)
})

test('unfinished uploads of a killed coordinator are deleted after a day', async () => {
  const { server, blobs } = await openS3()
  server.pageSize = 1
  const [old, young] = [new Date(Date.now() - 100_000), new Date()]
  const upload = { headers: {}, parts: new Map() }
  server.uploads.set('1', { ...upload, name: 'ci/blobs/a', initiatedAt: old })
  server.uploads.set('2', { ...upload, name: 'ci/blobs/b', initiatedAt: young })
  server.uploads.set('3', { ...upload, name: 'ci/blobs/c', initiatedAt: old })
  server.uploads.set('4', { ...upload, name: 'of/others', initiatedAt: old })
  await blobs.deleteAbandoned(new Date(Date.now() - 50_000))
  expect([...server.uploads.keys()]).toEqual(['2', '4'])
})

test('a download address serves the blob with safe headers until it expires', async () => {
  const { server, blobs } = await openS3({ isDirect: true })
  await blobs.write('a', Readable.from([Buffer.from('<script>')]))
  const headers = {
    contentType: 'application/octet-stream',
    contentDisposition: `attachment; filename="a b.html"`,
  }
  const url = (await blobs.downloadUrl('a', 60, headers)) ?? ''
  const response = await fetch(url)
  expect(await response.text()).toBe('<script>')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="a b.html"',
  })
  expect((await fetch(url.replace('octet-stream', 'html'))).status).toBe(403)
  server.skew = 61_000
  expect((await fetch(url)).status).toBe(403)
})

test('no address is given for an object that is gone or has another size', async () => {
  const { blobs } = await openS3({ isDirect: true })
  await blobs.write('a', Readable.from([Buffer.from('0123')]))
  const headers = { contentType: 'text/plain', contentDisposition: 'attachment' }
  expect(await expectedDownloadUrl(blobs, 'a', { size: 4 }, headers)).toContain('/ci/blobs/a?')
  const cut = expectedDownloadUrl(blobs, 'a', { size: 5 }, headers)
  await expect(cut).rejects.toBeInstanceOf(DifferentBlobError)
  await blobs.delete('a')
  const gone = expectedDownloadUrl(blobs, 'a', { size: 4 }, headers)
  await expect(gone).rejects.toBeInstanceOf(BlobMissingError)
})

test('a bucket that does not exist is not a missing blob', async () => {
  const { server } = await openS3()
  const blobs = await openStoreIn(server, { bucket: server.settings({ bucketName: `${BUCKET}-2` }) })
  const error: unknown = await blobs.read('a').catch((reason: unknown) => reason)
  expect(error).not.toBeInstanceOf(BlobMissingError)
  expect(String(error)).toContain(`the bucket ${BUCKET}-2 returned 404: NoSuchBucket`)
})
