import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { LocalFolder } from '../../../src/runner/cache/local-folder.js'
import { MirroredStore } from '../../../src/runner/cache/mirrored-store.js'
import { S3Store } from '../../../src/runner/cache/s3/s3-store.js'
import { partsOf } from '../../../src/s3/multipart-upload.js'
import { S3Client } from '../../../src/s3/s3-client.js'
import type { S3Settings } from '../../../src/s3/s3-settings.js'
import { machine } from '../../support/key-service.js'
import { sampled } from '../../support/nightly.js'
import { KEY, S3Server } from '../../support/s3-server.js'
import { tempDir } from '../../support/temp-dir.js'
import { ADDRESS, archiveIn, filesBelow, readText, restored, TRANSFER } from './archives.js'

const KEYS = { accessKeyId: KEY, secretAccessKey: KEY }
const PART = 5 * 1024 ** 2

async function openStore(options: { settings?: Partial<S3Settings>; maximumUpload?: number } = {}) {
  const server = await S3Server.start()
  return { server, ...(await openMachine(server, options)) }
}

/** A runner's machine, with copies of its own. */
async function openMachine(
  server: S3Server,
  { settings, maximumUpload = 0 }: { settings?: Partial<S3Settings>; maximumUpload?: number } = {},
) {
  const directory = await tempDir()
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  const place = { prefix: '', runner: undefined, isHashed: false }
  const remote = new S3Store(new S3Client(server.settings(settings)), { ...place, partSize: PART })
  const copies = new LocalFolder(join(directory, 'copies'))
  return {
    temporary,
    copies: join(directory, 'copies'),
    store: new MirroredStore(remote, copies, { temporaryDir: temporary, maximumUpload }),
  }
}

describe('S3 cache', () => {
  test('restores on one machine what another one saved', async () => {
    const { server, store, temporary } = await openStore()
    const address = { ...ADDRESS, key: "feature/é + 'x' (1)*" }
    expect(await readText(store, address)).toBeUndefined()
    const bytes = randomBytes(300_000)
    expect(await store.save(address, await archiveIn(temporary, bytes, '1-abc'), TRANSFER)).toBe('saved')
    const other = await openMachine(server)
    expect(await restored(other.store, address)).toEqual({ bytes, isUpToDate: false })
    expect(await other.store.contentOf(address, TRANSFER)).toBe('1-abc')
    expect(await filesBelow(other.temporary)).toEqual([])
  })

  test('uses the key of the role of the machine', async () => {
    const service = await machine()
    const credentials = { kind: 'machine', endpoint: service.address } as const
    const { server, store, temporary } = await openStore({ settings: { credentials } })
    server.sessionTokens = new Set(['token-1'])
    // In parts too.
    for (const size of [1000, 2 * PART]) {
      const address = { ...ADDRESS, key: `of-${size}` }
      const bytes = randomBytes(size)
      expect(await store.save(address, await archiveIn(temporary, bytes), TRANSFER)).toBe('saved')
      const other = await openMachine(server, {
        settings: { credentials: { ...KEYS, sessionToken: 'token-1' } },
      })
      expect((await restored(other.store, address))?.bytes.equals(bytes)).toBe(true)
    }
    expect(service.issued).toBe(1)
  })

  test('downloads nothing that the machine already has', async () => {
    const { server, store, temporary } = await openStore()
    await store.save(ADDRESS, await archiveIn(temporary, 'first'), TRANSFER)
    expect(await restored(store)).toEqual({ bytes: Buffer.from('first'), isUpToDate: true })
    const other = await openMachine(server)
    await other.store.save(ADDRESS, await archiveIn(other.temporary, 'second'), TRANSFER)
    expect(await restored(store)).toEqual({ bytes: Buffer.from('second'), isUpToDate: false })
    expect(await restored(store)).toEqual({ bytes: Buffer.from('second'), isUpToDate: true })
  })

  test('separates protected refs from a key that looks like theirs', async () => {
    const { store, temporary } = await openStore()
    await store.save({ ...ADDRESS, key: 'x-protected' }, await archiveIn(temporary, 'evil'), TRANSFER)
    expect(await readText(store, { ...ADDRESS, isProtected: true, key: 'x-protected' })).toBeUndefined()
    expect(await readText(store, { ...ADDRESS, isProtected: true, key: 'x' })).toBeUndefined()
  })

  test('uploads a large archive in parts and signs each', async () => {
    const { server, store, temporary } = await openStore()
    const bytes = randomBytes(2 * PART + 1234)
    await store.save(ADDRESS, await archiveIn(temporary, bytes), TRANSFER)
    expect(
      server
        .callsOf('PUT')
        .map(({ size }) => size)
        .sort(),
    ).toEqual([1234, PART, PART].sort())
    expect((await restored(store))?.isUpToDate).toBe(true)
    const other = await openMachine(server)
    expect((await restored(other.store))?.bytes.equals(bytes)).toBe(true)
  })

  test('requests encryption for every kind of upload', async () => {
    const encryption = { kind: 'KMS', keyId: 'key-1' } as const
    const { server, store, temporary } = await openStore({ settings: { encryption } })
    await store.save(ADDRESS, await archiveIn(temporary, 'small'), TRANSFER)
    await store.save(ADDRESS, await archiveIn(temporary, Buffer.alloc(2 * PART + 1)), TRANSFER)
    const creating = server.calls.filter(({ url }) => !url.includes('?') || url.endsWith('?uploads='))
    expect(creating).toHaveLength(2)
    for (const { headers } of creating) {
      expect(headers['x-amz-server-side-encryption']).toBe('aws:kms')
      expect(headers['x-amz-server-side-encryption-aws-kms-key-id']).toBe('key-1')
    }
  })

  test('sends the session token', async () => {
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: 'session' }
    const { server, store } = await openStore({ settings: { credentials } })
    expect(await readText(store)).toBeUndefined()
    expect(server.calls[0]?.headers['x-amz-security-token']).toBe('session')
  })

  test('reports a wrong key after the first attempt', async () => {
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'wrong' }
    const { server, store, temporary } = await openStore({ settings: { credentials } })
    const archive = await archiveIn(temporary, 'x')
    await expect(store.save(ADDRESS, archive, TRANSFER)).rejects.toThrow(
      'the bucket caches returned 403: SignatureDoesNotMatch',
    )
    expect(server.calls).toHaveLength(1)
  })
})

