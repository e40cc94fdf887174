import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { testAtNight } from '../support/nightly.js'
import { System } from './support/system.js'

let system: System

beforeAll(async () => {
  system = await System.startInProcess()
})

beforeEach(() => system.startRunner())

// The next test starts a runner of its own.
afterEach(() => system.stopRunner('SIGQUIT'))

afterAll(() => system.stop())

test('a runner that gets SIGQUIT finishes its job and takes no other', async () => {
  const project = await system.createProject()
  const pipeline = await project.pushCi(`
first: {script: ["echo begun", "sleep 2", "echo ended"]}
second: {stage: deploy, script: ["echo never"]}
`)
  const first = await project.jobIn(pipeline, 'first', 'running')
  await project.traceContaining(first, 'begun\n')
  await system.stopRunner('SIGQUIT')
  expect(await project.statuses(pipeline)).toEqual({ first: 'success', second: 'pending' })
  expect(await project.trace(first)).toContain('ended\n')
  expect((await project.request('POST', `/pipelines/${pipeline.id}/cancel`)).status).toBe(200)
})

testAtNight('a runner that gets SIGINT fails its job with the reason and ends', async () => {
  const project = await system.createProject()
  const pipeline = await project.pushCi('slow: {script: ["echo begun", "sleep 600"]}')
  const job = await project.jobIn(pipeline, 'slow', 'running')
  await project.traceContaining(job, 'begun\n')
  await system.stopRunner('SIGINT')
  expect(await project.job(pipeline, 'slow')).toMatchObject({
    status: 'failed',
    failure_reason: 'runner_system_failure',
  })
  expect(await project.trace(job)).toContain('aborted: interrupt')
})

test('a runner that gets SIGTERM, as for a restart, loses no job: the next runner process continues it', async () => {
  const project = await system.createProject()
  const pipeline = await project.pushCi(`
slow: {script: ["echo begun", "sleep 3", "echo ended"], after_script: ["echo after $CI_JOB_STATUS"]}
`)
  const job = await project.jobIn(pipeline, 'slow', 'running')
  await project.traceContaining(job, 'begun\n')
  await system.stopRunner('SIGTERM')
  await system.restartRunner()
  await project.finished(pipeline)
  expect(await project.failures(pipeline)).toEqual([])
  const trace = await project.trace(job)
  expect(trace.match(/^(begun|ended|after success)$/gm)).toEqual(['begun', 'ended', 'after success'])
})
