import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { deleteExpiredArtifacts } from '../../../src/coordinator/ci/storage/artifacts/delete-expired.js'
import type { JobPayload } from '../../../src/protocol/job-payload.js'
import { UPLOAD_OFFSET_HEADER } from '../../../src/protocol/resumable-upload.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../support/databases.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'
import { addPerson, EXTERNAL_URL } from '../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

const FILE = `
unit: { script: [a], parallel: 2, artifacts: { reports: { junit: a.xml } } }
lint: { script: [a], artifacts: { reports: { junit: b.xml } } }
`
const FEATURES = { info: { features: { upload_multiple_artifacts: true } } }

async function start(open: OpenDatabase = openSqlite) {
  const coordinator = await openCoordinator(open)
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, FILE)
  return { coordinator, runner, pipeline }
}

function suite(cases: string): Buffer {
  return gzipSync(`<testsuite>${cases}</testsuite>`)
}

function upload(runner: RunnerClient, job: JobPayload, content: Buffer): Promise<Response> {
  return runner.upload(job, content, {
    query: 'artifact_type=junit&artifact_format=gzip&expire_in=1+day',
    filename: 'junit.xml.gz',
  })
}

async function read({ app, admin, project }: CiCoordinator, path: string): Promise<unknown> {
  const response = await app.call(admin, `GET /projects/${project.id}/pipelines/${path}`)
  expect(response.headers['content-type']).toBe('application/json')
  return response.json()
}

const UNCLOSED = 'JUnit XML parsing failed: 1:31: unclosed tag: testsuite'
const NONE = {
  total_time: 0,
  total_count: 0,
  success_count: 0,
  failed_count: 0,
  skipped_count: 0,
  error_count: 0,
}

describeOnDatabase('the tests of a pipeline', (open) => {
  test('are nothing while no job has reported any', async () => {
    const { coordinator, pipeline } = await start(open)
    expect(await read(coordinator, `${pipeline.id}/test_report`)).toEqual({ ...NONE, test_suites: [] })
    expect(await read(coordinator, `${pipeline.id}/test_report_summary`)).toEqual({
      total: { time: 0, count: 0, success: 0, failed: 0, skipped: 0, error: 0, suite_error: null },
      test_suites: [],
    })
  })

  test('are one suite for each job, the instances of a parallel one together', async () => {
    const { coordinator, runner, pipeline } = await start(open)
    const [one, two, lint] = [
      await runner.takeJob(FEATURES),
      await runner.takeJob(FEATURES),
      await runner.takeJob(FEATURES),
    ]
    const picture = '<system-out>[[ATTACHMENT|a dir/b.png]]</system-out>'
    expect(
      (await upload(runner, one, suite('<testcase name="a" time="0.1"/><testcase name="b" time="0.2"/>')))
        .status,
    ).toBe(201)
    await upload(
      runner,
      two,
      suite(`<testcase name="c" classname="K"><failure>no</failure>${picture}</testcase>`),
    )
    await upload(
      runner,
      lint,
      suite('<testcase name="d"><skipped/></testcase><testcase name="e"><error/></testcase>'),
    )
    const unit = { ...NONE, total_time: 0.3, total_count: 3, success_count: 2, failed_count: 1 }
    const other = { ...NONE, total_count: 2, skipped_count: 1, error_count: 1 }
    const all = {
      total_time: 0.3,
      total_count: 5,
      success_count: 2,
      failed_count: 1,
      skipped_count: 1,
      error_count: 1,
    }
    const empty = {
      classname: '',
      file: null,
      execution_time: 0,
      system_output: null,
      stack_trace: null,
      attachment_url: null,
      recent_failures: null,
    }
    expect(await read(coordinator, `${pipeline.id}/test_report`)).toEqual({
      ...all,
      test_suites: [
        {
          name: 'unit',
          ...unit,
          suite_error: null,
          test_cases: [
            { ...empty, status: 'success', name: 'a', execution_time: 0.1 },
            { ...empty, status: 'success', name: 'b', execution_time: 0.2 },
            {
              ...empty,
              status: 'failed',
              recent_failures: { count: 1, base_branch: 'main' },
              name: 'c',
              classname: 'K',
              system_output: 'no\n\nSystem Out:\n\n[[ATTACHMENT|a dir/b.png]]',
              attachment_url: `${EXTERNAL_URL}/api/v4/projects/${coordinator.project.id}/jobs/${two.id}/artifacts/a%20dir/b.png`,
            },
          ],
        },
        {
          name: 'lint',
          ...other,
          suite_error: null,
          test_cases: [
            { ...empty, status: 'skipped', name: 'd' },
            {
              ...empty,
              status: 'error',
              name: 'e',
              recent_failures: { count: 1, base_branch: 'main' },
            },
          ],
        },
      ],
    })
    expect(await read(coordinator, `${pipeline.id}/test_report_summary`)).toEqual({
      total: { time: 0.3, count: 5, success: 2, failed: 1, skipped: 1, error: 1, suite_error: null },
      test_suites: [
        { name: 'unit', ...unit, suite_error: null, build_ids: [one.id, two.id] },
        { name: 'lint', ...other, suite_error: null, build_ids: [lint.id] },
      ],
    })
  })

  test('a broken report file is shown as an error of its own suite only', async () => {
    const { coordinator, runner, pipeline } = await start(open)
    const [one, two, lint] = [
      await runner.takeJob(FEATURES),
      await runner.takeJob(FEATURES),
      await runner.takeJob(FEATURES),
    ]
    await upload(runner, one, suite('<testcase name="a"/>'))
    expect((await upload(runner, two, gzipSync('<testsuite><testcase name="b"/>'))).status).toBe(201)
    await upload(runner, lint, suite('<testcase name="c"/>'))
    expect(await read(coordinator, `${pipeline.id}/test_report`)).toMatchObject({
      total_count: 1,
      test_suites: [
        {
          name: 'unit',
          total_count: 0,
          suite_error: UNCLOSED,
          test_cases: [],
        },
        { name: 'lint', total_count: 1, suite_error: null },
      ],
    })
    expect(await read(coordinator, `${pipeline.id}/test_report_summary`)).toMatchObject({
      test_suites: [{ build_ids: [one.id, two.id], suite_error: UNCLOSED }, { suite_error: null }],
    })
  })

  test('of an attempt that was replaced, or of an erased job, are gone', async () => {
    const { coordinator, runner, pipeline } = await start(open)
    const { app, admin, project } = coordinator
    const [one, two] = [await runner.takeJob(FEATURES), await runner.takeJob(FEATURES)]
    for (const job of [one, two]) {
      await upload(runner, job, suite('<testcase name="a"/>'))
      await runner.update(job, 'success')
    }
    await app.call(admin, `POST /projects/${project.id}/jobs/${one.id}/retry`)
    expect(await read(coordinator, `${pipeline.id}/test_report`)).toMatchObject({ total_count: 1 })
    await app.call(admin, `POST /projects/${project.id}/jobs/${two.id}/erase`)
    expect(await read(coordinator, `${pipeline.id}/test_report`)).toEqual({ ...NONE, test_suites: [] })
  })

  test('are counted on when their cases have expired', async () => {
    const { coordinator, runner, pipeline } = await start(open)
    const job = await runner.takeJob(FEATURES)
    await upload(runner, job, suite('<testcase name="a"/>'))
    const { database, blobs } = coordinator
    const { blob_key } = await database.selectFrom('test_report').selectAll().executeTakeFirstOrThrow()
    await deleteExpiredArtifacts(database, blobs, Date.now() + 2 * 86_400_000)
    expect(await blobs.exists(blob_key)).toBe(false)
    expect(await read(coordinator, `${pipeline.id}/test_report`)).toEqual({ ...NONE, test_suites: [] })
    expect(await read(coordinator, `${pipeline.id}/test_report_summary`)).toMatchObject({
      total: { count: 1 },
    })
  })
})

