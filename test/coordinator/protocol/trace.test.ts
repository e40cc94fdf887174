import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import {
  ciCoordinatorForFile,
  jobNamed,
  type Limits,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

async function startJob(limits?: Limits) {
  const coordinator = await (limits ? startCiCoordinator(limits) : openCoordinator())
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  const job = await runner.takeJob()
  const stored = async () => text(await coordinator.traces.read(await jobNamed(coordinator, 'build')))
  return { coordinator, runner, job, stored }
}

test('patches are appended in order', async () => {
  const { runner, job, stored } = await startJob()
  const first = await runner.patch(job, '0-4', 'hello')
  expect(first.status).toBe(202)
  expect(first.headers.get('job-status')).toBe('running')
  expect(first.headers.get('range')).toBe('0-5')
  expect(first.headers.get('x-gitlab-trace-update-interval')).toBe('3')
  const second = await runner.patch(job, '5-11', ' wörld')
  expect(second.headers.get('range')).toBe('0-12')
  expect(await stored()).toBe('hello wörld')
})

test('the update interval is shorter while a user reads the trace', async () => {
  const { coordinator, runner, job } = await startJob()
  await runner.patch(job, '0-4', 'hello')
  await coordinator.app.call(coordinator.admin, `GET /projects/group%2Fapp/jobs/${job.id}/trace`)
  const response = await runner.patch(job, '5-5', '!')
  expect(response.headers.get('x-gitlab-trace-update-interval')).toBe('1')
  expect(response.headers.get('x-switchyard-trace-interval')).toBe('0.2')
})

test('without readers, the interval has whole seconds', async () => {
  const { runner, job } = await startJob()
  const response = await runner.patch(job, '0-4', 'hello')
  expect(response.headers.get('x-switchyard-trace-interval')).toBeNull()
})

test('the length of the body decides, not the second number', async () => {
  const { runner, job, stored } = await startJob()
  expect((await runner.patch(job, '0-5', 'hello')).headers.get('range')).toBe('0-5')
  expect((await runner.patch(job, '5-99', '!')).headers.get('range')).toBe('0-6')
  expect(await stored()).toBe('hello!')
})

test.each([
  ['a repeated patch', '0-4'],
  ['an overlapping patch', '3-7'],
  ['a patch behind a gap', '9-13'],
])('%s is 416 and changes nothing', async (_name, range) => {
  const { runner, job, stored } = await startJob()
  await runner.patch(job, '0-4', 'hello')
  const response = await runner.patch(job, range, 'HELLO')
  expect(response.status).toBe(416)
  expect(response.headers.get('range')).toBe('0-5')
  expect(await response.json()).toEqual({ error: '416 Range Not Satisfiable' })
  expect(await stored()).toBe('hello')
})

test.each([undefined, 'bytes 0-4/5', ''])('a patch with the range %j is 400', async (range) => {
  const { runner, job, stored } = await startJob()
  expect((await runner.patch(job, range, 'hello')).status).toBe(400)
  expect(await stored()).toBe('')
})

test('a patch with a wrong token is 403', async () => {
  const { runner, job, stored } = await startJob()
  const response = await runner.patch({ id: job.id, token: 'wrong' }, '0-4', 'hello')
  expect(response.status).toBe(403)
  expect(response.headers.get('job-status')).toBeNull()
  expect(await stored()).toBe('')
})

test('a patch for a job that is over is 403 with its status', async () => {
  const { runner, job } = await startJob()
  await runner.update(job, 'success')
  const response = await runner.patch(job, '0-4', 'hello')
  expect(response.status).toBe(403)
  expect(response.headers.get('job-status')).toBe('success')
})

test('a trace over the limit fails the job and keeps the part within the limit', async () => {
  const { coordinator, runner, job, stored } = await startJob({ traceMaxBytes: 8 })
  await runner.patch(job, '0-4', 'hello')
  const response = await runner.patch(job, '5-10', ' world')
  expect(response.status).toBe(403)
  expect(response.headers.get('job-status')).toBe('failed')
  expect(await jobNamed(coordinator, 'build')).toMatchObject({
    status: 'failed',
    failure_reason: 'trace_size_exceeded',
  })
  expect(await stored()).toBe('hello')
})

test('output in transit when the job is canceled counts towards the length of the log', async () => {
  const { coordinator, runner, job, stored } = await startJob()
  const patch = new PassThrough()
  const result = runner.patch(job, '0-4', patch)
  patch.write('hel')
  await expect.poll(stored).toBe('hel')
  const { app, admin } = coordinator
  await app.call(admin, `POST /projects/group%2Fapp/jobs/${job.id}/cancel`)
  expect(await jobNamed(coordinator, 'build')).toMatchObject({ status: 'canceled', trace_bytes: 3 })
  patch.end('lo')
  expect((await result).status).toBe(202)
  expect(await jobNamed(coordinator, 'build')).toMatchObject({ trace_bytes: 5 })
})

test('concurrent patches with the same content are stored once', async () => {
  const { runner, job, stored } = await startJob()
  const responses = await Promise.all([1, 2, 3].map(() => runner.patch(job, '0-4', 'hello')))
  expect(responses.map(({ status }) => status).sort()).toEqual([202, 416, 416])
  expect(await stored()).toBe('hello')
})

test('a patch is a sign of life', async () => {
  const { coordinator, runner, job } = await startJob()
  await runner.patch(job, '0-4', 'hello')
  const lease = await coordinator.database.selectFrom('lease').selectAll().executeTakeFirst()
  expect(lease).toMatchObject({ job_id: job.id, heard_from: true })
})
