import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { describeOnDatabase } from '../support/databases.js'
import { testAtNight } from '../support/nightly.js'
import type { JobRecord } from './support/api.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'

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
    const lines = numbered(40)
    const pipeline = await project.pushCi(`${countTo(lines.length, 0.1)}
long: {stage: deploy, script: ["echo at last; seq 60000"]}
`)
    const job = await project.jobIn(pipeline, 'count', 'running')
    await project.traceContaining(job, 'line 3\n')
    await system.killCoordinator()
    await system.startCoordinator()
    await project.jobIn(pipeline, 'count', 'success')
    expectComplete(await project.trace(job), lines)
    await expectReadInThreads(project, await project.jobIn(pipeline, 'long', 'success'))
    expect((await project.finished(pipeline)).status).toBe('success')
  })

  testAtNight(
    'for longer than a lease: a running job succeeds and its log is complete, and a waiting job is run after the restart',
    async () => {
      const project = await system.createProject()
      const lines = numbered(LEASE_SECONDS * 2)
      const pipeline = await project.pushCi(`${countTo(lines.length, 0.5)}
later: {tags: [nobody-yet], script: ["echo at last; seq 60000"]}
`)
      const job = await project.jobIn(pipeline, 'count', 'running')
      await project.traceContaining(job, 'line 3\n')
      await project.jobIn(pipeline, 'later', 'pending')
      await system.killCoordinator()
      await sleep((LEASE_SECONDS + 2) * 1000)
      await system.startCoordinator()
      await system.startRunner({ tags: ['nobody-yet'] })
      await project.jobIn(pipeline, 'count', 'success')
      expectComplete(await project.trace(job), lines)
      await expectReadInThreads(project, await project.jobIn(pipeline, 'later', 'success'))
    },
  )
})

/** Long logs are read in threads, which are files of the build. */
async function expectReadInThreads(project: TestProject, { id }: JobRecord): Promise<void> {
  const outline = await project.request('GET', `/jobs/${id}/trace/outline`)
  expect(await outline.json()).toMatchObject({
    is_complete: true,
    sections: expect.any(Array) as unknown[],
  })
  const search = await project.request('GET', `/jobs/${id}/trace/search?q=^at%20last$&regexp=true`)
  expect(await search.text()).toMatch(/"hits":1,"searched_to":60\d\d\d,"done":true/)
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)

function countTo(end: number, seconds: number): string {
  return `
count:
  script:
    - i=0; while [ $i -lt ${end} ]; do echo "line $i"; i=$((i+1)); sleep ${seconds}; done
`
}

function expectComplete(trace: string, lines: string[]): void {
  expect(trace).toContain(lines.join('\n'))
  expect(trace.trimEnd().endsWith('Job succeeded\x1b[0;m')).toBe(true)
}
