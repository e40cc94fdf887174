import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import { beforeEach, expect, onTestFinished, test } from 'vitest'

import { extractZip } from '../../../../src/archive/extract-zip.js'
import { sendStoredArtifact, storeArtifact } from '../../../../src/runner/artifacts/send-artifact.js'
import {
  prepareArtifact,
  sendDepsOf,
  uploadArtifact,
  uploadArtifacts,
} from '../../../../src/runner/job/stages/artifacts.js'
import { MisbehavingCoordinator, type RecordedCall } from '../../../support/misbehaving-coordinator.js'
import { tempDir } from '../../../support/temp-dir.js'
import { uploadingJob } from '../../artifacts/uploading-job.js'

const NEVER = new AbortController().signal
const ARCHIVE = { paths: ['dist/'], artifact_type: 'archive', artifact_format: 'zip' }

let coordinator: MisbehavingCoordinator

beforeEach(async () => {
  coordinator = await MisbehavingCoordinator.start()
  return () => coordinator.stop()
})

/** The one file of an upload's form. */
function fileOf(call: RecordedCall | undefined): Buffer {
  const body = call?.body ?? Buffer.alloc(0)
  return body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf('\r\n--'))
}

/** A server that responds to an upload as it likes. */
async function serverThat(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an archive and reports are uploaded one by one, each in its format', async () => {
  const { job } = await uploadingJob(coordinator.url, {
    files: { 'dist/app': 'app', 'reports/a.xml': '<a/>', 'reports/b.xml': '<b/>', 'quality.json': '[]' },
    artifacts: [
      ARCHIVE,
      {
        name: 'junit.xml',
        paths: ['reports/'],
        artifact_type: 'junit',
        artifact_format: 'gzip',
        when: 'always',
      },
      { name: 'q.json', paths: ['quality.json'], artifact_type: 'codequality', artifact_format: 'raw' },
      { name: 'never', paths: ['dist/'], when: 'on_failure' },
    ],
  })
  expect(await uploadArtifacts(job, true)).toEqual({ kind: 'success' })
  const [archive, junit, quality, ...more] = coordinator.callsOf('upload')
  expect(more).toEqual([])
  expect(archive?.path).toContain('?artifact_format=zip&artifact_type=archive')
  expect(fileOf(archive).toString('latin1', 0, 4)).toBe('PK\x03\x04')
  expect(junit?.path).toContain('?artifact_format=gzip&artifact_type=junit')
  expect(junit?.body.toString('latin1')).toContain('filename="junit.xml.gz"')
  expect(gunzipSync(fileOf(junit)).toString()).toBe('<a/><b/>')
  expect(quality?.path).toContain('?artifact_format=raw&artifact_type=codequality')
  expect(quality?.body.toString()).toContain('filename="q.json"')
  expect(fileOf(quality).toString()).toBe('[]')
})

test('every attempt of an upload has the same bytes', async () => {
  const { job } = await uploadingJob(coordinator.url, {
    files: { 'dist/text': 'text\n'.repeat(100_000), 'dist/noise': randomBytes(1_000_000) },
  })
  coordinator.misbehave('upload', 'done-then-cut', { status: 500 })
  expect(await uploadArtifact(job, ARCHIVE)).toEqual({ kind: 'stored' })
  const [first, second, third] = coordinator.callsOf('upload').map(fileOf)
  expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true)
  expect(third?.equals(first ?? Buffer.alloc(0))).toBe(true)
})

test('all artifacts are tried, and the first failure is the reason of the job', async () => {
  const { job } = await uploadingJob(coordinator.url, {
    files: { 'dist/app': 'app', 'a.json': '1', 'b.json': '2' },
    artifacts: [
      { ...ARCHIVE, artifact_type: 'junit', artifact_format: 'tarzstd' },
      { paths: ['*.json'], artifact_type: 'sast', artifact_format: 'raw' },
      ARCHIVE,
    ],
  })
  expect(await uploadArtifacts(job, true)).toMatchObject({
    kind: 'failed',
    reason: 'script_failure',
    exitCode: 1,
    message: 'uploading artifacts failed: this runner does not support the artifact format "tarzstd"',
  })
  expect(coordinator.callsOf('upload')).toHaveLength(1)
})

