import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { LocalFolder } from '../../../src/runner/cache/local-folder.js'
import { LocalStore } from '../../../src/runner/cache/local-store.js'
import { tempDir } from '../../support/temp-dir.js'
import { ADDRESS, archiveIn, filesBelow, readText, restored } from './archives.js'

async function openStore() {
  const directory = await tempDir()
  const root = join(directory, 'cache')
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  await mkdir(root)
  return { root, temporary, store: new LocalStore(new LocalFolder(root), temporary) }
}

test('a saved cache is found with its content digest', async () => {
  const { store, temporary } = await openStore()
  expect(await store.contentOf(ADDRESS)).toBeUndefined()
  expect(await readText(store)).toBeUndefined()
  await store.save(ADDRESS, await archiveIn(temporary, 'first', '1-abc'))
  expect(await readText(store)).toBe('first')
  expect(await store.contentOf(ADDRESS)).toBe('1-abc')
})

test('caches of protected refs, other keys and other projects are separate', async () => {
  const { store, temporary } = await openStore()
  const others = [
    { ...ADDRESS, isProtected: true },
    { ...ADDRESS, key: 'default-protected' },
    { ...ADDRESS, projectId: 8 },
  ]
  await store.save(ADDRESS, await archiveIn(temporary, 'mine'))
  for (const other of others) expect(await readText(store, other)).toBeUndefined()
  for (const other of others) await store.save(other, await archiveIn(temporary, 'theirs'))
  expect(await readText(store)).toBe('mine')
})

test('a cache in use survives its replacement, and no file is left behind', async () => {
  const { store, root, temporary } = await openStore()
  await store.save(ADDRESS, await archiveIn(temporary, 'old'))
  const found = await store.find(ADDRESS)
  await store.save(ADDRESS, await archiveIn(temporary, 'new'))
  expect(await readFile(found?.file ?? '', 'utf8')).toBe('old')
  await found?.release()
  expect(await readText(store)).toBe('new')
  expect(await filesBelow(temporary)).toEqual([])
  expect(await filesBelow(root)).toHaveLength(2)
})

test('the partial save of a killed process is ignored and deleted by a later save', async () => {
  const { store, root, temporary } = await openStore()
  await store.save(ADDRESS, await archiveIn(temporary, 'whole'))
  const [entry] = (await filesBelow(root)).filter((name) => name.endsWith('.json'))
  const folder = dirname(entry ?? '')
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
  for (const name of ['0123abcd.zip', 'cache.json.0123.tmp']) {
    await writeFile(join(folder, name), 'half')
    await utimes(join(folder, name), yesterday, yesterday)
  }
  expect(await readText(store)).toBe('whole')
  await store.save(ADDRESS, await archiveIn(temporary, 'next'))
  expect(await readText(store)).toBe('next')
  expect(await filesBelow(root)).toHaveLength(2)
})

test.each([
  ['is no JSON', 'rubbish'],
  ['names a file elsewhere', JSON.stringify({ key: 'default', archive: '../../../etc/passwd' })],
  ['names a file that is gone', JSON.stringify({ key: 'default', content: 'x', archive: '00ff.zip' })],
])('an entry that %s is not a cache, and the next save replaces it', async (_what, text) => {
  const { store, root, temporary } = await openStore()
  await store.save(ADDRESS, await archiveIn(temporary, 'first'))
  const [entry] = (await filesBelow(root)).filter((name) => name.endsWith('.json'))
  await writeFile(entry ?? '', text)
  expect(await restored(store)).toBeUndefined()
  await store.save(ADDRESS, await archiveIn(temporary, 'second'))
  expect(await readText(store)).toBe('second')
})

test('of concurrent saves, one is stored completely', async () => {
  const { store, temporary } = await openStore()
  const archives = await Promise.all(
    Array.from({ length: 10 }, (_, index) => archiveIn(temporary, `content ${index}`, `digest ${index}`)),
  )
  await Promise.all(archives.map((archive) => store.save(ADDRESS, archive)))
  expect(await readText(store)).toBe(`content ${(await store.contentOf(ADDRESS))?.split(' ')[1]}`)
})
