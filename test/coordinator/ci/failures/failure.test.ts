import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { flakyOdds } from '../../../../src/coordinator/ci/failures/describe-failure.js'
import { fit, MAX_FAILURE_BYTES } from '../../../../src/coordinator/ci/failures/fit.js'
import { historyOf } from '../../../../src/coordinator/ci/failures/job-history.js'
import { failedStep } from '../../../../src/coordinator/ci/failures/job-steps.js'
import type { JobFailure, JobStepRecord } from '../../../../src/coordinator/ci/failures/schema.js'
import type { ScriptStep } from '../../../../src/protocol/script-step.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { ciCoordinatorForFile, jobNamed, pushPipeline } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

const REPORTER = 20
const FEATURES = { info: { features: { upload_multiple_artifacts: true } } }
const CI_FILE = 'unit: { script: [make, npm test], artifacts: { reports: { junit: report.xml } } }'
const AT = 1_700_000_000_000

function step(line: number, exitCode: number | null, values: Partial<ScriptStep> = {}): ScriptStep {
  const text = ['make', 'npm test', 'echo end'][line - 1] ?? ''
  const section = 'step_script'
  return {
    section,
    line,
    of: 3,
    text,
    started_at: AT + line * 1000,
    duration: 12,
    exit_code: exitCode,
    ...values,
  }
}

const NOT_RUN = { started_at: null, duration: null }
const STEPS = [step(1, 0), step(2, 3), step(3, null, NOT_RUN)]

const LOG = [
  'Running\n',
  'section_start:2:step_script\r\x1b[0K\x1b[0KExecuting\n',
  '\x1b[32;1m$ make\x1b[0;m\nbuilt\n',
  '\x1b[32;1m$ npm test\x1b[0;m\n',
  ...Array.from({ length: 60 }, (_none, index) => `ok ${index}\n`),
  'Error: listen EADDRINUSE: address already in use :::3000\n',
  ...Array.from({ length: 20 }, (_none, index) => `closing ${index}\n`),
  'section_end:3:step_script\r\x1b[0K',
  'ERROR: Job failed: exit code 3\n',
].join('')

async function openScene(open: OpenDatabase) {
  const coordinator = await openCoordinator(open)
  const { database, project, app, admin } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const reporter = await addPerson(database, 'reporter')
  await database
    .insertInto('member')
    .values({ user_id: reporter.id, project_id: project.id, access_level: REPORTER, created_at: Date.now() })
    .execute()
  const run = async (
    state: 'failed' | 'success',
    {
      isDebug = false,
      steps = STEPS,
      junit = '',
    }: { isDebug?: boolean; steps?: unknown[] | ((token: string) => unknown[]); junit?: string } = {},
  ) => {
    const pipeline = await pushPipeline(coordinator, CI_FILE)
    const job = await runner.takeJob(FEATURES)
    await runner.patch(job, `0-${Buffer.byteLength(LOG) - 1}`, LOG, isDebug)
    if (junit !== '') {
      const query = 'artifact_type=junit&artifact_format=gzip'
      await runner.upload(job, gzipSync(junit), { filename: 'junit.xml.gz', query })
    }
    const result = state === 'failed' ? { failure_reason: 'script_failure', exit_code: 3 } : {}
    await runner.update(job, state, {
      ...result,
      script_steps: typeof steps === 'function' ? steps(job.token) : steps,
    })
    return { pipeline, job: await jobNamed(coordinator, 'unit') }
  }
  const get = async <T>(id: number, part: 'failure' | 'steps', as: Person = admin) => {
    const response = await app.call(as, `GET /projects/${project.id}/jobs/${id}/${part}`)
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.json<T>()
  }
  return { coordinator, run, get, reporter }
}

