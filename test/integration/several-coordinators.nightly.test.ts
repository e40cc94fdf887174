import { randomInt } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { retry } from '../../src/lib/retry.js'
import { randomFrom } from '../coordinator/ci/engine/support/random.js'
import { LiveClient } from '../coordinator/support/live-client.js'
import { S3Server } from '../support/s3-server.js'
import { tempDir } from '../support/temp-dir.js'
import type { JobRecord, PipelineRecord } from './support/api.js'
import { CI_FILE, expectDoneOnce, FIRST_JOB } from './support/interrupted-work.js'
import type { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'
import { startTwoCoordinators, type TwoCoordinators } from './support/two-coordinators.js'
import { until } from './support/until.js'

/** Random ones, or those of SWITCHYARD_TEST_SEEDS, such as `5,6`, to repeat a failure. */
const SEEDS = process.env['SWITCHYARD_TEST_SEEDS']?.split(',').map(Number) ?? randomSeeds(8)
const KILLS = 8
const PUSHES = 2

test.each(SEEDS)(
  'coordinators that share PostgreSQL, a bucket and a folder lose nothing when they are killed: seed %i',
  async (seed) => {
    const below = randomFrom(seed)
    const { s3, sharedDir, ...coordinators } = await startSharing()
    const { system } = coordinators
    await system.startRunner({ concurrent: 3 })
    await system.startRunner({ concurrent: 3 })
    const project = await system.createProject()
    const pipeline = await project.pushCi(CI_FILE)
    const watched = followLog(system, await project.job(pipeline, FIRST_JOB))

    const [pushed] = await Promise.all([pushAgainAndAgain(project), killAtRandom(coordinators, below)])
    const pipelines = [pipeline, ...pushed]
    for (const each of pipelines) await retrying(() => project.finished(each))

    await expectDoneOnce(coordinators, project, pipelines)
    const { job, bytes } = await watched
    expect(bytes.toString()).toBe(await project.trace(job))
    expect([...s3.objects.keys()].filter((key) => key.includes('artifacts'))).not.toEqual([])
    expect(await readdir(sharedDir)).not.toContain('blobs')
    expect(await readdir(join(system.directory, 'coordinator'))).not.toContain('repositories')
  },
)

test('nginx sends requests, held ones included, to the coordinator that is left', async () => {
  const { system } = await startSharing()
  await system.startRunner({ concurrent: 2 })
  await system.startRunner({ concurrent: 2 })
  const project = await system.createProject()
  await project.finished(await project.pushCi('first: {script: [echo first]}'))
  await system.killCoordinator()
  const results = await Promise.all(Array.from({ length: 20 }, () => project.request('GET', '')))
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 200))
  const pipeline = await project.pushCi('second: {parallel: 4, script: [echo second]}')
  expect(await project.finished(pipeline)).toMatchObject({ status: 'success' })
  await system.startCoordinator()
})

test('nginx passes logs and uploads on as they arrive', async () => {
  const { system, sharedDir } = await startSharing()
  await system.startRunner()
  const project = await system.createProject()
  const pipeline = await project.pushCi('slow: {script: [echo begun, sleep 600]}')
  const job = await project.jobIn(pipeline, 'slow', 'running')
  const live = await openLog(system, job, 0)
  await live.next('trace', (part) => part.text?.includes('\nbegun\n') === true)
  expect((await project.request('POST', `/jobs/${job.id}/cancel`)).status).toBe(201)
  await live.next('trace-end')

  const half = Buffer.alloc(1024 ** 2, 'x')
  const upload = beginUpload(system, project)
  upload.write(half)
  await until('a coordinator to have the first half', async () => {
    const [size = 0] = await sizesIn(system.directory, /^coordinator.*\/spool\//)
    return size >= half.length ? true : undefined
  })
  const { status, body } = await upload.end(half)
  expect({ status, body }).toMatchObject({ status: 201 })
  const { full_path: path } = JSON.parse(body) as { full_path: string }
  const download = await fetch(new URL(`${system.api.url}${path}`), {
    headers: { 'private-token': system.api.token },
  })
  expect(Buffer.from(await download.arrayBuffer()).equals(Buffer.concat([half, half]))).toBe(true)
  expect(await sizesIn(sharedDir, /blobs/)).toEqual([])
})

/** Coordinators that share a bucket and a folder. */
async function startSharing(): Promise<TwoCoordinators & { s3: S3Server; sharedDir: string }> {
  const s3 = await S3Server.start()
  const sharedDir = await tempDir()
  const coordinators = await startTwoCoordinators({
    SWITCHYARD_SHARED_DIR: sharedDir,
    ...s3.environment('STORAGE', 'ci'),
  })
  return { ...coordinators, s3, sharedDir }
}

/** One coordinator at any moment of the work, and now and then both at once. */
async function killAtRandom(
  { system, urls }: TwoCoordinators,
  below: (limit: number) => number,
): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(50 + below(1450)) // any moment of the work
    const killed = below(4) === 0 ? urls : [urls[below(urls.length)] ?? '']
    await Promise.all(killed.map((url) => system.restart(url, 'SIGKILL')))
  }
}