test('a raw artifact of two files, and a report that is a link, are rejected with the reason', async () => {
  const { job, log, work } = await uploadingJob(coordinator.url, { files: { 'a.json': '1', 'b.json': '2' } })
  await symlink('/etc/passwd', join(work, 'link.json'))
  const raw = { artifact_type: 'sast', artifact_format: 'raw' }
  expect(await uploadArtifact(job, { ...raw, paths: ['?.json'] })).toMatchObject({ kind: 'failed' })
  expect(log.text).toContain('the raw format allows only one file')
  const link = { paths: ['link.json'] }
  expect(await uploadArtifact(job, { ...raw, ...link })).toMatchObject({ kind: 'failed' })
  expect(await uploadArtifact(job, { ...link, artifact_format: 'gzip' })).toMatchObject({
    problem: 'uploading artifacts as "archive" failed: link.json is not a regular file',
  })
  expect(coordinator.callsOf('upload')).toHaveLength(0)
})

test('a report whose patterns match only directories has nothing to upload', async () => {
  const { job } = await uploadingJob(coordinator.url, { files: { 'dist/deep/x': '' } })
  const artifact = { paths: ['dist/*'], exclude: ['**/x'], artifact_format: 'gzip' }
  expect(await uploadArtifact(job, artifact)).toEqual({ kind: 'nothing' })
})

test('a file over the size limit is not uploaded', async () => {
  const { job, log } = await uploadingJob(coordinator.url, {
    files: { 'big.json': randomBytes(3000) },
    limit: 2048,
  })
  const artifact = { paths: ['big.json'], artifact_type: 'sast', artifact_format: 'raw' }
  expect(await uploadArtifact(job, artifact)).toMatchObject({ kind: 'failed' })
  expect(log.text).toContain('it has 2.9 KiB, which is more than the 2 KiB that the coordinator accepts')
  expect(coordinator.callsOf('upload')).toHaveLength(0)
})

test('an archive that grows over the size limit is aborted there, once', async () => {
  let [received, uploads] = [0, 0]
  const url = await serverThat((request) => {
    uploads++
    request.on('data', (chunk: Buffer) => (received += chunk.length))
    request.on('error', () => undefined)
  })
  const { job } = await uploadingJob(url, {
    files: { 'dist/big': randomBytes(20_000_000) },
    limit: 1024 * 1024,
  })
  expect(await uploadArtifact(job, ARCHIVE)).toEqual({
    kind: 'failed',
    problem:
      'uploading artifacts as "archive" failed: it is larger than the 1 MiB that the coordinator accepts',
  })
  expect(uploads).toBe(1)
  expect(received).toBeLessThan(2_000_000)
})

test('a rejection during the upload is handled at once', async () => {
  const url = await serverThat((_, response) => response.writeHead(413).end())
  const { job } = await uploadingJob(url, { files: { 'dist/big': randomBytes(20_000_000) } })
  const result = await uploadArtifact(job, ARCHIVE)
  expect(result).toMatchObject({ kind: 'failed' })
  expect(JSON.stringify(result)).toMatch(/413 Payload Too Large, after [\d.]+ \w+ were sent/)
})

test('a redirected upload goes to the given host with the same query', async () => {
  const other = await MisbehavingCoordinator.start()
  onTestFinished(() => other.stop())
  coordinator.misbehave('upload', { status: 307, headers: { location: `${other.url}/elsewhere?x=y` } })
  const { job } = await uploadingJob(coordinator.url, { files: { 'dist/app': 'app' } })
  expect(await uploadArtifact(job, ARCHIVE)).toEqual({ kind: 'stored' })
  expect(other.callsOf('upload').map(({ path, headers }) => [path, headers['job-token']])).toEqual([
    ['/api/v4/jobs/124/artifacts?artifact_format=zip&artifact_type=archive', 'job-token-of-124'],
  ])
})

test.each([
  [403, 1],
  [413, 1],
  [400, 3],
  [401, 3],
  [404, 3],
  [503, 6],
])('an upload that gets %i is tried %i times', async (status, tries) => {
  coordinator.misbehave('upload', ...Array<{ status: number }>(10).fill({ status }))
  const { job } = await uploadingJob(coordinator.url, { files: { 'dist/app': 'app' } })
  expect(await uploadArtifact(job, ARCHIVE)).toMatchObject({ kind: 'failed' })
  expect(coordinator.callsOf('upload')).toHaveLength(tries)
})

test('an upload waits for a proxy that responds for a coordinator, and for space on its disk', async () => {
  coordinator.misbehave('upload', ...[502, 504, 507, 507, 507, 502].map((status) => ({ status })))
  const { job } = await uploadingJob(coordinator.url, {
    files: { 'dist/app': 'app' },
    timings: { silenceTimeout: 60_000 },
  })
  expect(await uploadArtifact(job, ARCHIVE)).toEqual({ kind: 'stored' })
})

test('an upload to a disk that stays full is kept, and its job does not fail', async () => {
  coordinator.misbehave('upload', ...Array<{ status: number }>(10).fill({ status: 507 }))
  const { job } = await uploadingJob(coordinator.url, { files: { 'dist/app': 'app' } })
  expect(await uploadArtifact(job, ARCHIVE)).toMatchObject({ kind: 'undelivered' })
})

