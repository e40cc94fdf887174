import { expect, test } from 'vitest'

import { moveJob } from '../../../src/coordinator/ci/engine/job-status-store.js'
import { cancelJob } from '../../../src/coordinator/ci/engine/retry/cancel.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { openSqlite } from '../../support/databases.js'
import { jobNamed, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { RunnerClient } from '../support/runner-client.js'

/** A version that nothing in a test is newer than. */
const LATER = Date.now() + 3_600_000

const ONE_JOB = 'build: { script: [make] }'

test('a stream begins with its topics, and is not cached or buffered', async () => {
  const coordinator = await startCiCoordinator()
  const { project, admin } = coordinator
  const client = await LiveClient.open(coordinator, {
    as: admin,
    topics: `project/${project.id},pipeline/99`,
  })
  const { data } = await client.next('hello')
  expect(data).toMatchObject({
    topics: [`project/${project.id}`],
    refused: [{ topic: 'pipeline/99', status: 404 }],
  })
  expect(client.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
})

test('a new pipeline reaches the streams of its project', async () => {
  const coordinator = await startCiCoordinator()
  const { project, admin } = coordinator
  const client = await LiveClient.open(coordinator, { as: admin, topics: `project/${project.id}` })
  await client.next('hello')
  const { id } = await pushPipeline(coordinator, ONE_JOB)
  const { data } = await client.next('pipeline')
  expect(data).toMatchObject({ id, project_id: project.id, status: 'pending', ref: 'main' })
  expect(data.stages).toEqual([{ name: 'test', status: 'pending' }])
})

test('a job that starts and ends reaches the streams of its pipeline and of itself', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, ONE_JOB)
  const { id } = await jobNamed(coordinator, 'build')
  const client = await LiveClient.open(coordinator, {
    as: coordinator.admin,
    topics: `pipeline/${pipeline.id},job/${id}`,
  })
  await client.next('hello')
  const job = await runner.takeJob()
  await client.until(() => statuses().includes('job running') && statuses().includes('pipeline running'))
  await runner.update(job, 'success')
  await client.until(() => statuses().includes('job success') && statuses().includes('pipeline success'))
  expect(statuses()).toContain('jobs success')

  function statuses(): string[] {
    return client.events.flatMap(({ name, data }) => {
      if (name === 'jobs' && 'jobs' in data) return data.jobs.map(({ status }) => `jobs ${status}`)
      return 'status' in data ? `${name} ${data.status}` : []
    })
  }
})

test('the first bytes of a log reach the streams of its pipeline, as the time at which it began', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, ONE_JOB)
  const client = await LiveClient.open(coordinator, {
    as: coordinator.admin,
    topics: `pipeline/${pipeline.id}`,
  })
  const job = await runner.takeJob()
  const running = await client.next('jobs', ({ jobs }) => jobs.some(({ status }) => status === 'running'))
  expect(running.data.jobs).toMatchObject([{ id: job.id, output_at: null }])
  const before = Date.now()
  await runner.patch(job, '0-5', 'first\n')
  const { data } = await client.next('jobs', ({ jobs }) => jobs.some(({ output_at: at }) => at !== null))
  expect(data.jobs).toMatchObject([{ id: job.id, status: 'running' }])
  expect(Date.parse(data.jobs[0]?.output_at ?? '')).toBeGreaterThanOrEqual(before)
  await runner.patch(job, '6-12', 'second\n')
  await runner.update(job, 'success')
  const next = await client.next('jobs')
  expect(next.data.jobs).toMatchObject([{ status: 'success', output_at: data.jobs[0]?.output_at }])
})

test('a log is sent from the offset on, as it grows, until the job has ended', async () => {
  const coordinator = await startCiCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const job = await runner.takeJob()
  await runner.patch(job, '0-5', 'first\n')
  const client = await LiveClient.open(coordinator, { as: coordinator.admin, topics: `trace/${job.id}/2` })
  expect((await client.next('trace')).data).toEqual({ job_id: job.id, offset: 2, bytes: 4, text: 'rst\n' })
  await runner.patch(job, '6-12', 'second\n')
  const { data, id } = await client.next('trace')
  expect(data).toEqual({ job_id: job.id, offset: 6, bytes: 7, text: 'second\n' })
  expect(id).toMatch(new RegExp(`^v=\\d+;t${job.id}=13$`))
  await runner.update(job, 'success')
  expect((await client.next('trace-end')).data).toEqual({
    job_id: job.id,
    bytes: 13,
    missing_bytes: 0,
    erased: false,
  })
})

test('a transaction that is rolled back sends nothing', async () => {
  const coordinator = await startCiCoordinator()
  const pipeline = await pushPipeline(coordinator, ONE_JOB)
  const job = await jobNamed(coordinator, 'build')
  const client = await LiveClient.open(coordinator, {
    as: coordinator.admin,
    topics: `pipeline/${pipeline.id},job/${job.id}`,
    cursor: `p${pipeline.id}=${LATER};j${job.id}=${LATER}`,
  })
  await client.next('hello')
  const aborted = inTransaction(coordinator.database, async (tx) => {
    expect(await moveJob(tx, job, { status: 'running' })).toBe(true)
    throw new Error('stop')
  })
  await expect(aborted).rejects.toThrow('stop')
  await cancelJob(coordinator.engine, job, { force: false })
  const { data } = await client.next('job')
  expect(data.status).toBe('canceled')
  const before = client.events.slice(
    0,
    client.events.findIndex(({ name }) => name === 'job'),
  )
  expect(before.map(({ name }) => name)).toEqual(['hello', 'jobs', 'pipeline'])
})

test('the position of a job in the queue is sent while it waits', async () => {
  const coordinator = await startCiCoordinator({}, openSqlite, { liveTimes: { waiting: 20 } })
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'first: { script: [make] }\nsecond: { script: [make] }')
  const { id } = await jobNamed(coordinator, 'second')
  await runner.takeJob({ system_id: 'other' })
  const client = await LiveClient.open(coordinator, { as: coordinator.admin, topics: `job/${id}` })
  const { data } = await client.next('waiting')
  expect(data).toEqual({
    job_id: id,
    waiting_for: {
      reason: 'busy',
      message: 'The only suitable runner is busy; the job is number 1 in the queue.',
      queue_position: 1,
    },
  })
})
