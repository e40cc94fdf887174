import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import type { BlobStore } from '../../../../src/coordinator/ci/storage/blob-store.js'
import { DamagedBlobError } from '../../../../src/coordinator/ci/storage/errors.js'
import { MigratingBlobStore } from '../../../../src/coordinator/ci/storage/migrating-blob-store.js'
import { moveBetween } from '../../../../src/coordinator/ci/storage/move-between.js'
import { moveBlobs } from '../../../../src/coordinator/ci/storage/move-blobs.js'
import type { StorageLocation } from '../../../../src/coordinator/ci/storage/open-blob-store.js'
import { type OpenBlobs, openBucket, openFolder } from '../../../support/blob-stores.js'
import { testAtNight } from '../../../support/nightly.js'
import { tempDir } from '../../../support/temp-dir.js'

const DIRECTIONS: [string, OpenBlobs, OpenBlobs][] = [
  ['to a bucket', openFolder, openBucket],
  ['to a folder', openBucket, openFolder],
]

async function openMove(openFrom: OpenBlobs = openFolder, openTo: OpenBlobs = openBucket) {
  const [from, to] = [await openFrom(), await openTo()]
  const contents = new Map(
    Array.from({ length: 12 }, (_none, index) => [
      `artifacts/${index % 3}/${index}`,
      randomBytes(1000 + index),
    ]),
  )
  for (const [key, bytes] of contents) await from.write(key, Readable.from([bytes]))
  const journal = join(await tempDir(), 'moved.db')
  const run = (changes: { to?: BlobStore; from?: BlobStore; isDeleting?: boolean } = {}) =>
    moveBlobs({ from, to, target: 'there', journal, isDeleting: false, ...changes })
  return { from, to, contents, run }
}

async function expectAll(blobs: BlobStore, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  const keys: string[] = []
  for await (const { key } of blobs.list()) keys.push(key)
  expect(keys.toSorted()).toEqual([...contents.keys()].toSorted())
  for (const [key, bytes] of contents) expect((await buffer(await blobs.read(key))).equals(bytes)).toBe(true)
}

/** `blobs` with other methods. */
function withMethods(blobs: BlobStore, methods: Partial<BlobStore>): BlobStore {
  return new Proxy(blobs, {
    get: (target, name) => {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

describe.each(DIRECTIONS)('moving blobs %s', (_name, openFrom, openTo) => {
  test('copies all, and a second run copies only what is new', async () => {
    const { from, to, contents, run } = await openMove(openFrom, openTo)
    expect(await run()).toMatchObject({ copied: 12, known: 0 })
    await expectAll(to, contents)
    await expectAll(from, contents)
    contents.set('new', randomBytes(10))
    await from.write('new', Readable.from([contents.get('new')]))
    expect(await run()).toEqual({ copied: 1, known: 12, bytes: 10 })
    await expectAll(to, contents)
  })

  test('deletes each original once its copy was compared, and readers of both find all the time', async () => {
    const { from, to, contents, run } = await openMove(openFrom, openTo)
    const both = new MigratingBlobStore(to, from)
    const deleting = withMethods(from, {
      delete: async (key) => {
        await from.delete(key)
        expect((await buffer(await both.read(key))).equals(contents.get(key)!)).toBe(true)
      },
    })
    expect(await run({ from: deleting, isDeleting: true })).toMatchObject({ copied: 12 })
    await expectAll(to, contents)
    await expectAll(from, new Map())
    expect(await run({ isDeleting: true })).toEqual({ copied: 0, known: 0, bytes: 0 })
  })

  testAtNight('a run that ends at any step loses nothing, and the next one goes on', async () => {
    const { from, to, contents, run } = await openMove(openFrom, openTo)
    const both = new MigratingBlobStore(to, from)
    let runs = 0
    for (let steps = 1; ; steps += 3) {
      let left = steps
      const step = () => {
        if (--left < 0) throw new Error('killed')
      }
      const stopping = (blobs: BlobStore) =>
        withMethods(blobs, {
          write: async (key, body) => {
            step()
            const stored = await blobs.write(key, body)
            step()
            return stored
          },
          delete: async (key) => {
            step()
            await blobs.delete(key)
            step()
          },
        })
      runs++
      const isDone = await run({ from: stopping(from), to: stopping(to), isDeleting: true }).then(
        () => true,
        () => false,
      )
      await expectAll(both, contents)
      if (isDone) break
    }
    expect(runs).toBeGreaterThan(2)
    await expectAll(to, contents)
    await expectAll(from, new Map())
  })
})

describe('moving blobs', () => {
  test('a copy that differs is deleted, and the original stays', async () => {
    const { from, to, contents, run } = await openMove()
    const damaging = withMethods(to, {
      write: async (key, body) => {
        const bytes = await buffer(body)
        const stored = await to.write(key, Readable.from([bytes]))
        await to.write(key, Readable.from([Buffer.alloc(bytes.length)]))
        return stored
      },
    })
    await expect(run({ to: damaging, isDeleting: true })).rejects.toBeInstanceOf(DamagedBlobError)
    await expectAll(from, contents)
  })

  test.each(['before', 'after'])(
    'a blob that is deleted %s it is written is not brought back',
    async (when) => {
      const { from, to, contents, run } = await openMove()
      const both = new MigratingBlobStore(to, from)
      const [gone = ''] = contents.keys()
      const deleting = withMethods(to, {
        write: async (key, body) => {
          if (key === gone && when === 'before') await both.delete(gone)
          const stored = await to.write(key, body)
          if (key === gone && when === 'after') await both.delete(gone)
          return stored
        },
      })
      expect(await run({ to: deleting })).toMatchObject({ copied: 11 })
      contents.delete(gone)
      await expectAll(both, contents)
      await expectAll(to, contents)
    },
  )
})

describe('the places of a move', () => {
  const folder: StorageLocation = { kind: 'folder' }
  const bucket = { kind: 's3', prefix: '', bucket: { bucketName: 'b' } } as StorageLocation

  test('are the previous and the current one, or the current and a new one', () => {
    expect(moveBetween({ location: bucket, previous: folder, isDirect: false }, bucket, true)).toEqual({
      from: folder,
      to: bucket,
    })
    expect(moveBetween({ location: folder, previous: undefined, isDirect: false }, bucket, false)).toEqual({
      from: folder,
      to: bucket,
    })
  })

  test('originals that coordinators read are not deleted, and there must be another place', () => {
    expect(() =>
      moveBetween({ location: folder, previous: undefined, isDirect: false }, bucket, true),
    ).toThrow('--delete')
    expect(() =>
      moveBetween({ location: bucket, previous: undefined, isDirect: false }, bucket, false),
    ).toThrow('Nothing to move')
  })
})
