import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { CoordinatorStore } from '../../../src/runner/cache/coordinator-store.js'
import { LocalFolder } from '../../../src/runner/cache/local-folder.js'
import { MirroredStore } from '../../../src/runner/cache/mirrored-store.js'
import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'
import { ADDRESS, archiveIn, filesBelow, restored, TRANSFER } from '../../runner/cache/archives.js'
import { tempDir } from '../../support/temp-dir.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  type Limits,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = 'build: { script: [a] }'

async function startJob(limits?: Limits) {
  const coordinator = await (limits ? startCiCoordinator(limits) : openCoordinator())
  const runner = await RunnerClient.register(coordinator)
  const nextJob = async () => {
    await pushPipeline(coordinator, CI_FILE)
    return runner.takeJob()
  }
  return { coordinator, runner, nextJob, job: await nextJob() }
}

interface Token {
  id: number
  token: string
}

function call(
  { url }: CiCoordinator,
  { id, token }: Token,
  method: 'GET' | 'HEAD' | 'PUT',
  key: string,
  more: { headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<Response> {
  return fetch(`${url}/jobs/${id}/cache?${new URLSearchParams({ key }).toString()}`, {
    method,
    headers: { 'job-token': token, ...more.headers },
    body: more.body ?? null,
  })
}

async function protect(coordinator: CiCoordinator, id: number, isProtected: boolean): Promise<void> {
  await coordinator.database.updateTable('job').set({ protected: isProtected }).where('id', '=', id).execute()
}

test('the job payload lists the available caches', async () => {
  const { job } = await startJob()
  expect(job.features?.coordinator_cache).toBe(true)
})

test('a range request for a cache returns the rest if the client holds the same version', async () => {
  const { coordinator, job } = await startJob()
  const saved = await call(coordinator, job, 'PUT', 'k', { body: 'zipped' })
  const etag = saved.headers.get('etag') ?? ''
  const resume = async (ifRange: string) => {
    const headers = { range: 'bytes=3-', 'if-range': ifRange }
    const response = await call(coordinator, job, 'GET', 'k', { headers })
    return [response.status, await response.text()]
  }
  expect(await resume(etag)).toEqual([206, 'ped'])
  expect(await resume('"another"')).toEqual([200, 'zipped'])
})

test('a cache that one job saved is there for the next one, byte for byte', async () => {
  const { coordinator, job, nextJob } = await startJob()
  const bytes = randomBytes(3_000_000)
  const key = "gems/é + 'x'"
  expect((await call(coordinator, job, 'GET', key)).status).toBe(404)
  const headers = { 'x-cache-content': '1-abc', 'content-type': 'application/octet-stream' }
  const saved = await call(coordinator, job, 'PUT', key, { body: bytes, headers })
  expect(saved.status).toBe(201)
  const next = await nextJob()
  const reply = await call(coordinator, next, 'GET', key)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('x-cache-content')).toBe('1-abc')
  expect(reply.headers.get('etag')).toBe(saved.headers.get('etag'))
  expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
})

test('a cache that the runner has already is not sent, and a question about it sends none', async () => {
  const { coordinator, job } = await startJob()
  const saved = await call(coordinator, job, 'PUT', 'k', { body: 'zip', headers: { 'x-cache-content': 'c' } })
  const etag = saved.headers.get('etag') ?? ''
  const headers = { 'if-none-match': etag }
  expect((await call(coordinator, job, 'GET', 'k', { headers })).status).toBe(304)
  const asked = await call(coordinator, job, 'HEAD', 'k')
  expect(asked.status).toBe(200)
  expect(asked.headers.get('x-cache-content')).toBe('c')
  await call(coordinator, job, 'PUT', 'k', { body: 'piz' })
  expect((await call(coordinator, job, 'GET', 'k', { headers })).status).toBe(200)
  expect((await call(coordinator, job, 'HEAD', 'k')).headers.get('x-cache-content')).toBeNull()
})

test('a HEAD request for a cache returns the headers of the GET response', async () => {
  const { coordinator, job } = await startJob()
  const told = async (method: 'GET' | 'HEAD') => {
    const { status, headers } = await call(coordinator, job, method, 'k')
    const names = ['content-length', 'content-type', 'accept-ranges', 'etag', 'x-cache-content']
    return [status, ...names.map((name) => headers.get(name))]
  }
  for (const body of ['zipped', '']) {
    await call(coordinator, job, 'PUT', 'k', { body, headers: { 'x-cache-content': 'c' } })
    expect(await told('HEAD')).toEqual(await told('GET'))
    expect((await told('HEAD'))[1]).toBe(String(body.length))
  }
})

test('the coordinator, not the cache key, decides whether a job is trusted', async () => {
  const { coordinator, job, nextJob } = await startJob()
  const trusted = await nextJob()
  await protect(coordinator, job.id, false)
  await protect(coordinator, trusted.id, true)
  for (const key of ['k', 'k-protected', 'protected/k']) {
    expect((await call(coordinator, job, 'PUT', key, { body: 'evil' })).status).toBe(201)
    expect((await call(coordinator, trusted, 'GET', key)).status).toBe(404)
  }
  await call(coordinator, trusted, 'PUT', 'secret', { body: 'secret' })
  expect((await call(coordinator, job, 'GET', 'secret')).status).toBe(404)
})

test('only the running job itself may access its caches', async () => {
  const { coordinator, runner, job, nextJob } = await startJob()
  const other = await nextJob()
  const strangers = [
    { id: job.id, token: 'wrong' },
    { id: job.id, token: '' },
    { id: job.id, token: other.token },
    { id: 999, token: job.token },
  ]
  for (const stranger of strangers) {
    expect((await call(coordinator, stranger, 'GET', 'k')).status).toBe(403)
    expect((await call(coordinator, stranger, 'PUT', 'k', { body: 'x' })).status).toBe(403)
  }
  await runner.update(job, 'success')
  expect((await call(coordinator, job, 'PUT', 'k', { body: 'x' })).status).toBe(403)
})

test.each(['', 'x'.repeat(1025)])('a key of no or too many characters is refused', async (key) => {
  const { coordinator, job } = await startJob()
  expect((await call(coordinator, job, 'PUT', key, { body: 'x' })).status).toBe(400)
})

test('an archive that is too large is refused while it arrives, and the old one stays', async () => {
  const { coordinator, job } = await startJob({
    caches: { maxBytes: 1000, projectMaxBytes: 5000, unusedSeconds: 3600 },
  })
  await call(coordinator, job, 'PUT', 'k', { body: 'old' })
  const reply = await call(coordinator, job, 'PUT', 'k', { body: randomBytes(400_000) })
  expect(reply.status).toBe(413)
  expect(await (await call(coordinator, job, 'GET', 'k')).text()).toBe('old')
})

test('an aborted upload changes nothing', async () => {
  const { coordinator, job } = await startJob()
  await call(coordinator, job, 'PUT', 'k', { body: 'old' })
  const upload = httpRequest(`${coordinator.url}/jobs/${job.id}/cache?key=k`, {
    method: 'PUT',
    headers: { 'job-token': job.token, 'content-length': '1000' },
  })
  const closed = new Promise((resolve) => upload.once('close', resolve))
  upload.on('error', () => {})
  upload.write('half', () => upload.destroy())
  await closed
  expect(await (await call(coordinator, job, 'GET', 'k')).text()).toBe('old')
})

test('the runner restores a cache that another machine saved at the coordinator', async () => {
  const { coordinator, job } = await startJob({
    caches: { maxBytes: 10_000, projectMaxBytes: 100_000, unusedSeconds: 3600 },
  })
  const [one, two] = [await openMachine(coordinator, job), await openMachine(coordinator, job)]
  expect(await restored(one.store)).toBeUndefined()
  const bytes = randomBytes(5_000)
  await one.store.save(ADDRESS, await archiveIn(one.temporary, bytes, '1-abc'), TRANSFER)
  expect(await restored(one.store)).toEqual({ bytes, isUpToDate: true })
  expect(await two.store.contentOf(ADDRESS, TRANSFER)).toBe('1-abc')
  expect(await restored(two.store)).toEqual({ bytes, isUpToDate: false })
  expect(await restored(two.store)).toEqual({ bytes, isUpToDate: true })
  const large = await archiveIn(one.temporary, Buffer.alloc(10_001))
  await expect(one.store.save(ADDRESS, large, TRANSFER)).rejects.toThrow(
    'larger than the coordinator accepts',
  )
  expect((await filesBelow(two.temporary)).length).toBe(0)
  expect((await jobNamed(coordinator, 'build')).status).toBe('running')
})

async function openMachine({ url }: CiCoordinator, job: Token) {
  const directory = await tempDir()
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  const client = new CoordinatorClient({ url: url.replace('/api/v4', ''), token: 'x', systemId: 's_0' })
  const folder = new LocalFolder(join(directory, 'copies'))
  const options = { temporaryDir: temporary, maximumUpload: 0 }
  return { temporary, store: new MirroredStore(new CoordinatorStore(client, job), folder, options) }
}
