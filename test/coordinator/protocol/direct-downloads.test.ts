import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { CoordinatorStore } from '../../../src/runner/cache/coordinator-store.js'
import { LocalFolder } from '../../../src/runner/cache/local-folder.js'
import { MirroredStore } from '../../../src/runner/cache/mirrored-store.js'
import { CoordinatorClient } from '../../../src/runner/client/coordinator-client.js'
import { ADDRESS, archiveIn, restored, TRANSFER } from '../../runner/cache/archives.js'
import { S3Server } from '../../support/s3-server.js'
import { tempDir } from '../../support/temp-dir.js'
import { pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

async function startJob(isDirect: boolean) {
  const server = await S3Server.start()
  const place = { kind: 's3', bucket: server.settings(), prefix: 'ci' } as const
  const coordinator = await startCiCoordinator({
    storage: { location: place, previous: undefined, isDirect },
  })
  const runner = await RunnerClient.register(coordinator)
  const nextJob = async () => {
    await pushPipeline(coordinator, 'build: { script: [a] }')
    return runner.takeJob()
  }
  const job = await nextJob()
  const upload = { file_type: 'archive', file_format: 'zip', filename: 'a b.zip', expire_at: null } as const
  const owner = { id: job.id, project_id: coordinator.project.id }
  await coordinator.artifacts.store(owner, upload, Readable.from([Buffer.from('zipped')]))
  const download = (path: string, method = 'GET') =>
    fetch(`${coordinator.url}${path}`, {
      method,
      headers: { 'job-token': job.token },
      redirect: 'manual',
    })
  return { server, coordinator, job, nextJob, download }
}

test('the artifacts of a job are sent by the bucket, as a download, to runners that ask for it', async () => {
  const { job, download } = await startJob(true)
  const response = await download(`/jobs/${job.id}/artifacts?direct_download=true`)
  expect(response.status).toBe(302)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const sent = await fetch(response.headers.get('location') ?? '')
  expect(sent.headers.get('content-type')).toBe('application/octet-stream')
  expect(sent.headers.get('content-disposition')).toMatch(/^attachment; filename="a b.zip"/)
  expect(await sent.text()).toBe('zipped')
  const plain = await download(`/jobs/${job.id}/artifacts`)
  expect([plain.status, await plain.text()]).toEqual([200, 'zipped'])
})

test('who may not read artifacts gets no address', async () => {
  const { coordinator, job, nextJob } = await startJob(true)
  const other = await nextJob()
  const response = await fetch(`${coordinator.url}/jobs/${job.id}/artifacts?direct_download=true`, {
    headers: { 'job-token': other.token },
    redirect: 'manual',
  })
  expect(response.status).toBe(403)
})

test('users get an address for GET, and the headers themselves for HEAD', async () => {
  const { coordinator, job, download } = await startJob(true)
  const path = `/projects/${coordinator.project.id}/jobs/${job.id}/artifacts`
  expect((await download(path)).status).toBe(302)
  const head = await download(path, 'HEAD')
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '6'])
})

test('without the setting, the coordinator sends all bytes', async () => {
  const { coordinator, job, download } = await startJob(false)
  for (const path of [
    `/jobs/${job.id}/artifacts?direct_download=true`,
    `/projects/${coordinator.project.id}/jobs/${job.id}/artifacts`,
  ]) {
    const response = await download(path)
    expect([response.status, await response.text()]).toEqual([200, 'zipped'])
  }
})

test('a runner restores a cache from the bucket, without sending it the token of the job', async () => {
  const { server, coordinator, job } = await startJob(true)
  const client = new CoordinatorClient({
    url: coordinator.url.replace('/api/v4', ''),
    token: 'x',
    systemId: 's_0',
  })
  const machine = async () => {
    const directory = await tempDir()
    await mkdir(join(directory, 'tmp'))
    const copies = new LocalFolder(join(directory, 'copies'))
    const options = { temporaryDir: join(directory, 'tmp'), maximumUpload: 0 }
    return { ...options, store: new MirroredStore(new CoordinatorStore(client, job), copies, options) }
  }
  const first = await machine()
  const archive = await archiveIn(first.temporaryDir, 'cached', '1-abc')
  await first.store.save(ADDRESS, archive, TRANSFER)
  server.calls.length = 0
  const second = await machine()
  expect(await restored(second.store)).toMatchObject({ bytes: Buffer.from('cached'), isUpToDate: false })
  const [read] = server.callsOf('GET')
  expect(read?.url).toContain('X-Amz-Signature=')
  expect(read?.headers).not.toHaveProperty('job-token')
  // The tag is that of the coordinator.
  expect(await restored(second.store)).toMatchObject({ isUpToDate: true })
  await client.close()
})
