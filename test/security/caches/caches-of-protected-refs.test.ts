import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { sanitizeKey } from '../../../src/runner/cache/cache-store.js'
import { LocalFolder } from '../../../src/runner/cache/local-folder.js'
import { LocalStore } from '../../../src/runner/cache/local-store.js'
import { objectName } from '../../../src/runner/cache/s3/object-name.js'
import { pushPipeline, startCiCoordinator } from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { ADDRESS, archiveIn, filesBelow, readText } from '../../runner/cache/archives.js'
import { tempDir } from '../../support/temp-dir.js'

/** What a job may write as a key in the hope of another cache than its own. */
const KEYS = [
  'default-protected',
  '../default',
  '../../8/default',
  '/etc/passwd',
  '..',
  'a/../../b',
  '%2e%2e%2fdefault',
  '..\\..\\default',
  'protected/default',
  '-protected/default',
  '../7-protected/default',
  'default\0-protected',
]

async function openStore() {
  const directory = await tempDir()
  const [root, temporary] = [join(directory, 'cache'), join(directory, 'tmp')]
  await mkdir(temporary)
  await mkdir(root)
  return { directory, root, temporary, store: new LocalStore(new LocalFolder(root), temporary) }
}

test.each(KEYS)(
  'a job of an unprotected ref does not replace the cache of a protected one with the key %j',
  async (key) => {
    const { store, temporary, root, directory } = await openStore()
    const own = { ...ADDRESS, isProtected: true, key: 'default' }
    await store.save(own, await archiveIn(temporary, 'trusted'))
    for (const evil of [key, sanitizeKey(key)]) {
      if (evil !== '')
        await store.save({ ...ADDRESS, isProtected: false, key: evil }, await archiveIn(temporary, 'evil'))
    }
    expect(await readText(store, own)).toBe('trusted')
    // Nothing was written beside the folder of caches.
    expect(
      (await filesBelow(directory)).filter((file) => !file.startsWith(root) && !file.startsWith(temporary)),
    ).toEqual([])
  },
)

// A key with no characters left names no cache.
test.each(KEYS.filter((key) => sanitizeKey(key) !== ''))(
  'the key %j leads to no other folder of a bucket',
  (key) => {
    const place = { prefix: 'ci', runner: undefined, isHashed: false }
    const name = (isProtected: boolean) =>
      objectName({ projectId: 12, isProtected, key: sanitizeKey(key) }, place)
    expect(name(false)).toMatch(/^ci\/project\/12\//)
    expect(name(true)).toMatch(/^ci\/project\/12-protected\//)
    expect(name(false).split('/')).not.toContain('..')
  },
)

test('a job of an unprotected ref neither reads nor replaces a cache of a protected one at the coordinator', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  const takeJob = async (isProtected: boolean) => {
    await pushPipeline(coordinator, 'build: { script: [a] }')
    const job = await runner.takeJob()
    await coordinator.database
      .updateTable('job')
      .set({ protected: isProtected })
      .where('id', '=', job.id)
      .execute()
    return job
  }
  const call = ({ id, token }: { id: number; token: string }, key: string, body?: string) =>
    fetch(`${coordinator.url}/jobs/${id}/cache?${new URLSearchParams({ key }).toString()}`, {
      method: body === undefined ? 'GET' : 'PUT',
      headers: { 'job-token': token },
      body: body ?? null,
    })
  const [trusted, other] = [await takeJob(true), await takeJob(false)]
  expect((await call(trusted, 'default', 'trusted')).status).toBe(201)
  for (const key of ['default', ...KEYS]) {
    expect((await call(other, key)).status).not.toBe(200)
    await call(other, key, 'evil')
  }
  expect(await (await call(trusted, 'default')).text()).toBe('trusted')
})
