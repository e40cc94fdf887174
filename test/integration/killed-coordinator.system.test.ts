import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { describeOnDatabase } from '../support/databases.js'
import { System } from './support/system.js'

/** Longer than a runner is silent of its own accord. */
const LEASE_SECONDS = 15

describeOnDatabase('a coordinator that is killed', (open) => {
  let system: System

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings, { SWITCHYARD_LEASE_SECONDS: String(LEASE_SECONDS) })
    await system.startRunner()
  })

  afterEach(async () => {
    await system.stop()
  })

  test('while a job runs: the job succeeds and its log is complete', async () => {
    const project = await system.createProject()
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`)
    const pipeline = await project.pushCi(`
count:
  script:
    - i=0; while [ $i -lt ${lines.length} ]; do echo "line $i"; i=$((i+1)); sleep 0.1; done
`)
    const job = await project.jobIn(pipeline, 'count', 'running')
    await project.traceContaining(job, 'line 3\n')
    await system.killCoordinator()
    await system.startCoordinator()
    await project.jobIn(pipeline, 'count', 'success')
    const trace = await project.trace(job)
    expect(trace).toContain(lines.join('\n'))
    expect(trace.trimEnd().endsWith('Job succeeded\x1b[0;m')).toBe(true)
    expect((await project.finished(pipeline)).status).toBe('success')
  })

  test('for longer than a lease while a job runs: the job ends as if nothing had been', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
patient: {script: ["echo begun", "sleep ${LEASE_SECONDS}", "echo ended"]}
`)
    const job = await project.jobIn(pipeline, 'patient', 'running')
    await project.traceContaining(job, '\nbegun\n')
    await system.killCoordinator()
    await sleep((LEASE_SECONDS + 2) * 1000)
    await system.startCoordinator()
    await project.jobIn(pipeline, 'patient', 'success')
    expect(await project.trace(job)).toContain('\nended\n')
  })

  test('before a runner came: the job waits and is run after the restart', async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
later: {tags: [nobody-yet], script: ["echo at last"]}
`)
    await project.jobIn(pipeline, 'later', 'pending')
    await system.killCoordinator()
    await system.startCoordinator()
    await system.startRunner({ tags: ['nobody-yet'] })
    await project.jobIn(pipeline, 'later', 'success')
  })
})
