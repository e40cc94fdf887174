import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { describeOnDatabase } from '../support/databases.js'
import type { JobRecord } from './support/api.js'
import { KILL_ROUNDS } from './support/kill-rounds.js'
import { System } from './support/system.js'

const KILLS = 4
const JOBS = ['a 1', 'b 1', 'b 2', 'c 1']
/** Fails each time, and is run once more by itself. */
const RETRIED = 'a again'
/** Waits a moment when its turn has come. */
const DELAYED = 'a later'
const LINES = Array.from({ length: 12 }, (_, line) => `line ${line}`)

describeOnDatabase('a coordinator that is killed again and again', (open) => {
  let system: System

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings)
    await system.startRunner({ concurrent: 3 })
  })

  afterEach(async () => {
    await system.stop()
  })

  test('loses no job, runs none twice and misses no byte of a log', KILL_ROUNDS, async () => {
    const project = await system.createProject()
    const pipeline = await project.pushCi(CI_FILE)
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(randomInt(50, 900)) // any moment of a job's life
      await system.killCoordinator()
      await system.startCoordinator()
    }
    await project.finished(pipeline)
    const failures = (await project.failures(pipeline)).join('\n')
    expect(await project.statuses(pipeline), failures).toEqual({
      ...Object.fromEntries([...JOBS, DELAYED].map((name) => [name, 'success'])),
      [RETRIED]: 'failed',
    })
    const jobs = await system.api.json<JobRecord[]>(
      'GET',
      `/projects/${project.id}/pipelines/${pipeline.id}/jobs?include_retried=true`,
    )
    expect(jobs.map((job) => job.name).sort()).toEqual([...JOBS, DELAYED, RETRIED, RETRIED].sort())
    for (const job of jobs) expect(linesOf(await project.trace(job))).toEqual(LINES)
  })
})

const SETTINGS: Record<string, string> = {
  [DELAYED]: 'when: delayed\n  start_in: 1 second',
  [RETRIED]: 'retry: 1\n  allow_failure: true',
}

const CI_FILE = `
stages: [a, b, c]
${[...JOBS, DELAYED, RETRIED]
  .map(
    (name) => `
${name}:
  stage: ${name[0]}
  ${SETTINGS[name] ?? 'when: on_success'}
  script:
    - i=0; while [ $i -lt ${LINES.length} ]; do echo "line $i"; i=$((i+1)); sleep 0.05; done
    - test "$CI_JOB_NAME" != "${RETRIED}"
`,
  )
  .join('')}
`

/** What the script printed, in order; a job that ran twice would have printed it twice. */
function linesOf(trace: string): string[] {
  return trace.split('\n').filter((line) => /^line \d+$/.test(line))
}
