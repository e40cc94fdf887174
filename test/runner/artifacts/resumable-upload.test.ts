import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { UPLOAD_OFFSET_HEADER } from '../../../src/protocol/resumable-upload.js'
import { sendStoredArtifact, storeArtifact } from '../../../src/runner/artifacts/send-artifact.js'
import { JobControl } from '../../../src/runner/job/job-control.js'
import {
  prepareArtifact,
  sendDepsOf,
  uploadArtifact,
  type UploadNeeds,
} from '../../../src/runner/job/stages/artifacts.js'
import {
  type CiCoordinator,
  pushPipeline,
  startCiCoordinator,
} from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'
import { uploadingJob, type UploadSetup } from './uploading-job.js'

const ARCHIVE = { paths: ['dist/'], artifact_type: 'archive', artifact_format: 'zip' }
const MEGABYTE = 1024 * 1024

interface Seen {
  method: string | undefined
  path: string
  /** Where in the whole a body begins. */
  start: number
  bytes: number
}

/** A network between runner and coordinator: each connection of the list `cuts` breaks after so many bytes of a body. */
async function startNetwork(target: string, cuts: number[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((incoming, response) => pass(target, incoming, response, cuts, seen))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

function pass(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  cuts: number[],
  seen: Seen[],
): void {
  const path = incoming.url ?? '/'
  const start = Number(incoming.headers[UPLOAD_OFFSET_HEADER] ?? 0)
  const here: Seen = { method: incoming.method, path, start, bytes: 0 }
  seen.push(here)
  const cut = incoming.method === 'PATCH' ? (cuts.shift() ?? Infinity) : Infinity
  const { method, headers } = incoming
  const forwarded = request(new URL(path, target), { method, headers, agent: false })
  forwarded.on('error', () => response.destroy())
  forwarded.on('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  incoming.on('error', () => forwarded.destroy())
  incoming.on('data', (chunk: Buffer) => {
    if (here.bytes >= cut) return // what comes while the last of it is on its way is lost
    here.bytes += chunk.length
    forwarded.write(chunk, () => {
      if (here.bytes >= cut) incoming.socket.destroy()
    })
  })
  incoming.on('end', () => {
    if (here.bytes < cut) forwarded.end()
  })
  response.on('close', () => forwarded.destroy())
}

async function takenJob(
  open: OpenDatabase,
): Promise<{ coordinator: CiCoordinator; runner: RunnerClient; payload: JobPayload }> {
  const coordinator = await startCiCoordinator({ artifactsMaxBytes: 10 * MEGABYTE }, open)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'make: { script: [a], artifacts: { paths: [dist/] } }')
  return { coordinator, runner, payload: await runner.takeJob() }
}

/** The runner's side of the job, with what the coordinator announced. */
async function jobOf(url: string, payload: JobPayload, setup: UploadSetup) {
  const made = await uploadingJob(url, { ...setup, identity: payload })
  const job: UploadNeeds = { ...made.job, payload: { ...made.job.payload, features: payload.features ?? {} } }
  return { ...made, job }
}

function addressOf({ url }: CiCoordinator): string {
  return url.replace('/api/v4', '')
}

describeOnDatabase('an upload that is cut', (open) => {
  test('resumes from the bytes that arrived, any number of times', async () => {
    const { coordinator, runner, payload } = await takenJob(open)
    const noise = randomBytes(8 * MEGABYTE)
    const cuts = [3, 1, 1, 1, 1].map((megabytes) => megabytes * MEGABYTE)
    const network = await startNetwork(addressOf(coordinator), cuts)
    const { job, log } = await jobOf(network.url, payload, { files: { 'dist/noise': noise } })
    expect(await uploadArtifact(job, ARCHIVE), log.text).toEqual({ kind: 'stored' })
    expect(log.text).toMatch(/Resuming after the .* that the coordinator already has/)
    const sent = network.seen.filter(({ method }) => method === 'PATCH')
    expect(sent.length).toBeGreaterThan(5)
    const archive = Buffer.from(await (await runner.download(payload.id, payload.token)).arrayBuffer())
    // What was on its way when a connection broke is sent once more, and nothing else.
    const starts = sent.map(({ start }) => start)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    const last = sent.at(-1)
    expect(last?.start).toBeGreaterThan(0)
    expect((last?.start ?? 0) + (last?.bytes ?? 0)).toBe(archive.length)
    expect(archive.includes(noise.subarray(0, 60_000))).toBe(true)
    const row = await coordinator.artifacts.find(payload.id)
    expect(row?.size).toBe(archive.length)
    expect(archive.equals(await buffer(await openAgain(job)))).toBe(true)
    const place = { projectId: coordinator.project.id, jobId: payload.id, name: 'archive' }
    expect(await coordinator.uploads.size(place)).toBe(0)
  })

  test('is resumed by the next runner process, also from the stored artifact of the job', async () => {
    const { coordinator, payload } = await takenJob(open)
    const setup = { files: { 'dist/noise': randomBytes(6 * MEGABYTE) } }
    const network = await startNetwork(addressOf(coordinator), [4 * MEGABYTE])
    const killed = await jobOf(network.url, payload, { ...setup, timings: { uploadRetry: 3_600_000 } })
    const upload = uploadArtifact(killed.job, ARCHIVE)
    await expect.poll(() => killed.log.text, { timeout: 30_000 }).toContain('Retrying')
    killed.control.stop({ kind: 'aborted' })
    await expect(upload).rejects.toThrow()

    const prepared = await prepareArtifact({ ...killed.job, control: new JobControl() }, ARCHIVE)
    if (prepared.kind !== 'ready') throw new Error(killed.log.text)
    const file = join(await tempDir(), 'artifact-0')
    const signal = new AbortController().signal
    const stored = await storeArtifact(prepared.plan, prepared.open, file, signal)
    const next = await jobOf(network.url, payload, { files: {} })
    expect(await sendStoredArtifact(sendDepsOf(next.job), stored)).toEqual({ kind: 'stored' })
    expect(next.log.text).toContain('Resuming after')
    const patches = network.seen.filter(({ method }) => method === 'PATCH')
    expect(patches[1]?.start).toBeGreaterThan(0)
    expect((await coordinator.artifacts.find(payload.id))?.size).toBe((await stat(file)).size)
  })

  testAtNight('restarts when the received bytes belong to another file', async () => {
    const { coordinator, payload } = await takenJob(open)
    const place = { projectId: coordinator.project.id, jobId: payload.id, name: 'archive' }
    const { job, log } = await jobOf(addressOf(coordinator), payload, {
      files: { 'dist/noise': randomBytes(3 * MEGABYTE) },
    })
    await coordinator.uploads.append(place, 0, Readable.from([randomBytes(MEGABYTE)], { objectMode: false }))
    expect(await uploadArtifact(job, ARCHIVE), log.text).toEqual({ kind: 'stored' })
    const [row, made] = [await coordinator.artifacts.find(payload.id), await buffer(await openAgain(job))]
    expect(row?.size).toBe(made.length)
  })

  test('is not used for small artifacts and other servers: they get one request', async () => {
    const { coordinator, payload } = await takenJob(open)
    const network = await startNetwork(addressOf(coordinator), [])
    const small = await jobOf(network.url, payload, { files: { 'dist/noise': randomBytes(100_000) } })
    expect(await uploadArtifact(small.job, ARCHIVE)).toEqual({ kind: 'stored' })
    const plain = { ...payload, features: {} }
    const large = await jobOf(network.url, plain, { files: { 'a.json': randomBytes(2 * MEGABYTE) } })
    const report = { paths: ['a.json'], artifact_type: 'sast', artifact_format: 'raw' }
    expect(await uploadArtifact(large.job, report)).toEqual({ kind: 'stored' })
    const calls = network.seen.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
    expect(calls).toEqual(Array(2).fill(`POST /api/v4/jobs/${payload.id}/artifacts`))
  })

  test('stops at once when the artifact exceeds the size limit', async () => {
    const { coordinator, payload } = await takenJob(open)
    const network = await startNetwork(addressOf(coordinator), [])
    const unlimited = { ...payload, features: { resumable_uploads: true } }
    const { job, log } = await jobOf(network.url, unlimited, {
      files: { 'dist/noise': randomBytes(12 * MEGABYTE) },
    })
    expect(await uploadArtifact(job, ARCHIVE)).toMatchObject({ kind: 'failed' })
    expect(log.text).toContain('413')
    expect(network.seen.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
  })
})

async function openAgain(job: UploadNeeds) {
  const prepared = await prepareArtifact(job, ARCHIVE)
  if (prepared.kind !== 'ready') throw new Error(`It is ${prepared.kind}`)
  return prepared.open()
}
