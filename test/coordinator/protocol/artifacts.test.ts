import { randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import {
  ciCoordinatorForFile,
  jobNamed,
  type Limits,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'
import { setSettings } from '../support/set-settings.js'

const openCoordinator = ciCoordinatorForFile()

const TWO_STAGES = `
stages: [build, test]
make: { stage: build, script: [a], artifacts: { paths: [a] } }
check: { stage: test, script: [b] }
alone: { stage: test, script: [b], dependencies: [] }
`

async function startJob(limits?: Limits) {
  const coordinator = await (limits ? startCiCoordinator(limits) : openCoordinator())
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, TWO_STAGES)
  return { coordinator, runner, job: await runner.takeJob() }
}

test('an uploaded archive comes back byte for byte', async () => {
  const { coordinator, runner, job } = await startJob()
  const bytes = randomBytes(3_000_000)
  const response = await runner.upload(job, bytes, {
    filename: 'dist.zip',
    query: 'artifact_format=zip&artifact_type=archive&expire_in=1+week',
  })
  expect(response.status).toBe(201)
  expect(await response.text()).toBe('201')
  const artifact = await coordinator.artifacts.find(job.id)
  expect(artifact).toMatchObject({
    file_type: 'archive',
    file_format: 'zip',
    filename: 'dist.zip',
    size: bytes.length,
  })
  expect(Math.abs((artifact?.expire_at ?? 0) - Date.now() - 604_800_000)).toBeLessThan(60_000)
  const download = await runner.download(job.id, job.token)
  expect(download.status).toBe(200)
  expect(download.headers.get('content-disposition')).toContain('filename="dist.zip"')
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
})

test('an upload in chunks without a length is stored', async () => {
  const { coordinator, runner, job } = await startJob()
  const bytes = randomBytes(500_000)
  expect(await uploadInChunks(`${coordinator.url}/jobs/${job.id}/artifacts`, job.token, bytes)).toBe(201)
  const download = await runner.download(job.id, job.token)
  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
})

test('artifacts without a word about expiry are kept for the default time, and never means never', async () => {
  const { coordinator, runner, job } = await startJob()
  await runner.upload(job, 'a')
  const archive = await coordinator.artifacts.find(job.id)
  expect(Math.abs((archive?.expire_at ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000)
  await runner.upload(job, 'b', { query: 'artifact_type=junit&artifact_format=gzip&expire_in=never' })
  expect(await coordinator.artifacts.find(job.id, 'junit')).toMatchObject({
    expire_at: null,
    file_format: 'gzip',
  })
})

test('the same file again is accepted, another one is not', async () => {
  const { runner, job } = await startJob()
  expect((await runner.upload(job, 'first')).status).toBe(201)
  expect((await runner.upload(job, 'first')).status).toBe(201)
  const other = await runner.upload(job, 'second')
  expect(other.status).toBe(400)
  expect(await other.json()).toEqual({
    message: '400 Bad request - another artifact of the same type already exists',
  })
  expect(await (await runner.download(job.id, job.token)).text()).toBe('first')
})

test.each([
  ['another field', { field: 'archive' }],
  ['an unknown format', { query: 'artifact_format=rar' }],
  ['an unknown type', { query: 'artifact_type=rumour' }],
  ['a format that is not that of its type', { query: 'artifact_type=junit&artifact_format=zip' }],
  ['an expiry that is no duration', { query: 'expire_in=soon' }],
])('an upload with %s is 400', async (_name, upload) => {
  const { coordinator, runner, job } = await startJob()
  expect((await runner.upload(job, 'zip', upload)).status).toBe(400)
  expect(await coordinator.artifacts.find(job.id)).toBeUndefined()
})

test.each([
  ['lsif', 'zip'],
  ['junit', 'gzip'],
  ['cyclonedx', 'gzip'],
  ['codequality', 'raw'],
  ['secret_detection', 'raw'],
  ['sarif', 'raw'],
])('a report of the type %s is accepted in the format %s, once', async (type, format) => {
  const { coordinator, runner, job } = await startJob()
  const query = `artifact_type=${type}&artifact_format=${format}`
  expect((await runner.upload(job, 'report', { query, filename: type })).status).toBe(201)
  expect((await runner.upload(job, 'report', { query })).status).toBe(201)
  expect((await runner.upload(job, 'another', { query })).status).toBe(400)
  expect((await runner.upload(job, 'archive')).status).toBe(201)
  expect(await coordinator.artifacts.find(job.id, type)).toMatchObject({
    file_type: type,
    file_format: format,
    filename: type,
    size: 6,
  })
})

test('the job says how large an artifact may be', async () => {
  const { job } = await startJob({ artifactsMaxBytes: 1000 })
  expect(job.features?.max_artifacts_size).toBe(1000)
})

test('the largest size and the default lifetime are those of the settings at the time of the upload', async () => {
  const { coordinator, runner, job } = await startJob()
  await setSettings(coordinator, { max_artifacts_size: 1 })
  expect((await runner.upload(job, randomBytes(1_048_577))).status).toBe(413)
  await setSettings(coordinator, { max_artifacts_size: 2, default_artifacts_expire_in: '0' })
  expect((await runner.upload(job, randomBytes(1_048_577))).status).toBe(201)
  expect(await coordinator.artifacts.find(job.id)).toMatchObject({ expire_at: null })
})

test('a body that is no multipart is 400', async () => {
  const { coordinator, job } = await startJob()
  const response = await fetch(`${coordinator.url}/jobs/${job.id}/artifacts`, {
    method: 'POST',
    headers: { 'job-token': job.token, 'content-type': 'application/zip' },
    body: 'zip',
  })
  expect(response.status).toBe(400)
})

test('an archive over the limit is 413, and nothing is stored', async () => {
  const { coordinator, runner, job } = await startJob({ artifactsMaxBytes: 100_000 })
  const response = await runner.upload(job, randomBytes(2_000_000))
  expect(response.status).toBe(413)
  expect(await response.json()).toEqual({
    message: '413 Request Entity Too Large - file size has reached maximum size limit(100000)',
  })
  expect(await coordinator.artifacts.find(job.id)).toBeUndefined()
  expect((await runner.upload(job, randomBytes(100_000))).status).toBe(201)
})

test('a project allows less than the instance, and never more', async () => {
  const { coordinator, runner, job } = await startJob({ artifactsMaxBytes: 2_000_000 })
  const allow = (max_artifacts_size: number | null) =>
    coordinator.database.updateTable('project').set({ max_artifacts_size }).execute()
  const ask = async () => {
    const response = await fetch(`${coordinator.url}/jobs/${job.id}/artifacts/authorize`, {
      method: 'POST',
      headers: { 'job-token': job.token },
    })
    return ((await response.json()) as { MaximumSize: number }).MaximumSize
  }
  await allow(100)
  expect(await ask()).toBe(2_000_000)
  await allow(1)
  expect(await ask()).toBe(1_048_576)
  const refused = await runner.upload(job, randomBytes(1_048_577))
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { message: '413 Request Entity Too Large - file size has reached maximum size limit(1048576)' },
  ])
  await allow(null)
  expect((await runner.upload(job, randomBytes(1_048_577))).status).toBe(201)
})

test('an upload with a wrong token, or for a job that is over, is 403', async () => {
  const { runner, job } = await startJob()
  expect((await runner.upload({ id: job.id, token: 'wrong' }, 'zip')).status).toBe(403)
  await runner.update(job, 'success')
  const late = await runner.upload(job, 'zip')
  expect(late.status).toBe(403)
  expect(late.headers.get('job-status')).toBe('success')
})

test('an aborted upload leaves no files', async () => {
  const { coordinator, runner, job } = await startJob()
  await breakUploadOff(`${coordinator.url}/jobs/${job.id}/artifacts`, job.token)
  expect(await coordinator.artifacts.find(job.id)).toBeUndefined()
  expect((await runner.upload(job, 'again')).status).toBe(201)
})

test('an upload can be authorized before it is sent', async () => {
  const { coordinator, job } = await startJob({ artifactsMaxBytes: 1000 })
  const ask = (token: string, query = '') =>
    fetch(`${coordinator.url}/jobs/${job.id}/artifacts/authorize?${query}`, {
      method: 'POST',
      headers: { 'job-token': token },
    })
  expect((await ask(job.token)).status).toBe(200)
  expect((await ask('wrong')).status).toBe(403)
  expect((await ask(job.token, 'filesize=1001')).status).toBe(413)
})

test('a job downloads the artifacts of its dependencies with its own token', async () => {
  const { coordinator, runner, job: make } = await startJob()
  await runner.upload(make, 'the archive')
  await runner.update(make, 'success')
  expect((await runner.download(make.id, make.token)).status).toBe(401)

  const check = await runner.takeJob()
  expect(check.job_info.name).toBe('check')
  expect(check.dependencies).toEqual([
    {
      id: make.id,
      name: 'make',
      token: check.token,
      artifacts_file: { filename: 'artifacts.zip', size: 11 },
    },
  ])
  const download = await runner.download(make.id, check.token)
  expect(await download.text()).toBe('the archive')

  const alone = await runner.takeJob()
  expect(alone.dependencies).toEqual([])
  expect((await runner.download(make.id, alone.token)).status).toBe(403)
  expect((await runner.download(check.id, check.token)).status).toBe(404)
  expect((await runner.download(make.id, 'unknown')).status).toBe(401)
  expect((await jobNamed(coordinator, 'make')).status).toBe('success')
})

test('a dependency without artifacts is not in the payload, and has no file', async () => {
  const { runner, job } = await startJob()
  await runner.update(job, 'success')
  const check = await runner.takeJob()
  expect(check.dependencies).toEqual([])
  expect((await runner.download(job.id, check.token)).status).toBe(404)
})

test('an archive supports range requests', async () => {
  const { runner, job } = await startJob()
  await runner.upload(job, '0123456789')
  const probe = await runner.download(job.id, job.token, { range: 'bytes=0-0' })
  expect(probe.status).toBe(206)
  expect(probe.headers.get('content-range')).toBe('bytes 0-0/10')
  expect(await probe.text()).toBe('0')
  expect(await (await runner.download(job.id, job.token, { range: 'bytes=7-' })).text()).toBe('789')
  expect((await runner.download(job.id, job.token, { range: 'bytes=10-' })).status).toBe(416)
})

const BOUNDARY = 'boundary-of-the-test'
const PART_HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\ncontent-type: application/octet-stream\r\n\r\n`

function openUpload(url: string, token: string) {
  return httpRequest(url, {
    method: 'POST',
    agent: false,
    headers: { 'job-token': token, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  })
}

function uploadInChunks(url: string, token: string, bytes: Buffer): Promise<number | undefined> {
  const upload = openUpload(url, token)
  const served = new Promise<number | undefined>((resolve, reject) => {
    upload.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    upload.on('error', reject)
  })
  upload.write(PART_HEAD)
  for (let start = 0; start < bytes.length; start += 65_536)
    upload.write(bytes.subarray(start, start + 65_536))
  upload.end(`\r\n--${BOUNDARY}--\r\n`)
  return served
}

/** Ends when the client has let go of the connection. */
function breakUploadOff(url: string, token: string): Promise<void> {
  const upload = openUpload(url, token)
  return new Promise((resolve) => {
    upload.on('error', () => undefined) // it is destroyed on purpose
    upload.on('close', resolve)
    upload.write(PART_HEAD)
    upload.write(Buffer.alloc(100_000), () => upload.destroy())
  })
}

const TYPE = { artifact_type: 'dotenv', artifact_format: 'gzip' }

test.each<[string, string, (form: FormData, file: File) => void]>([
  ['in the query', new URLSearchParams(TYPE).toString(), (form, file) => form.set('file', file)],
  ['before the file', '', (form, file) => fill(form, TYPE, { file })],
  ['after the file', '', (form, file) => fill(form, { file }, TYPE)],
  [
    'around the file',
    '',
    (form, file) => fill(form, { artifact_type: 'dotenv' }, { file }, { artifact_format: 'gzip' }),
  ],
  [
    'in the query and after the file',
    'artifact_type=dotenv&artifact_format=gzip',
    (form, file) => fill(form, { file }, { expire_in: '1 week' }),
  ],
])('the type of an artifact is read %s', async (_where, query, write) => {
  const { coordinator, job } = await startJob()
  const form = new FormData()
  write(form, new File([gzipSync('VERSION=7\n')], 'dotenv.gz'))
  const url = `${coordinator.url}/jobs/${job.id}/artifacts?${query}`
  const response = await fetch(url, { method: 'POST', headers: { 'job-token': job.token }, body: form })
  expect([response.status, await response.text()]).toEqual([201, '201'])
  expect(await coordinator.artifacts.find(job.id, 'dotenv')).toMatchObject({ file_format: 'gzip' })
  const rows = coordinator.database.selectFrom('job_variable').select('key').where('source', '=', 'dotenv')
  expect(await rows.execute()).toEqual([{ key: 'VERSION' }])
})

function fill(form: FormData, ...parts: Record<string, string | File>[]): void {
  for (const part of parts) for (const [name, value] of Object.entries(part)) form.set(name, value)
}

test('a type of an artifact that does not exist is refused wherever it is', async () => {
  const { coordinator, job } = await startJob()
  const form = new FormData()
  fill(form, { file: new File(['x'], 'x') }, { artifact_type: 'nonsense' })
  const url = `${coordinator.url}/jobs/${job.id}/artifacts`
  const response = await fetch(url, { method: 'POST', headers: { 'job-token': job.token }, body: form })
  expect(response.status).toBe(400)
})