describeOnDatabase('the failure of a job', (open) => {
  test('is one answer of at most 2 KiB', async () => {
    const { run, get } = await openScene(open)
    const green = await run('success')
    const first = await run('failed')
    const { job } = await run('failed', {
      junit:
        '<testsuite><testcase name="starts" classname="C"><failure>AssertionError: no port</failure></testcase></testsuite>',
    })
    const failure = await get<JobFailure>(job.id, 'failure')
    expect(Buffer.byteLength(JSON.stringify(failure))).toBeLessThanOrEqual(MAX_FAILURE_BYTES)
    expect(failure).toMatchObject({
      job: { id: job.id, name: 'unit', stage: 'test' },
      cause: 'script',
      failure_reason: 'script_failure',
      exit_code: 3,
      step: {
        section: 'step_script',
        line: 2,
        of: 3,
        text: 'npm test',
        exit_code: 3,
        duration: 12,
        log_line: 5,
      },
      log: {
        failing_line: 66,
        full: expect.stringContaining(`/jobs/${job.id}/trace/lines?from=46`) as string,
      },
      tests: {
        failed_count: 1,
        failed: [{ name: 'starts', message: 'AssertionError: no port', failures: 1, flaky: 0 }],
        flaky_odds: null,
      },
      history: {
        recent: { failed: 2, of: 3 },
        first_failed: { id: first.pipeline.id },
        last_passed: { id: green.pipeline.id, job_id: expect.any(Number) as number },
        commits: {
          count: 1,
          newest: [{ title: 'A commit' }],
          full: expect.stringContaining('/repository/compare?from=') as string,
        },
      },
    })
    expect(failure.log?.lines.map(({ text }) => text)).toContain(
      'Error: listen EADDRINUSE: address already in use :::3000',
    )
  })

  test('leaves out a debug log and the lines of the script for callers without the right to read them', async () => {
    const { run, get, reporter, coordinator } = await openScene(open)
    const { job } = await run('failed', { isDebug: true })
    const { log, step: failed, ...rest } = await get<JobFailure>(job.id, 'failure', reporter)
    expect([log, failed]).toEqual([undefined, undefined])
    expect(rest).toMatchObject({ exit_code: 3, cause: 'script' })
    const { app, project } = coordinator
    const steps = await app.call(reporter, `GET /projects/${project.id}/jobs/${job.id}/steps`)
    expect(steps.statusCode).toBe(403)
  })

  test('does not exist for a job that has not failed', async () => {
    const { run, coordinator } = await openScene(open)
    const { job } = await run('success')
    const { app, admin, project } = coordinator
    const response = await app.call(admin, `GET /projects/${project.id}/jobs/${job.id}/failure`)
    expect(response.statusCode).toBe(400)
    expect(response.body).toContain('success')
  })
})

describeOnDatabase('the lines of the scripts of a job', (open) => {
  test('are listed with the lines of the log that show them', async () => {
    const { run, get } = await openScene(open)
    const { job } = await run('failed')
    const steps = await get<JobStepRecord[]>(job.id, 'steps')
    expect(steps.map(({ text, exit_code, failed, log_line }) => [text, exit_code, failed, log_line])).toEqual(
      [
        ['make', 0, false, 3],
        ['npm test', 3, true, 5],
        ['echo end', null, false, null],
      ],
    )
    expect(steps[0]?.started_at).toBe('2023-11-14T22:13:21.000Z')
  })

  testAtNight('in another form are ignored, and the job ends', async () => {
    const { run, get } = await openScene(open)
    const { job } = await run('failed', {
      steps: [null, 7, { section: 'x' }, step(1, 3), { ...step(2, 0), line: -1 }],
    })
    expect(job.status).toBe('failed')
    expect(await get<JobStepRecord[]>(job.id, 'steps')).toHaveLength(1)
  })

  test('are masked as the log, also if their runner does not do it', async () => {
    const { run, get } = await openScene(open)
    const { job } = await run('failed', { steps: (token) => [step(1, 3, { text: `curl -H ${token} x` })] })
    const [first] = await get<JobStepRecord[]>(job.id, 'steps')
    expect(first?.text).toMatch(/^curl -H \[MASKED\]\**/)
  })

  test('are deleted with the log', async () => {
    const { run, coordinator } = await openScene(open)
    const { job } = await run('failed')
    const { app, admin, project } = coordinator
    await app.call(admin, `POST /projects/${project.id}/jobs/${job.id}/erase`)
    const failure = await app.call(admin, `GET /projects/${project.id}/jobs/${job.id}/failure`)
    expect(failure.statusCode).toBe(200)
    expect(failure.json<JobFailure>().step).toBeUndefined()
    const steps = await app.call(admin, `GET /projects/${project.id}/jobs/${job.id}/steps`)
    expect(steps.statusCode).toBe(404)
  })
})

