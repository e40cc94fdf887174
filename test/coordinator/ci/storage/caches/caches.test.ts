import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { type CacheId, Caches } from '../../../../../src/coordinator/ci/storage/caches/caches.js'
import {
  evictUnusedCaches,
  superfluous,
} from '../../../../../src/coordinator/ci/storage/caches/evict-caches.js'
import { FolderBlobStore } from '../../../../../src/coordinator/ci/storage/folder-blob-store.js'
import { filesBelow } from '../../../../runner/cache/archives.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { openEngine } from '../../engine/support/engine.js'
import { addProject } from '../../engine/support/records.js'

async function openCaches(open: OpenDatabase, projectMaxBytes = 1000) {
  const { store, project, user } = await openEngine(open)
  const root = await tempDir()
  const blobs = new FolderBlobStore(root)
  const caches = new Caches(store.database, blobs, { maxBytes: 100, projectMaxBytes })
  const place = (changes: Partial<CacheId> = {}): CacheId => ({
    projectId: project.id,
    isProtected: false,
    key: 'default',
    ...changes,
  })
  const save = (bytes: string, at = place(), content?: string) =>
    caches.save(at, content, Readable.from([bytes]))
  const read = async (at = place()) => {
    const found = await caches.find(at)
    return found && (await text(await caches.open(found)))
  }
  return { database: store.database, project, user, root, blobs, caches, place, save, read }
}

describeOnDatabase('caches', (open) => {
  test('a save replaces the earlier content', async () => {
    const { caches, root, save, read, place } = await openCaches(open)
    expect(await read()).toBeUndefined()
    await save('first', place(), '1-abc')
    await save('second', place(), '1-def')
    expect(await read()).toBe('second')
    expect(await caches.find(place())).toMatchObject({ size: 6, content: '1-def' })
    expect(await filesBelow(root)).toHaveLength(1)
  })

  test('protected refs, keys and projects are apart', async () => {
    const { database, user, save, read, place } = await openCaches(open)
    const other = await addProject(database, user)
    const long = 'k'.repeat(1000)
    const places = [
      place(),
      place({ isProtected: true }),
      place({ key: 'default-protected' }),
      place({ key: long }),
      place({ projectId: other.id }),
    ]
    for (const [index, at] of places.entries()) await save(`content ${index}`, at)
    expect(await Promise.all(places.map(read))).toEqual(places.map((_, index) => `content ${index}`))
  })

  test('an archive over the limit, or one that breaks off, leaves the old one in place', async () => {
    const { caches, root, save, read, place } = await openCaches(open)
    await save('old')
    await expect(save('x'.repeat(101))).rejects.toMatchObject({ code: 'BLOB_TOO_LARGE' })
    const broken = new Readable({
      read() {
        this.push('half')
        this.destroy(new Error('broken off'))
      },
    })
    await expect(caches.save(place(), undefined, broken)).rejects.toThrow('broken off')
    expect(await read()).toBe('old')
    expect((await filesBelow(root)).filter((file) => !file.includes('.incoming'))).toHaveLength(1)
  })

  test('of saves at the same time one stays, with its own bytes alone', async () => {
    const { caches, root, save, read, place } = await openCaches(open)
    await Promise.all(Array.from({ length: 8 }, (_, index) => save(`bytes ${index}`, place(), `d${index}`)))
    const found = await caches.find(place())
    expect(await read()).toBe(`bytes ${found?.content?.slice(1)}`)
    expect(await filesBelow(root)).toHaveLength(1)
  })

  test('the least recently used cache of the same project is deleted to make room', async () => {
    const { database, user, root, caches, save, read, place } = await openCaches(open, 100)
    const other = await addProject(database, user)
    await save('o'.repeat(90), place({ projectId: other.id }))
    for (const key of ['a', 'b', 'c']) await save(key.repeat(30), place({ key }))
    await agedBy(database, 3_600_000)
    const used = await caches.find(place({ key: 'a' }))
    if (used) await caches.recordUse(used)
    await save('d'.repeat(30), place({ key: 'd' }))
    const left = await Promise.all(['a', 'b', 'c', 'd'].map((key) => read(place({ key }))))
    expect(left.map((bytes) => bytes?.[0])).toEqual(['a', undefined, 'c', 'd'])
    expect(await read(place({ projectId: other.id }))).toHaveLength(90)
    expect(await filesBelow(root)).toHaveLength(4)
  })

  test('an unused cache is deleted after its lifetime', async () => {
    const { database, root, blobs, save, read, place } = await openCaches(open)
    await save('old', place({ key: 'old' }))
    await agedBy(database, 3_600_000)
    await save('new', place({ key: 'new' }))
    const hourAgo = Date.now() - 1_800_000
    expect(await evictUnusedCaches(database, blobs, hourAgo)).toBe(1)
    expect(await evictUnusedCaches(database, blobs, hourAgo)).toBe(0)
    expect(await read(place({ key: 'old' }))).toBeUndefined()
    expect(await read(place({ key: 'new' }))).toBe('new')
    expect(await filesBelow(root)).toHaveLength(1)
  })

  testAtNight('a project takes its caches with it, and one that is gone gets no new ones', async () => {
    const { database, project, root, caches, save, read } = await openCaches(open)
    await save('bytes')
    await database.deleteFrom('project').where('id', '=', project.id).execute()
    await caches.deleteProject(project.id)
    expect(await read()).toBeUndefined()
    await expect(save('late')).rejects.toThrow()
    expect(await filesBelow(root)).toEqual([])
  })
})

async function agedBy(
  database: Parameters<typeof evictUnusedCaches>[0],
  milliseconds: number,
): Promise<void> {
  await database
    .updateTable('cache_archive')
    .set((row) => ({ used_at: row('used_at', '-', milliseconds) }))
    .execute()
}

test.each([
  [[10, 10, 10], 30, []],
  [[10, 10, 10], 29, [1]],
  [[10, 10, 10], 10, [1, 2]],
  [[10, 10, 10], 1, [1, 2]],
])('of archives of %j bytes, %i bytes leave out %j', (sizes, maxBytes, expected) => {
  const archives = sizes.map((size, index) => ({ id: index + 1, size }))
  expect(superfluous(archives, 3, maxBytes).map(({ id }) => id)).toEqual(expected)
})
