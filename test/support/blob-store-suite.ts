import { createHash, randomBytes } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'

import { describe, expect, test } from 'vitest'

import type { BlobStore } from '../../src/coordinator/ci/storage/blob-store.js'
import {
  BlobMissingError,
  BlobTooLargeError,
  DifferentBlobError,
  InvalidBlobKeyError,
} from '../../src/coordinator/ci/storage/errors.js'
import { type OpenBlobs, PART } from './blob-stores.js'
import { tempDir } from './temp-dir.js'

/** The keys of all blobs, or of those below a folder, sorted. */
export async function keysOf(blobs: BlobStore, folder?: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of blobs.list(folder)) keys.push(key)
  return keys.toSorted()
}

/** What every store of blobs does. `open` returns an empty one. */
export function describeBlobStore(name: string, open: OpenBlobs): void {
  describe(name, () => {
    test.each([0, 1, 300_000, PART, 2 * PART + 1])(
      'a blob of %i bytes has its size and digest and can be read',
      async (size) => {
        const blobs = await open()
        const bytes = randomBytes(size)
        const stored = await blobs.write('artifacts/1/2/a', Readable.from([bytes]))
        expect(stored).toEqual({ size, sha256: createHash('sha256').update(bytes).digest('hex') })
        expect((await buffer(await blobs.read('artifacts/1/2/a'))).equals(bytes)).toBe(true)
        expect(await blobs.exists('artifacts/1/2/a')).toBe(true)
        expect(await blobs.find('artifacts/1/2/a')).toMatchObject({ size })
      },
    )

    test('a whole blob is read as it is expected, and refused if it has another size', async () => {
      const blobs = await open()
      for (const size of [0, 10, PART + 1]) {
        const bytes = randomBytes(size)
        const stored = await blobs.write(`a/${size}`, Readable.from([bytes]))
        expect((await buffer(await blobs.readWhole(`a/${size}`, stored))).equals(bytes)).toBe(true)
        expect((await buffer(await blobs.readWhole(`a/${size}`, { size }))).equals(bytes)).toBe(true)
        for (const other of [size + 1, size - 1]) {
          const reading = blobs.readWhole(`a/${size}`, { ...stored, size: other })
          await expect(reading).rejects.toBeInstanceOf(DifferentBlobError)
        }
      }
      await expect(blobs.readWhole('b', { size: 1 })).rejects.toBeInstanceOf(BlobMissingError)
    })

    test('a whole blob with other bytes fails before its last ones', async () => {
      const blobs = await open()
      for (const size of [1, 10, 300_000]) {
        const { sha256 } = await blobs.write(`a/${size}`, Readable.from([randomBytes(size)]))
        await blobs.write(`b/${size}`, Readable.from([randomBytes(size)]))
        const body = await blobs.readWhole(`b/${size}`, { size, sha256 })
        let read = 0
        body.on('data', (chunk: Buffer) => (read += chunk.length))
        await expect(finished(body)).rejects.toBeInstanceOf(DifferentBlobError)
        expect(read).toBeLessThan(size)
      }
    })

    test('a part of a blob is read, and refused if the blob has another size', async () => {
      const blobs = await open()
      await blobs.write('a', Readable.from([Buffer.from('0123456789')]))
      expect(await text(await blobs.readPart('a', { start: 2, end: 4 }, { size: 10 }))).toBe('234')
      for (const [size, range] of [
        [9, { start: 2, end: 4 }],
        [11, { start: 2, end: 4 }],
        [20, { start: 15, end: 16 }],
      ] as const)
        await expect(blobs.readPart('a', range, { size })).rejects.toBeInstanceOf(DifferentBlobError)
      const missing = blobs.readPart('b', { start: 0, end: 1 }, { size: 5 })
      await expect(missing).rejects.toBeInstanceOf(BlobMissingError)
    })

    test('a finished file is stored and stays', async () => {
      const blobs = await open()
      const file = join(await tempDir(), 'file')
      for (const size of [0, 10, 2 * PART + 1]) {
        const bytes = randomBytes(size)
        await writeFile(file, bytes)
        await blobs.storeFile(`a/${size}`, file)
        expect((await buffer(await blobs.read(`a/${size}`))).equals(bytes)).toBe(true)
      }
      expect(await readdir(join(file, '..'))).toEqual(['file'])
    })

    test('a range is read with both ends', async () => {
      const blobs = await open()
      await blobs.write('a', Readable.from([Buffer.from('0123456789')]))
      expect(await text(await blobs.read('a', { start: 2, end: 4 }))).toBe('234')
      expect(await text(await blobs.read('a', { start: 8, end: 40 }))).toBe('89')
      expect(await text(await blobs.read('a', { start: 10, end: 40 }))).toBe('')
    })

    test('a body over the limit leaves no data', async () => {
      const blobs = await open()
      const body = Readable.from([Buffer.alloc(60), Buffer.alloc(60)])
      await expect(blobs.write('a', body, 100)).rejects.toBeInstanceOf(BlobTooLargeError)
      expect(await blobs.exists('a')).toBe(false)
    })

    test.each([4, PART + 10])('a body that fails after %i bytes leaves no data', async (size) => {
      const blobs = await open()
      const body = Readable.from(
        (function* () {
          yield Buffer.alloc(size)
          throw new Error('gone')
        })(),
      )
      await expect(blobs.write('a', body)).rejects.toThrow('gone')
      expect(await blobs.exists('a')).toBe(false)
      expect(await keysOf(blobs)).toEqual([])
    })

    test('a copy stays when the original is deleted, and copying again changes nothing', async () => {
      const blobs = await open()
      await blobs.write('a', Readable.from([Buffer.from('0123456789')]))
      await blobs.copy('a', 'b/c')
      await blobs.copy('a', 'b/c')
      await blobs.delete('a')
      expect(await text(await blobs.read('b/c'))).toBe('0123456789')
      await expect(blobs.copy('a', 'b/d')).rejects.toBeInstanceOf(BlobMissingError)
      await expect(blobs.copy('b/c', '../d')).rejects.toBeInstanceOf(InvalidBlobKeyError)
    })

    test('a missing blob has an error of its own, and can be deleted', async () => {
      const blobs = await open()
      await expect(blobs.read('a')).rejects.toBeInstanceOf(BlobMissingError)
      expect(await blobs.find('a')).toBeUndefined()
      await expect(blobs.delete('a')).resolves.toBeUndefined()
      await expect(blobs.deleteBelow('a')).resolves.toBeUndefined()
    })

    test('a folder is listed and deleted with all that is below, its neighbours stay', async () => {
      const blobs = await open()
      for (const key of ['a/1/x', 'a/1/y/z', 'a/10/x'])
        await blobs.write(key, Readable.from([Buffer.from(key)]))
      expect(await keysOf(blobs)).toEqual(['a/1/x', 'a/1/y/z', 'a/10/x'])
      expect(await keysOf(blobs, 'a/1')).toEqual(['a/1/x', 'a/1/y/z'])
      await blobs.deleteBelow('a/1')
      expect(await keysOf(blobs)).toEqual(['a/10/x'])
      expect(await text(await blobs.read('a/10/x'))).toBe('a/10/x')
    })

    test.each(['', '/a', '../a', 'a/../b', 'a//b', 'a/', '.incoming/a', 'a/./b', 'a b', 'a\0'])(
      'the key %j is refused',
      async (key) => {
        const blobs = await open()
        await expect(blobs.read(key)).rejects.toBeInstanceOf(InvalidBlobKeyError)
        await expect(blobs.delete(key)).rejects.toBeInstanceOf(InvalidBlobKeyError)
        await expect(blobs.write(key, Readable.from([]))).rejects.toBeInstanceOf(InvalidBlobKeyError)
      },
    )

    test('a body that breaks off before the store has begun to read it is an error of the write alone', async () => {
      const blobs = await open()
      const body = new PassThrough()
      const written = blobs.write('a/b', body)
      body.destroy(new Error('gone'))
      await expect(written).rejects.toThrow()
      expect(await blobs.exists('a/b')).toBe(false)
    })
  })
}
