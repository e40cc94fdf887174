import { readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { PartialUploads } from '../../../../src/coordinator/ci/storage/partial-uploads.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { filesBelow } from '../../../runner/cache/archives.js'
import { tempDir } from '../../../support/temp-dir.js'

const PLACE = { projectId: 1, jobId: 2, name: 'archive' }

function bytes(text: string): Readable {
  return Readable.from([Buffer.from(text)], { objectMode: false })
}

/** Gives `text` and breaks. */
function broken(text: string): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from(text)
      throw new Error('cut')
    })(),
    { objectMode: false },
  )
}

async function contentOf(uploads: PartialUploads): Promise<string | undefined> {
  return uploads.finish(PLACE, (file) => readFile(file, 'utf8'))
}

test('the received part of an interrupted body is kept, also for the next process', async () => {
  const root = await tempDir()
  const uploads = new PartialUploads(root)
  expect(await uploads.size(PLACE)).toBe(0)
  await expect(uploads.append(PLACE, 0, broken('first '))).rejects.toThrow('cut')
  const next = new PartialUploads(root)
  expect(await next.append(PLACE, 3, bytes('x'))).toEqual({ kind: 'conflict', size: 6 })
  expect(await next.append(PLACE, 6, bytes('second'))).toEqual({ kind: 'appended', size: 12 })
  expect(await contentOf(next)).toBe('first second')
})

test('a restarted upload ends the earlier one whose connection loss went unnoticed', async () => {
  const uploads = new PartialUploads(await tempDir())
  const [silent, arrived] = [new PassThrough(), deferred()]
  silent.write('first ', () => arrived.resolve())
  const forgotten = uploads.append(PLACE, 0, silent)
  await arrived.promise
  const resumed = await uploads.append(PLACE, 0, bytes('other'))
  expect(await forgotten).toMatchObject({ kind: 'conflict' })
  // It had begun, or it had not: never are the two mixed.
  const size = await uploads.size(PLACE)
  expect([
    { kind: 'conflict', size: 6 },
    { kind: 'appended', size: 5 },
  ]).toContainEqual(resumed)
  expect(size).toBe(resumed.size)
})

test('of many at once from the same offset one counts at a time', async () => {
  const uploads = new PartialUploads(await tempDir())
  const all = Array.from({ length: 10 }, () => uploads.append(PLACE, 0, bytes('the same bytes')))
  expect((await Promise.all(all)).filter(({ kind }) => kind === 'appended')).toHaveLength(1)
  expect(await contentOf(uploads)).toBe('the same bytes')
})

test('a body over the limit leaves no data', async () => {
  const root = await tempDir()
  const uploads = new PartialUploads(root)
  await uploads.append(PLACE, 0, bytes('12345'), 8)
  await expect(uploads.append(PLACE, 5, bytes('6789'), 8)).rejects.toMatchObject({ code: 'BLOB_TOO_LARGE' })
  expect(await filesBelow(root)).toEqual([])
})

test.each(['..', 'a/b', '../2/archive', '', 'a.b', 'A'])(
  'an invalid name such as %j is refused',
  async (name) => {
    const uploads = new PartialUploads(await tempDir())
    await expect(uploads.append({ ...PLACE, name }, 0, bytes('x'))).rejects.toMatchObject({
      code: 'INVALID_BLOB_KEY',
    })
  },
)

test('deletes abandoned uploads and nothing else', async () => {
  const root = await tempDir()
  const uploads = new PartialUploads(root)
  await uploads.append(PLACE, 0, bytes('old'))
  await uploads.append({ ...PLACE, jobId: 3 }, 0, bytes('young'))
  const then = new Date(1e12)
  await utimes(join(root, '1', '2', 'archive'), then, then)
  expect(await uploads.deleteAbandoned(new Date(Date.now() - 1000_000))).toBe(1)
  expect(await uploads.size(PLACE)).toBe(0)
  expect(await uploads.size({ ...PLACE, jobId: 3 })).toBe(5)
})
