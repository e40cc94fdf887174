import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import type { JobFailure, JobStepRecord } from '../../src/coordinator/ci/failures/schema.js'
import { variants } from '../support/nightly.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'

const CI_FILE = `
broken:
  before_script: ["echo prepared; mkdir sub"]
  script:
    - "cd sub"
    - |
      echo begun
      sleep 2
    - "set +e"
    - "(exit 4)"
    - "set -e; echo 'Error: no port is free'; exit 3"
    - "echo never"
  after_script: ["echo after"]
`

let system: System
let project: TestProject

beforeAll(async () => {
  system = await System.startInProcess()
})

beforeEach(async () => {
  project = await system.createProject()
})

// The next test starts a runner of its own.
afterEach(() => system.stopRunner('SIGQUIT'))

afterAll(() => system.stop())

test.each(variants(['bind'], ['volume']))(
  'the lines of a failed script, whose runner was killed while it ran, are known with files by %s',
  async (workspace) => {
    await system.startRunner({ flags: ['--workspace', workspace] })
    const pipeline = await project.pushCi(CI_FILE)
    const running = await project.jobIn(pipeline, 'broken', 'running')
    await project.traceContaining(running, '\nbegun\n')
    await system.stopRunner('SIGKILL')
    await system.restartRunner()
    await project.finished(pipeline)

    const job = `/projects/${project.id}/jobs/${running.id}`
    const steps = await system.api.json<JobStepRecord[]>('GET', `${job}/steps`)
    expect(
      steps.map(({ section, line, of, text, exit_code }) => [section, line, of, text, exit_code]),
    ).toEqual([
      ['step_script', 1, 7, 'echo prepared; mkdir sub', 0],
      ['step_script', 2, 7, 'cd sub', 0],
      ['step_script', 3, 7, 'echo begun', 0],
      ['step_script', 4, 7, 'set +e', 0],
      ['step_script', 5, 7, '(exit 4)', 4],
      ['step_script', 6, 7, "set -e; echo 'Error: no port is free'; exit 3", 3],
      ['step_script', 7, 7, 'echo never', null],
      ['after_script', 1, 1, 'echo after', 0],
    ])
    expect(steps[2]?.duration).toBeGreaterThanOrEqual(1)

    const failure = await system.api.json<JobFailure>('GET', `${job}/failure`)
    expect(failure).toMatchObject({ cause: 'script', exit_code: 3, step: { line: 6, of: 7, exit_code: 3 } })
    const log = (await project.trace(running)).split('\n')
    expect(log[(failure.step?.log_line ?? 0) - 1]).toContain(
      "$ set -e; echo 'Error: no port is free'; exit 3",
    )
    expect(failure.log?.lines.map(({ text }) => text)).toContain('Error: no port is free')
    expect(log.join('\n')).not.toContain('script-lines')
  },
)
