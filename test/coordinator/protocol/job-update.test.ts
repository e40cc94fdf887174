import { expect, test } from 'vitest'

import { cancelJob } from '../../../src/coordinator/ci/engine/retry/cancel.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
} from '../support/ci-coordinator.js'
import { INFO, RunnerClient, send } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

async function startJob(features: object = {}) {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  const job = await runner.takeJob({ info: { ...INFO, features } })
  return { coordinator, runner, job }
}

async function leaseOf({ database }: CiCoordinator, jobId: number) {
  return database.selectFrom('lease').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

test('running is a sign of life: 200, and the lease is renewed', async () => {
  const { coordinator, runner, job } = await startJob()
  expect(await leaseOf(coordinator, job.id)).toMatchObject({ heard_from: false })
  const response = await runner.update(job, 'running')
  expect(response.status).toBe(200)
  expect(response.headers.get('job-status')).toBe('running')
  expect(await response.text()).toBe('200')
  expect(await leaseOf(coordinator, job.id)).toMatchObject({ heard_from: true })
})

test('success ends the job, and later updates are refused', async () => {
  const { coordinator, runner, job } = await startJob()
  const final = await runner.update(job, 'success')
  expect(final.status).toBe(200)
  expect(final.headers.get('job-status')).toBe('success')
  expect((await jobNamed(coordinator, 'build')).status).toBe('success')
  const repeated = await runner.update(job, 'success')
  expect(repeated.status).toBe(403)
  expect(repeated.headers.get('job-status')).toBe('success')
  expect((await runner.update(job, 'running')).status).toBe(403)
})

test.each([
  [{ failure_reason: 'script_failure', exit_code: 7 }, 'script_failure', 7],
  [{ failure_reason: 'runner_system_failure' }, 'runner_system_failure', null],
  [{ failure_reason: 'made_up' }, 'unknown_failure', null],
  [{}, 'unknown_failure', null],
])('a failure with %j', async (report, failure_reason, exit_code) => {
  const { coordinator, runner, job } = await startJob()
  const response = await runner.update(job, 'failed', report)
  expect(response.status).toBe(200)
  expect(response.headers.get('job-status')).toBe('failed')
  expect(await jobNamed(coordinator, 'build')).toMatchObject({ status: 'failed', failure_reason, exit_code })
})

test('a trace that differs from its checksum does not stop the job from ending', async () => {
  const { coordinator, runner, job } = await startJob()
  await runner.patch(job, '0-4', 'hello')
  const output = { checksum: 'crc32:00000000', bytesize: 99 }
  expect((await runner.update(job, 'success', { checksum: output.checksum, output })).status).toBe(200)
  expect((await jobNamed(coordinator, 'build')).status).toBe('success')
})

test('the job token may be in the header alone', async () => {
  const { coordinator, job } = await startJob()
  const headers = { 'job-token': job.token }
  const response = await send(coordinator.url, 'PUT', `/jobs/${job.id}`, { state: 'running' }, { headers })
  expect(response.status).toBe(200)
})

test('a wrong token, another job and no token are 403 without a status', async () => {
  const { coordinator, runner, job } = await startJob()
  for (const wrong of [
    { id: job.id, token: 'wrong' },
    { id: job.id + 1, token: job.token },
    { id: job.id, token: runner.token },
  ]) {
    const response = await runner.update(wrong, 'running')
    expect(response.status).toBe(403)
    expect(response.headers.get('job-status')).toBeNull()
    expect(await response.json()).toEqual({ message: '403 Forbidden' })
  }
  const nobody = await send(coordinator.url, 'PUT', `/jobs/${job.id}`, { state: 'running' })
  expect(nobody.status).toBe(403)
})

test('an unknown state is 400', async () => {
  const { runner, job } = await startJob()
  expect((await runner.update(job, 'dancing')).status).toBe(400)
})

test('a canceled job gives 403 with its status to a runner that cannot end it gracefully', async () => {
  const { coordinator, runner, job } = await startJob()
  await cancelJob(coordinator.engine, await jobNamed(coordinator, 'build'))
  for (const response of [
    await runner.update(job, 'running'),
    await runner.patch(job, '0-1', 'hi'),
    await runner.update(job, 'failed'),
    await runner.upload(job, 'zip'),
  ]) {
    expect(response.status).toBe(403)
    expect(response.headers.get('job-status')).toBe('canceled')
  }
})

test('a job that is being canceled keeps running until its runner reports it as canceled', async () => {
  const { coordinator, runner, job } = await startJob({ cancel_gracefully: true })
  await cancelJob(coordinator.engine, await jobNamed(coordinator, 'build'))
  const update = await runner.update(job, 'running')
  expect([update.status, update.headers.get('job-status')]).toEqual([200, 'canceling'])
  const patch = await runner.patch(job, '0-1', 'hi')
  expect([patch.status, patch.headers.get('job-status')]).toEqual([202, 'canceling'])
  expect((await runner.upload(job, 'zip')).status).toBe(201)
  const final = await runner.update(job, 'failed', { failure_reason: 'script_failure' })
  expect([final.status, final.headers.get('job-status')]).toEqual([200, 'canceled'])
  expect((await jobNamed(coordinator, 'build')).status).toBe('canceled')
})