describe('S3 cache errors', () => {
  test.each(sampled([['cut-body' as const], ['cut' as const], [{ status: 503 }], [{ status: 500 }]], 2))(
    'a download is retried after %j',
    async (what) => {
      const { server, store, temporary } = await openStore()
      await store.save(ADDRESS, await archiveIn(temporary, randomBytes(200_000)), TRANSFER)
      const other = await openMachine(server)
      server.misbehave(({ method }) => method === 'GET', what, what)
      expect((await restored(other.store))?.bytes).toHaveLength(200_000)
      expect(await filesBelow(other.temporary)).toEqual([])
    },
  )

  test.each([['cut' as const], [{ status: 503 }]])('an upload is retried after %j', async (what) => {
    const { server, store, temporary } = await openStore()
    server.misbehave(({ method }) => method === 'PUT', what, what)
    await store.save(ADDRESS, await archiveIn(temporary, 'kept'), TRANSFER)
    const other = await openMachine(server)
    expect(await readText(other.store)).toBe('kept')
  })

  test('an upload fails after three attempts and leaves no file on the machine', async () => {
    const { server, store, temporary } = await openStore()
    server.misbehave(() => true, ...Array.from({ length: 10 }, () => ({ status: 503 })))
    await expect(restored(store)).rejects.toThrow('the bucket caches returned 503')
    expect(server.calls).toHaveLength(3)
    expect(await filesBelow(temporary)).toEqual([])
  })

  test('only a failed part is uploaded again', async () => {
    const { server, store, temporary } = await openStore()
    const bytes = randomBytes(2 * PART + 1234)
    server.misbehave(({ url }) => url.includes('partNumber=2'), 'cut', { status: 500 })
    await store.save(ADDRESS, await archiveIn(temporary, bytes), TRANSFER)
    expect(server.callsOf('PUT')).toHaveLength(5)
    const other = await openMachine(server)
    expect((await restored(other.store))?.bytes.equals(bytes)).toBe(true)
  })

  test('the old cache stays if parts are missing or cannot be combined', async () => {
    const { server, store, temporary } = await openStore()
    await store.save(ADDRESS, await archiveIn(temporary, 'before'), TRANSFER)
    const large = Buffer.alloc(2 * PART + 1)
    server.misbehave(({ method }) => method === 'DELETE', { status: 204 }, { status: 204 })
    server.misbehave(({ url }) => url.includes('partNumber=3'), { status: 400, body: 'no' })
    await expect(store.save(ADDRESS, await archiveIn(temporary, large), TRANSFER)).rejects.toThrow('400')
    const failure = { status: 200, body: '<Error><Code>InvalidPart</Code></Error>' }
    server.misbehave(({ method, url }) => method === 'POST' && url.includes('uploadId='), failure)
    await expect(store.save(ADDRESS, await archiveIn(temporary, large), TRANSFER)).rejects.toThrow(
      'InvalidPart',
    )
    expect(server.callsOf('DELETE')).toHaveLength(2)
    const other = await openMachine(server)
    expect(await readText(other.store)).toBe('before')
  })

  test('requests stop when the job stops', async () => {
    const { server, store } = await openStore()
    const stop = new AbortController()
    server.misbehave(() => {
      stop.abort(new Error('canceled'))
      return false
    }, 'cut')
    await expect(store.find(ADDRESS, { ...TRANSFER, signal: stop.signal })).rejects.toThrow()
    expect(server.calls).toHaveLength(1)
  })
})

describe('S3 archive size limit', () => {
  test('a larger archive stays on the machine and is found there while the bucket has none', async () => {
    const { server, store, temporary } = await openStore({ maximumUpload: 5 })
    expect(await store.save(ADDRESS, await archiveIn(temporary, 'too large'), TRANSFER)).toBe('kept-here')
    expect(server.callsOf('PUT')).toEqual([])
    expect(await readText(store)).toBe('too large')
    const other = await openMachine(server)
    expect(await readText(other.store)).toBeUndefined()
    await other.store.save(ADDRESS, await archiveIn(other.temporary, 'small'), TRANSFER)
    expect(await readText(store)).toBe('small')
  })
})

test('a machine without copies downloads the cache again', async () => {
  const { store, temporary, copies } = await openStore()
  await store.save(ADDRESS, await archiveIn(temporary, 'first'), TRANSFER)
  await rm(copies, { recursive: true })
  expect(await restored(store)).toEqual({ bytes: Buffer.from('first'), isUpToDate: false })
})

test('the parts cover the archive with at most 10,000 parts', () => {
  expect(partsOf(25, 10)).toEqual([
    { number: 1, start: 0, end: 10 },
    { number: 2, start: 10, end: 20 },
    { number: 3, start: 20, end: 25 },
  ])
  const many = partsOf(1_000_001, 10)
  expect(many.length).toBeLessThanOrEqual(10_000)
  expect(many.at(-1)?.end).toBe(1_000_001)
})