test('a missing response and an endless upload time out', async () => {
  const silent = await serverThat((request) => request.resume())
  const { job, log } = await uploadingJob(silent, {
    files: { 'dist/app': 'app' },
    timeouts: { responseHeaderTimeoutSeconds: 0.1 },
  })
  expect(await uploadArtifact(job, ARCHIVE)).toMatchObject({ kind: 'undelivered' })
  expect(log.text).toContain('no response within 0.1 seconds')

  const deaf = await serverThat(() => undefined)
  const other = await uploadingJob(deaf, {
    files: { 'dist/big': randomBytes(30_000_000) },
    timeouts: { uploadTimeoutSeconds: 0.2 },
  })
  expect(await uploadArtifact(other.job, ARCHIVE)).toMatchObject({ kind: 'undelivered' })
  expect(other.log.text).toContain('not done within 0s')
})

test('stopping the job aborts its upload', async () => {
  const deaf = await serverThat(() => undefined)
  const { job, control } = await uploadingJob(deaf, { files: { 'dist/big': randomBytes(30_000_000) } })
  const upload = uploadArtifact(job, ARCHIVE)
  control.stop({ kind: 'aborted' })
  await expect(upload).rejects.toMatchObject({ code: 'JOB_STOPPED' })
})

test('artifacts are stored while the coordinator is away, and uploaded later with the same bytes', async () => {
  const { job } = await uploadingJob(coordinator.url, {
    files: { 'dist/text': 'text\n'.repeat(200_000) },
  })
  coordinator.misbehave('upload', 'cut', 'cut', 'cut')
  expect(await uploadArtifact(job, { ...ARCHIVE, expire_in: '1 day' })).toMatchObject({ kind: 'undelivered' })
  const [lost] = coordinator.callsOf('upload')

  const prepared = await prepareArtifact(job, { ...ARCHIVE, expire_in: '1 day' })
  if (prepared.kind !== 'ready') throw new Error('there is something to send')
  const file = join(await tempDir(), 'artifact')
  const stored = await storeArtifact(prepared.plan, prepared.open, file, NEVER)
  const again = JSON.parse(JSON.stringify(stored)) as typeof stored
  expect(await sendStoredArtifact(sendDepsOf(job), again)).toEqual({ kind: 'stored' })
  const sent = coordinator.callsOf('upload').at(-1)
  expect(sent?.path).toBe(lost?.path)
  expect(fileOf(sent).equals(fileOf(lost))).toBe(true)
})

test('a stored artifact without its file fails, and the process continues', async () => {
  const { job } = await uploadingJob('http://127.0.0.1:1', { files: {} })
  const plan = { type: 'archive', format: 'zip' as const, fileName: 'a.zip', query: {} }
  expect(await sendStoredArtifact(sendDepsOf(job), { file: '/nowhere', plan })).toMatchObject({
    kind: 'failed',
  })
})

test('a provenance statement lists every file with its digest, and is reproducible', async () => {
  const { job } = await uploadingJob(coordinator.url, {
    files: { 'dist/app': 'app' },
    variables: [
      { key: 'RUNNER_GENERATE_ARTIFACTS_METADATA', value: 'true' },
      { key: 'CI_PROJECT_URL', value: 'https://ci.example/g/p' },
      { key: 'CI_COMMIT_SHA', value: '1a2b' },
      { key: 'CI_JOB_ID', value: '124' },
      { key: 'SECRET', value: 'not to be told' },
    ],
  })
  coordinator.misbehave('upload', { status: 500 })
  expect(await uploadArtifact(job, { ...ARCHIVE, name: 'app' })).toEqual({ kind: 'stored' })
  const [first, second] = coordinator.callsOf('upload').map(fileOf)
  expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true)

  const target = await tempDir()
  await writeFile(join(target, 'a.zip'), first ?? '')
  await extractZip(join(target, 'a.zip'), target)
  const text = await readFile(join(target, 'app-metadata.json'), 'utf8')
  expect(text).not.toContain('not to be told')
  expect(JSON.parse(text)).toMatchObject({
    predicateType: 'https://slsa.dev/provenance/v1',
    subject: [
      {
        name: 'dist/app',
        digest: { sha256: 'a172cedcae47474b615c54d510a5d84a8dea3032e958587430b413538be3f333' },
      },
    ],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [{ uri: 'https://ci.example/g/p', digest: { gitCommit: '1a2b' } }],
      },
      runDetails: { metadata: { invocationId: '124' } },
    },
  })
})
