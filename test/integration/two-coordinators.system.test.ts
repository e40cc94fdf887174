import { afterEach, beforeEach, expect, test } from 'vitest'

import { openPostgres } from '../support/databases.js'
import { System } from './support/system.js'

let system: System

beforeEach(async () => {
  const { settings } = await openPostgres()
  system = await System.start(settings)
})

afterEach(async () => {
  await system.stop()
})

test('a push to one coordinator wakes the runner that waits at the other', async () => {
  const other = await system.startSecondCoordinator()
  await system.startRunner({ url: other })
  const project = await system.createProject()
  const pipeline = await project.pushCi('build: {script: ["echo built"]}')
  expect((await project.finished(pipeline)).status).toBe('success')
})

test('a silent job whose runner talks to one coordinator is canceled through the other', async () => {
  const other = await system.startSecondCoordinator()
  await system.startRunner({ url: other })
  const project = await system.createProject()
  const pipeline = await project.pushCi(`
silent: {script: ["echo begun", "sleep 600"], after_script: ["echo ended as $CI_JOB_STATUS"]}
`)
  const job = await project.jobIn(pipeline, 'silent', 'running')
  await project.traceContaining(job, '\nbegun\n')
  expect((await project.request('POST', `/jobs/${job.id}/cancel`)).status).toBe(201)
  await project.jobIn(pipeline, 'silent', 'canceled')
  expect(await project.trace(job)).toContain('ended as canceled')
})
