import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import type { PipelineFailure } from '../../../../../src/coordinator/ci/pipelines/failures/schema.js'
import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { ciCoordinatorForFile, jobNamed, pushPipeline } from '../../../support/ci-coordinator.js'
import { RunnerClient } from '../../../support/runner-client.js'
import { addPerson, type Person } from '../../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

const REPORTER = 20
const FEATURES = { info: { features: { upload_multiple_artifacts: true } } }

async function openScene(open: OpenDatabase) {
  const coordinator = await openCoordinator(open)
  const { database, project, app, admin } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const reporter = await addPerson(database, 'reporter')
  await database
    .insertInto('member')
    .values({ user_id: reporter.id, project_id: project.id, access_level: REPORTER, created_at: Date.now() })
    .execute()
  /** Runs the next job to its end. */
  const runNext = async (log: string, state: 'failed' | 'success' = 'failed', isDebug = false) => {
    const job = await runner.takeJob(FEATURES)
    if (log !== '') await runner.patch(job, `0-${Buffer.byteLength(log) - 1}`, log, isDebug)
    const failed = { failure_reason: 'script_failure', exit_code: 3 }
    const update = () => runner.update(job, state, state === 'failed' ? failed : {})
    return { job, update }
  }
  const failuresOf = async ({ id }: PipelineRow, as: Person = admin) => {
    const response = await app.call(as, `GET /projects/${project.id}/pipelines/${id}/failures`)
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.json<PipelineFailure[]>()
  }
  return { coordinator, runner, reporter, runNext, failuresOf }
}

const LOG = [
  'Running\n',
  'section_start:1:get_sources\r\x1b[0KGetting source\nfetched\nsection_end:2:get_sources\r\x1b[0K',
  'section_start:2:step_script\r\x1b[0K\x1b[36mExecuting\x1b[31m\n',
  ...Array.from({ length: 100 }, (_none, index) => (index === 50 ? 'error: disk full\n' : `test ${index}\n`)),
  '\n',
  'section_end:3:step_script\r\x1b[0K',
  'section_start:3:cleanup_file_variables\r\x1b[0KCleaning up\nsection_end:3:cleanup_file_variables\r\x1b[0K',
  'ERROR: Job failed: exit code 3\n',
].join('')

const TWO_JOBS = `
stages: [build, test]
unit: { stage: build, script: [make] }
lint: { stage: build, script: [make], allow_failure: true }
later: { stage: test, script: [make] }
`

