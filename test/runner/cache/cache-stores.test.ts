import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { CacheSettings } from '../../../src/runner/cache/cache-settings.js'
import { createCacheStores } from '../../../src/runner/cache/cache-stores.js'
import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'
import { jobPayload } from '../../support/job-payload.js'
import { S3Server } from '../../support/s3-server.js'
import { tempDir } from '../../support/temp-dir.js'
import { ADDRESS, archiveIn, readText, TRANSFER } from './archives.js'

const KEEPING = jobPayload({ features: { coordinator_cache: true } })
const OTHER = jobPayload()

async function storesOf(
  cache: CacheSettings,
  place: { dataDir?: string; url?: string; token?: string } = {},
) {
  const { dataDir = await tempDir(), url = 'http://127.0.0.1:1', token = 'glrt-abcdefghijk' } = place
  const client = new CoordinatorClient({ url, token, systemId: 's_0' })
  return createCacheStores({ registration: { url, token, cache }, dataDir, temporaryDir: dataDir, client })
}

const PLAIN = { hasHashedKeys: false }

test('a cache is stored at the coordinator if it supports that, otherwise on the machine', async () => {
  const stores = await storesOf({ kind: 'automatic', maximumUploadBytes: 0 })
  expect(stores.storeFor(KEEPING, PLAIN).name).toBe('coordinator')
  expect(stores.storeFor(OTHER, PLAIN).name).toBe('local folder')
})

test('the settings can keep a cache on the machine', async () => {
  const stores = await storesOf({ kind: 'local', maximumUploadBytes: 0 })
  expect(stores.storeFor(KEEPING, PLAIN).name).toBe('local folder')
})

test('projects with the same ID on two coordinators have separate caches', async () => {
  const dataDir = await tempDir()
  const local = { kind: 'local', maximumUploadBytes: 0 } as const
  const one = (await storesOf(local, { dataDir })).storeFor(OTHER, PLAIN)
  const same = (await storesOf(local, { dataDir, token: 'glrt-another' })).storeFor(OTHER, PLAIN)
  const other = (await storesOf(local, { dataDir, url: 'http://127.0.0.1:2' })).storeFor(OTHER, PLAIN)
  await one.save(ADDRESS, await archiveIn(dataDir, 'one'), TRANSFER)
  expect(await readText(same)).toBe('one')
  expect(await readText(other)).toBeUndefined()
})

test('a bucket takes precedence over the coordinator, with one prefix per runner unless shared', async () => {
  const server = await S3Server.start()
  const s3 = { kind: 's3', maximumUploadBytes: 0, prefix: 'ci', s3: server.settings() } as const
  for (const isShared of [false, true]) {
    const dataDir = await tempDir()
    const store = (await storesOf({ ...s3, isShared }, { dataDir })).storeFor(KEEPING, PLAIN)
    await store.save(ADDRESS, await archiveIn(join(dataDir), 'x'), TRANSFER)
  }
  expect(server.callsOf('PUT').map(({ url }) => url)).toEqual([
    '/caches/ci/runner/abcdefghi/project/7/default',
    '/caches/ci/project/7/default',
  ])
})
