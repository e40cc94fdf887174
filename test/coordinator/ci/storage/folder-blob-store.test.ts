import { createHash, randomBytes } from 'node:crypto'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import {
  BlobMissingError,
  BlobTooLargeError,
  InvalidBlobKeyError,
} from '../../../../src/coordinator/ci/storage/errors.js'
import { FolderBlobStore } from '../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { tempDir } from '../../../support/temp-dir.js'

test('a written blob has its size and digest and can be read', async () => {
  const blobs = new FolderBlobStore(await tempDir())
  const bytes = randomBytes(300_000)
  const stored = await blobs.write('artifacts/1/2/a', Readable.from([bytes]))
  expect(stored).toEqual({ size: 300_000, sha256: createHash('sha256').update(bytes).digest('hex') })
  expect((await buffer(await blobs.read('artifacts/1/2/a'))).equals(bytes)).toBe(true)
  expect(await blobs.exists('artifacts/1/2/a')).toBe(true)
})

test('a range is read with both ends', async () => {
  const blobs = new FolderBlobStore(await tempDir())
  await blobs.write('a', Readable.from(['0123456789']))
  expect(await text(await blobs.read('a', { start: 2, end: 4 }))).toBe('234')
})

test('a body over the limit leaves no data', async () => {
  const root = await tempDir()
  const blobs = new FolderBlobStore(root)
  const body = Readable.from([Buffer.alloc(60), Buffer.alloc(60)])
  await expect(blobs.write('a', body, 100)).rejects.toBeInstanceOf(BlobTooLargeError)
  expect(await blobs.exists('a')).toBe(false)
  expect(await readdir(join(root, '.incoming'))).toEqual([])
})

test('an aborted body leaves no data', async () => {
  const root = await tempDir()
  const blobs = new FolderBlobStore(root)
  const body = Readable.from(
    (function* () {
      yield 'half'
      throw new Error('gone')
    })(),
  )
  await expect(blobs.write('a', body)).rejects.toThrow('gone')
  expect(await blobs.exists('a')).toBe(false)
  expect(await readdir(join(root, '.incoming'))).toEqual([])
})

test('a copy stays when the original is deleted, and copying again changes nothing', async () => {
  const blobs = new FolderBlobStore(await tempDir())
  await blobs.write('a', Readable.from(['0123456789']))
  await blobs.copy('a', 'b/c')
  await blobs.copy('a', 'b/c')
  await blobs.delete('a')
  expect(await text(await blobs.read('b/c'))).toBe('0123456789')
  await expect(blobs.copy('a', 'b/d')).rejects.toBeInstanceOf(BlobMissingError)
  await expect(blobs.copy('b/c', '../d')).rejects.toBeInstanceOf(InvalidBlobKeyError)
})

test('distinguishes a missing blob from one that cannot be read', async () => {
  const blobs = new FolderBlobStore(await tempDir())
  await expect(blobs.read('a')).rejects.toBeInstanceOf(BlobMissingError)
  await expect(blobs.delete('a')).resolves.toBeUndefined()
})

test('a folder is deleted with all that is below, its neighbours stay', async () => {
  const blobs = new FolderBlobStore(await tempDir())
  for (const key of ['a/1/x', 'a/1/y', 'a/10/x']) await blobs.write(key, Readable.from([key]))
  await blobs.deleteBelow('a/1')
  expect(await blobs.exists('a/1/x')).toBe(false)
  expect(await text(await blobs.read('a/10/x'))).toBe('a/10/x')
})

test.each(['', '/a', '../a', 'a/../b', 'a//b', 'a/', '.incoming/a', 'a/./b', 'a b', 'a\0'])(
  'the key %j is refused',
  async (key) => {
    const blobs = new FolderBlobStore(await tempDir())
    await expect(blobs.read(key)).rejects.toBeInstanceOf(InvalidBlobKeyError)
    await expect(blobs.delete(key)).rejects.toBeInstanceOf(InvalidBlobKeyError)
  },
)

test('old partial files of a killed coordinator are deleted', async () => {
  const root = await tempDir()
  const blobs = new FolderBlobStore(root)
  await blobs.write('a', Readable.from(['x']))
  await writeFile(join(root, '.incoming', 'old'), '')
  await writeFile(join(root, '.incoming', 'young'), '')
  await utimes(join(root, '.incoming', 'old'), 0, 0)
  await blobs.deleteAbandoned(new Date(Date.now() - 3_600_000))
  expect(await readdir(join(root, '.incoming'))).toEqual(['young'])
})

test('a body that breaks off before the store has begun to read it is an error of the write alone', async () => {
  const blobs = new FolderBlobStore(await tempDir())
  const body = new PassThrough()
  const written = blobs.write('a/b', body)
  body.destroy(new Error('gone'))
  await expect(written).rejects.toThrow()
  expect(await blobs.exists('a/b')).toBe(false)
})
