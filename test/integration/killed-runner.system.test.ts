import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { testAtNight, variants } from '../support/nightly.js'
import type { JobRecord } from './support/api.js'
import { KILL_ROUNDS, kills } from './support/kill-rounds.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'

const KILLS = kills(6, 2)

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

// `remote-engine.nightly.system.test.ts` kills a runner whose files are in volumes.
test.each(variants(['bind'], ['volume']))(
  'a runner that is killed at random moments loses no job, runs none twice, and no log differs from that of a job undisturbed: files by %s',
  KILL_ROUNDS,
  async (workspace) => {
    await system.startRunner({ concurrent: 3, flags: ['--workspace', workspace] })
    const undisturbed = await project.pushCi(CI_FILE)
    await project.finished(undisturbed)
    const expected = await logsOf(undisturbed.id)

    const pipeline = await project.pushCi(`${CI_FILE}\n# once more\n`)
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(randomInt(50, 1500)) // any moment of a job's life
      await system.stopRunner('SIGKILL')
      await system.restartRunner()
    }
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    expect(await logsOf(pipeline.id)).toEqual(expected)
  },
)

testAtNight.each(['post', 'pre'])(
  'a hook %s_get_sources_script that runs when its runner is killed is taken up where it is',
  KILL_ROUNDS,
  async (hook) => {
    const script = (name: string) => `echo ${name} >> /hooks; echo ${name} begun; sleep 2; echo ${name} ended`
    await system.startRunner({
      flags: ['--pre-get-sources-script', script('pre'), '--post-get-sources-script', script('post')],
    })
    const pipeline = await project.pushCi('hooked: {script: ["cat /hooks", "test -f .gitlab-ci.yml"]}')
    const job = await project.jobIn(pipeline, 'hooked', 'running')
    await project.traceContaining(job, `\n${hook} begun\n`)
    await system.stopRunner('SIGKILL')
    await system.restartRunner()
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    const trace = await project.trace(job)
    const lines = [...trace.matchAll(/^(?:pre|post)(?: \w+)?$/gm)].map(([line]) => line)
    expect(lines).toEqual(['pre begun', 'pre ended', 'post begun', 'post ended', 'pre', 'post'])
    expect(trace.match(/section_start:\d+:get_sources/g)).toHaveLength(1)
    expect(trace).not.toContain('begins again')
  },
)

testAtNight(
  'a source fetch interrupted by a kill of the runner is resumed, and earlier attempts are not logged again',
  async () => {
    const hook =
      'if [ -e /failed ]; then echo second begun; sleep 2; echo second ended; else touch /failed; exit 1; fi'
    await system.startRunner({ flags: ['--pre-get-sources-script', hook] })
    const pipeline = await project.pushCi(`
variables: {GET_SOURCES_ATTEMPTS: "2"}
tried: {script: ["test -f .gitlab-ci.yml"]}
`)
    const job = await project.jobIn(pipeline, 'tried', 'running')
    await project.traceContaining(job, '\nsecond begun\n')
    const before = await project.trace(job)
    await system.stopRunner('SIGKILL')
    await system.restartRunner()
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    const trace = await project.trace(job)
    expect(trace.startsWith(before)).toBe(true)
    expect(trace.slice(before.length)).toMatch(/^second ended\n/)
    expect(trace.match(/pre_get_sources_script failed/g)).toHaveLength(1)
  },
)

const CI_FILE = `
stages: [build, test]
build:
  stage: build
  script:
    - mkdir -p out && echo content > out/file
    - i=0; while [ $i -lt 40 ]; do echo "line $i äöü"; i=$((i+1)); sleep 0.05; done
  after_script:
    - echo "after $CI_JOB_STATUS"
  artifacts: {paths: [out]}
${[1, 2]
  .map(
    (number) => `
test ${number}:
  stage: test
  script:
    - cat out/file
    - i=0; while [ $i -lt 2000 ]; do echo "a line of text with number $i"; i=$((i+1)); done
    - sleep 1; printf 'no newline at the end'
`,
  )
  .join('')}
`

/** By job: all that its log says, except what differs between any two runs of the same job. */
async function logsOf(pipelineId: number): Promise<Record<string, string>> {
  const jobs = await system.api.json<JobRecord[]>(
    'GET',
    `/projects/${project.id}/pipelines/${pipelineId}/jobs?include_retried=true`,
  )
  const logs = await Promise.all(
    jobs.map(async (job) => [job.name, neutral(await project.trace(job))] as const),
  )
  return Object.fromEntries(logs)
}

function neutral(trace: string): string {
  return withoutBegunAgain(trace)
    .replace(/section_(start|end):\d+:/g, 'section_$1:0:')
    .replace(/concurrent-\d+/g, 'concurrent-N')
    .replace(/\(\d+\)\.\.\./g, '(N)...')
    .replace(/(Checking out) [0-9a-f]{8}/g, '$1 SHA')
    .replace(/id=\d+/g, 'id=N')
    .replace(/token=\S+/g, 'token=T')
    .replace(/.*(Initialized empty Git repository|Created fresh repository).*\n/g, '')
}

/** A stage that took so long that it was shown before it was done is seen once more; that it begins again is said. */
function withoutBegunAgain(trace: string): string {
  const again = '.*WARNING: The runner was restarted. This stage begins again.*\\n'
  return trace
    .replace(new RegExp(`^[^]*${again}(?=.*Running with)`), '')
    .replace(
      new RegExp(
        `section_start:\\d+:(\\w+)\\r(?:(?!section_start)[^])*?${again}(?=section_start:\\d+:\\1)`,
        'g',
      ),
      '',
    )
}