describeOnDatabase('failures of a pipeline', (open) => {
  test('are its failed jobs with the lines of the section that failed, around the one that says why', async () => {
    const { coordinator, runNext, failuresOf } = await openScene(open)
    const pipeline = await pushPipeline(coordinator, TWO_JOBS)
    expect(await failuresOf(pipeline)).toEqual([])
    await (await runNext(LOG)).update()
    await (await runNext('one line without a section')).update()
    const [unit, lint] = await failuresOf(pipeline)
    expect(unit).toEqual({
      id: (await jobNamed(coordinator, 'unit')).id,
      name: 'unit',
      kind: 'job',
      stage: 'build',
      status: 'failed',
      allow_failure: false,
      failure_reason: 'script_failure',
      exit_code: 3,
      cause: 'script',
      failure: `/api/v4/projects/${coordinator.project.id}/jobs/${(await jobNamed(coordinator, 'unit')).id}/failure`,
      step: null,
      section: 'Executing',
      first_line: 42,
      failing_line: 55,
      lines: Array.from({ length: 40 }, (_none, index) =>
        index === 13 ? 'error: disk full' : `test ${index + 37}`,
      ),
      style: '31',
      missing_bytes: 0,
      failed_tests: [],
      failed_tests_count: 0,
      recent: { failed: 1, of: 1 },
    })
    expect(lint).toMatchObject({
      name: 'lint',
      allow_failure: true,
      section: null,
      first_line: 1,
      failing_line: 1,
      lines: ['one line without a section'],
      recent: { failed: 1, of: 1 },
    })
  })

  testAtNight('name the tests that failed', async () => {
    const { coordinator, runner, runNext, failuresOf } = await openScene(open)
    const pipeline = await pushPipeline(
      coordinator,
      'unit: { script: [make], parallel: 2, artifacts: { reports: { junit: report.xml } } }',
    )
    const { job, update } = await runNext(LOG)
    const cases = Array.from(
      { length: 12 },
      (_none, index) =>
        `<testcase name="t${index}" classname="C"><failure>${'out '.repeat(1000)}</failure></testcase>`,
    )
    const report = `<testsuite><testcase name="fine"/>${cases.join('')}<testcase name="e"><error/></testcase></testsuite>`
    await runner.upload(job, gzipSync(report), {
      filename: 'junit.xml.gz',
      query: 'artifact_type=junit&artifact_format=gzip',
    })
    await update()
    const [failure] = await failuresOf(pipeline)
    expect(failure?.failed_tests_count).toBe(13)
    expect(failure?.failed_tests).toHaveLength(10)
    expect(failure?.failed_tests[0]).toEqual({
      name: 't0',
      classname: 'C',
      suite: 'unit',
      digest: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      message: 'out '.repeat(75),
      output: 'out '.repeat(500),
    })
  })

  test('count the latest pipelines of the branch, and retries once', async () => {
    const { coordinator, runNext, failuresOf } = await openScene(open)
    const { app, admin, project } = coordinator
    const run = async (state: 'failed' | 'success', ref = 'main') => {
      const pipeline = await pushPipeline(coordinator, 'unit: { script: [make] }', { ref })
      await (await runNext('x\n', state)).update()
      return pipeline
    }
    const first = await run('failed')
    await run('failed', 'other')
    await run('success')
    await run('success')
    const last = await run('failed')
    const failed = await jobNamed(coordinator, 'unit')
    await app.call(admin, `POST /projects/${project.id}/jobs/${failed.id}/retry`)
    expect(await failuresOf(last)).toEqual([])
    await (await runNext('y\n')).update()
    expect(await failuresOf(last)).toMatchObject([{ lines: ['y'], recent: { failed: 2, of: 4 } }])
    expect(await failuresOf(first)).toMatchObject([{ recent: { failed: 1, of: 1 } }])
  })

  test('are without the log where the caller may not read it, or it is gone', async () => {
    const { coordinator, reporter, runNext, failuresOf } = await openScene(open)
    const { app, admin, project } = coordinator
    const pipeline = await pushPipeline(coordinator, 'unit: { script: [make] }')
    await (await runNext('secret\n', 'failed', true)).update()
    expect(await failuresOf(pipeline)).toMatchObject([{ lines: ['secret'] }])
    const hidden = { section: null, first_line: null, failing_line: null, lines: [], style: '' }
    expect(await failuresOf(pipeline, reporter)).toMatchObject([hidden])
    const { id } = await jobNamed(coordinator, 'unit')
    await app.call(admin, `POST /projects/${project.id}/jobs/${id}/erase`)
    expect(await failuresOf(pipeline)).toMatchObject([hidden])
  })

  test('are at most 50', async () => {
    const { coordinator, failuresOf } = await openScene(open)
    const pipeline = await pushPipeline(coordinator, 'unit: { script: [make], parallel: 55 }')
    await coordinator.database.updateTable('job').set({ status: 'failed' }).execute()
    const failures = await failuresOf(pipeline)
    expect(failures).toHaveLength(50)
    expect(failures[0]).toMatchObject({ name: 'unit 1/55', failure_reason: 'unknown_failure', lines: [] })
  })

  test('of a pipeline of another project are not found', async () => {
    const { coordinator, reporter } = await openScene(open)
    const pipeline = await pushPipeline(coordinator, 'unit: { script: [make] }')
    const other = await coordinator.app.call(reporter, 'POST /projects', { name: 'mine' })
    const { id } = other.json<{ id: number }>()
    const response = await coordinator.app.call(
      reporter,
      `GET /projects/${id}/pipelines/${pipeline.id}/failures`,
    )
    expect(response.statusCode).toBe(404)
  })
})
