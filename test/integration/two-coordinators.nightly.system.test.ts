import { expect, onTestFinished, test } from 'vitest'

import { openPostgres } from '../support/databases.js'
import { System } from './support/system.js'

test('a runner at one coordinator gets the jobs of pushes to the other, and their cancellation there', async () => {
  const { settings } = await openPostgres()
  const system = await System.start(settings)
  onTestFinished(() => system.stop())
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