/** What is pushed while coordinators are killed, like a user who repeats a push that has failed. */
async function pushAgainAndAgain(project: TestProject): Promise<PipelineRecord[]> {
  const pipelines: PipelineRecord[] = []
  for (let push = 0; push < PUSHES; push++) {
    await project.commit({ 'pushed.txt': `${push}\n` })
    // A branch of its own: a second pipeline of a branch would cancel the first.
    pipelines.push(await retrying(() => project.pushHead(`push-${push}`)))
  }
  return pipelines
}

function randomSeeds(length: number): number[] {
  return Array.from({ length }, () => randomInt(2 ** 31))
}

/** For five minutes: on a busy machine, coordinators that are killed at once again and again take long to be back. */
function retrying<T>(action: () => Promise<T>): Promise<T> {
  return retry(action, { attempts: 600, delay: 50, maximumDelay: 500, isWorthRetrying: () => true })
}

/** Reads the log of a job from live streams, as a page does: when one ends, the next one continues. */
async function followLog(system: System, job: JobRecord): Promise<{ job: JobRecord; bytes: Buffer }> {
  let bytes = Buffer.alloc(0)
  for (;;) {
    const live = await retrying(() => openLog(system, job, bytes.length))
    await live.until(() => live.events.some(({ name }) => name === 'trace-end') || live.hasEnded)
    for (const { name, data } of live.events) {
      if (name === 'trace-end') return { job, bytes }
      if (!('offset' in data)) continue
      expect(data.offset).toBe(bytes.length)
      bytes = Buffer.concat([bytes, partOf(data)])
    }
  }
}

function partOf({ text: characters, base64 = '' }: { text?: string; base64?: string }): Buffer {
  return characters === undefined ? Buffer.from(base64, 'base64') : Buffer.from(characters)
}

function openLog({ api }: System, { id }: JobRecord, offset: number): Promise<LiveClient> {
  return LiveClient.open(
    { url: `${api.url}/api/v4` },
    { headers: { 'private-token': api.token }, topics: `trace/${id}/${offset}` },
  )
}

/** An upload of a file whose parts are sent one by one. */
function beginUpload(
  { api }: System,
  project: TestProject,
): { write: (part: Buffer) => void; end: (last: Buffer) => Promise<{ status: number; body: string }> } {
  const boundary = 'boundary-of-the-upload'
  const upload = request(`${api.url}/api/v4/projects/${project.id}/uploads`, {
    method: 'POST',
    headers: { 'private-token': api.token, 'content-type': `multipart/form-data; boundary=${boundary}` },
  })
  const served = new Promise<{ status: number; body: string }>((resolve, reject) => {
    upload.once('error', reject)
    upload.once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
  })
  const disposition = 'content-disposition: form-data; name="file"; filename="large.bin"'
  upload.write(`--${boundary}\r\n${disposition}\r\n\r\n`)
  return {
    write: (part) => void upload.write(part),
    end: (last) => {
      upload.write(last)
      upload.end(`\r\n--${boundary}--\r\n`)
      return served
    },
  }
}

/** Sizes of the files below a folder whose path, from there, matches. */
async function sizesIn(folder: string, path: RegExp): Promise<number[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => path.test(name))
  const files = await Promise.all(names.map((name) => stat(join(folder, name))))
  return files.filter((file) => file.isFile()).map(({ size }) => size)
}
