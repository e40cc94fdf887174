import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import { FolderBlobStore } from '../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { MigratingBlobStore } from '../../../../src/coordinator/ci/storage/migrating-blob-store.js'
import { describeBlobStore, keysOf } from '../../../support/blob-store-suite.js'
import { BLOB_STORES, openBucket, openFolder } from '../../../support/blob-stores.js'
import { tempDir } from '../../../support/temp-dir.js'

for (const [name, open] of BLOB_STORES) describeBlobStore(`blobs in a ${name}`, open)

describe('blobs in a folder', () => {
  test('partial files of failed writes are deleted at once, those of a killed coordinator later', async () => {
    const root = await tempDir()
    const incoming = join(root, '.incoming')
    const blobs = new FolderBlobStore(root)
    await expect(blobs.write('a', Readable.from([Buffer.alloc(2)]), 1)).rejects.toThrow()
    expect(await readdir(incoming)).toEqual([])
    await mkdir(incoming, { recursive: true })
    for (const name of ['old', 'young']) await writeFile(join(incoming, name), '')
    await utimes(join(incoming, 'old'), 0, 0)
    await blobs.deleteAbandoned(new Date(Date.now() - 3_600_000))
    expect(await readdir(incoming)).toEqual(['young'])
  })

  test('are listed without files of others in the folder', async () => {
    const root = await tempDir()
    const blobs = new FolderBlobStore(root)
    await blobs.write('a/b', Readable.from([Buffer.from('x')]))
    await mkdir(join(root, 'lost+found'))
    for (const name of ['lost+found/1', 'a/copy of b', 'notes~']) await writeFile(join(root, name), '')
    expect(await keysOf(blobs)).toEqual(['a/b'])
  })
})

describe('blobs that are being moved', () => {
  async function openBoth() {
    const [current, previous] = [await openBucket(), await openFolder()]
    return { current, previous, blobs: new MigratingBlobStore(current, previous) }
  }

  test('are read where they were, and new ones are written to the new place alone', async () => {
    const { current, previous, blobs } = await openBoth()
    await previous.write('old', Readable.from([Buffer.from('old')]))
    await blobs.write('new', Readable.from([Buffer.from('new')]))
    expect(await text(await blobs.read('old'))).toBe('old')
    expect(await keysOf(blobs)).toEqual(['new', 'old'])
    expect(await keysOf(previous)).toEqual(['old'])
    await blobs.copy('old', 'copy')
    expect(await keysOf(current)).toEqual(['copy', 'new'])
    expect(await text(await blobs.read('copy'))).toBe('old')
  })

  test('are found when they are moved between the two looks', async () => {
    const { current, previous, blobs } = await openBoth()
    await previous.write('a', Readable.from([Buffer.from('a')]))
    const read = previous.read.bind(previous)
    previous.read = async (key) => {
      await current.write(key, await read(key))
      await previous.delete(key)
      return read(key)
    }
    expect(await text(await blobs.read('a'))).toBe('a')
  })

  test('are deleted in both places', async () => {
    const { current, previous, blobs } = await openBoth()
    for (const store of [current, previous]) {
      for (const key of ['a', 'b/c']) await store.write(key, Readable.from([Buffer.from('x')]))
    }
    await blobs.delete('a')
    await blobs.deleteBelow('b')
    expect(await keysOf(blobs)).toEqual([])
    expect(await keysOf(previous)).toEqual([])
  })
})