describe('the line that failed a job', () => {
  test.each([
    ['the last one of the script that ran', [step(1, 0), step(2, 3)], 2],
    ['one that was ended from outside', [step(1, 0), step(2, null)], 2],
    ['none if all succeeded', [step(1, 0), step(2, 0)], undefined],
    ['not one before that was allowed to fail', [step(1, 4), step(2, 0)], undefined],
  ])('is %s', (_name, steps, expected) => {
    expect(failedStep(steps, 3)?.line).toBe(expected)
  })

  test('is in the after-script only if the script succeeded, and the job has its exit code', () => {
    const after = step(1, 9, { section: 'after_script', started_at: AT + 60_000 })
    expect(failedStep([step(1, 0), after], 9)?.section).toBe('after_script')
    expect(failedStep([step(1, 0), after], 1)).toBeUndefined()
    expect(failedStep([step(1, 3), after], 9)?.section).toBe('step_script')
  })
})

describe('the history of a job', () => {
  const row = (id: number, status: 'success' | 'failed') => ({ id, pipeline_id: id, sha: `sha${id}`, status })

  test('begins with the first failure after the last success', () => {
    const rows = [row(9, 'failed'), row(8, 'failed'), row(7, 'failed'), row(6, 'success'), row(5, 'failed')]
    const { firstFailed, lastPassed, recent } = historyOf(row(9, 'failed'), rows)
    expect([firstFailed.id, lastPassed?.id, recent]).toEqual([7, 6, { failed: 4, of: 5 }])
  })

  test('of a job that never passed begins with its first failure', () => {
    const { firstFailed, lastPassed } = historyOf(row(9, 'failed'), [row(9, 'failed'), row(3, 'failed')])
    expect([firstFailed.id, lastPassed]).toEqual([3, undefined])
  })

  test('does not count later pipelines, and counts a retried job as itself', () => {
    expect(historyOf(row(4, 'failed'), [row(4, 'success')]).recent).toEqual({ failed: 1, of: 1 })
  })
})

test.each([
  [[], null],
  [[{ failures: 1, flaky: 0 }], null],
  [[{ failures: 4, flaky: 3 }], 0.75],
  [
    [
      { failures: 4, flaky: 3 },
      { failures: 10, flaky: 1 },
    ],
    0.1,
  ],
  [
    [
      { failures: 4, flaky: 3 },
      { failures: 1, flaky: 0 },
    ],
    null,
  ],
])('the odds that %j is flaky are those of the test that is least', (tests, expected) => {
  expect(flakyOdds(tests)).toBe(expected)
})

test('a failure with everything at its longest fits, and keeps the line that says why', () => {
  const long = 'ü'.repeat(200)
  const pipeline = { id: 1, job_id: 2, sha: 'f'.repeat(64) }
  const full = `/api/v4/projects/123456/repository/compare?from=${'f'.repeat(64)}&to=${'e'.repeat(64)}`
  const failure: JobFailure = {
    job: { id: 1, name: long, stage: long, pipeline_id: 2 },
    cause: 'script',
    failure_reason: 'script_failure',
    meaning: long,
    remedy: long,
    exit_code: 1,
    step: {
      ...step(1, 1, { text: long }),
      started_at: '2026-01-01T00:00:00.000Z',
      failed: true,
      log_line: 8,
    },
    log: {
      failing_line: 100,
      lines: [98, 99, 100, 101, 500].map((line) => ({ line, text: `${line}: ${long}` })),
      full,
    },
    tests: {
      failed_count: 9,
      failed: [1, 2, 3].map(() => ({ name: long, message: long, failures: 1, flaky: 0 })),
      flaky_odds: null,
      full,
    },
    history: {
      recent: { failed: 1, of: 2 },
      first_failed: pipeline,
      last_passed: pipeline,
      commits: { count: 50, newest: [1, 2, 3].map(() => ({ id: 'f', title: long, author: long })), full },
    },
    web_url: `https://ci.example.com/${'group/'.repeat(10)}app/-/jobs/1`,
  }
  const fitted = fit(failure)
  expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThanOrEqual(MAX_FAILURE_BYTES)
  expect(fitted.log?.lines.map(({ line }) => line)).toContain(100)
})