test('a report that is sent again, or in pieces, counts once', async () => {
  const { coordinator, runner, pipeline } = await start()
  const job = await runner.takeJob(FEATURES)
  const content = suite('<testcase name="a"/>')
  await upload(runner, job, content)
  expect((await upload(runner, job, content)).status).toBe(201)
  const { app, admin, project } = coordinator
  const shown = await app.call(admin, `GET /projects/${project.id}/jobs/${job.id}`)
  expect(shown.json<{ artifacts_expire_at: unknown }>().artifacts_expire_at).toEqual(expect.any(String))
  const other = await runner.takeJob(FEATURES)
  const url = `${coordinator.url}/jobs/${other.id}/artifacts/uploads/junit`
  const headers = { 'job-token': other.token }
  await fetch(url, {
    method: 'PATCH',
    headers: { ...headers, [UPLOAD_OFFSET_HEADER]: '0' },
    body: content,
  })
  const digest = createHash('sha256').update(content).digest('hex')
  const query = `filename=a.gz&size=${content.length}&sha256=${digest}&artifact_format=gzip`
  expect((await fetch(`${url}?${query}`, { method: 'POST', headers })).status).toBe(201)
  expect(await read(coordinator, `${pipeline.id}/test_report`)).toMatchObject({ total_count: 2 })
})

test('a long report is shown whole', async () => {
  const { coordinator, runner, pipeline } = await start()
  const job = await runner.takeJob(FEATURES)
  const output = 'ä\n'.repeat(500)
  const cases = Array.from(
    { length: 3000 },
    (_, index) => `<testcase name="ü${index}"><failure>${output}</failure></testcase>`,
  )
  await upload(runner, job, suite(cases.join('')))
  const report = (await read(coordinator, `${pipeline.id}/test_report`)) as {
    test_suites: { test_cases: { name: string; system_output: string }[] }[]
  }
  const shown = report.test_suites[0]?.test_cases ?? []
  expect(shown.map(({ name }) => name)).toEqual(cases.map((_, index) => `ü${index}`))
  expect(new Set(shown.map(({ system_output }) => system_output))).toEqual(new Set([output.trim()]))
})

test('the test report requires access to the pipeline', async () => {
  const { coordinator, pipeline } = await start()
  const { app, database, project } = coordinator
  const path = `GET /projects/${project.id}/pipelines/${pipeline.id}/test_report`
  const stranger = await addPerson(database, 'stranger')
  expect((await app.call(stranger, path)).statusCode).toBe(404)
  expect(
    (await app.call(coordinator.admin, `GET /projects/${project.id}/pipelines/0/test_report`)).statusCode,
  ).toBe(404)
})
