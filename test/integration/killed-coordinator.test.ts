import { afterEach, beforeEach, expect, test } from 'vitest'

import { describeOnEachDatabase } from '../support/databases.js'
import { System } from './support/system.js'

describeOnEachDatabase('a coordinator that is killed', (open) => {
  let system: System

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings)
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
