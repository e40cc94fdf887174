import { expect, test } from 'vitest'

import type { ListedTestCase } from '../../../../src/coordinator/ci/pipelines/test-case-schema.js'
import type { TestReportRecord } from '../../../../src/coordinator/ci/pipelines/test-report-schema.js'
import {
  caseDigest,
  deleteTestFailuresBefore,
} from '../../../../src/coordinator/ci/storage/artifacts/test-history.js'
import type { TestCase, TestStatus } from '../../../../src/coordinator/ci/storage/artifacts/test-reports.js'
import type { CaseHistory, FailedCase } from '../../../../src/coordinator/ci/test-cases/schema.js'
import type { JobRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'

const FILE = 'unit: { script: [a] }'
const PARALLEL = 'unit: { script: [a], parallel: 2 }\nlint: { script: [a] }'

type Cases = Record<string, TestStatus>

describeOnDatabase('the tests of a pipeline, by page', (open) => {
  const opened = openForFile(() => Scene.open(open))

  test('have those that failed first, then the reports in the order of their jobs', async () => {
    const scene = await opened().cleared()
    const [one, two, lint] = await scene.push(PARALLEL)
    await scene.report(one, { a: 'success', b: 'failed', c: 'skipped' })
    await scene.report(two, { d: 'success', e: 'error' })
    await scene.report(lint, { f: 'failed', g: 'success' })
    const all = await scene.pipelineCases(one, 'per_page=100')
    expect(all.rows.map(({ name, suite, job_id }) => [name, suite, job_id])).toEqual([
      ['b', 'unit', one.id],
      ['e', 'unit', two.id],
      ['f', 'lint', lint.id],
      ['a', 'unit', one.id],
      ['c', 'unit', one.id],
      ['d', 'unit', two.id],
      ['g', 'lint', lint.id],
    ])
    expect(all.next).toBeUndefined()
  })

  test('come in pages of any size, each test once', async () => {
    const scene = await opened().cleared()
    const [one, two] = await scene.push(PARALLEL)
    await scene.report(one, { a: 'success', b: 'failed', c: 'failed', d: 'success' })
    await scene.report(two, { e: 'error', f: 'success' })
    for (const perPage of [1, 2, 3, 5]) {
      const names: string[] = []
      let query: string | undefined = `per_page=${perPage}`
      while (query !== undefined) {
        const { rows, next } = await scene.pipelineCases(one, query)
        names.push(...rows.map(({ name }) => name))
        query = next
      }
      expect(names.join('')).toBe('bceadf')
    }
    const second = await scene.pipelineCases(one, 'per_page=2&page=2')
    expect(second.rows.map(({ name }) => name)).toEqual(['e', 'a'])
  })

  test('are listed by their time, the slowest first', async () => {
    const scene = await opened().cleared()
    const [one, two] = await scene.push(PARALLEL)
    await scene.report(one, { a: 'success', slow: 'success', b: 'failed' })
    await scene.report(two, { c: 'success', 'slow "execution_time":9': 'failed' })
    const named = async (query: string) => {
      const { rows, next } = await scene.pipelineCases(one, `order_by=time&${query}`)
      expect(next).toBeUndefined()
      return rows.map(({ name, job_id }) => [name, job_id])
    }
    expect(await named('per_page=2')).toEqual([
      ['slow', one.id],
      ['a', one.id],
    ])
    expect(await named(`job=${two.id}`)).toEqual([
      ['c', two.id],
      ['slow "execution_time":9', two.id],
    ])
    expect((await named('status=failed')).map(([name]) => name)).toEqual(['b', 'slow "execution_time":9'])
    expect(await named('min_time=1')).toEqual([['slow', one.id]])
  })

  test('are selected by status, suite, job, text and time', async () => {
    const scene = await opened().cleared()
    const [one, two, lint] = await scene.push(PARALLEL)
    await scene.report(one, { 'Parser reads': 'success', fails: 'failed' })
    await scene.report(two, { 'parser breaks': 'error' })
    await scene.report(lint, { slow: 'success' })
    const named = async (query: string) =>
      (await scene.pipelineCases(one, query)).rows.map(({ name }) => name)
    expect(await named('status=failed')).toEqual(['fails'])
    expect(await named('status=success')).toEqual(['Parser reads', 'slow'])
    expect(await named('suite=lint')).toEqual(['slow'])
    expect(await named('suite=unit')).toEqual(['fails', 'parser breaks', 'Parser reads'])
    expect(await named(`job=${two.id}`)).toEqual(['parser breaks'])
    expect(await named('search=PARSER')).toEqual(['parser breaks', 'Parser reads'])
    expect(await named('search=spec/slow')).toEqual(['slow'])
    expect(await named('min_time=3')).toEqual(['slow'])
    const statuses = []
    for (const query of ['page_token=x', 'page_token=0.1.', 'page_token=9.1.1', 'status=odd']) {
      statuses.push((await scene.call(`pipelines/${one.pipeline_id}/test_cases?${query}`)).statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 400])
    expect((await scene.call('pipelines/999/test_cases')).statusCode).toBe(404)
  })
})

describeOnDatabase('the history of tests', (open) => {
  const opened = openForFile(() => Scene.open(open))

  test('has each test that failed, the latest failure first', async () => {
    const scene = await opened().cleared()
    const [first] = await scene.push(FILE, { sha: sha(1) })
    await scene.report(first, { a: 'failed', b: 'error', c: 'success' })
    const [second] = await scene.push(FILE, { sha: sha(2) })
    await scene.report(second, { a: 'failed', b: 'success', c: 'success' })
    const cases = await scene.failedCases()
    expect(cases.map(({ name, failures, flaky_failures }) => [name, failures, flaky_failures])).toEqual([
      ['a', 2, 0],
      ['b', 1, 0],
    ])
    expect(cases[0]).toMatchObject({
      digest: caseDigest('unit', { classname: 'K', name: 'a' }),
      suite: 'unit',
      classname: 'K',
      file: 'spec/a',
      flaky_at: null,
      last_failure: {
        job_id: second.id,
        pipeline_id: second.pipeline_id,
        ref: 'main',
        sha: sha(2),
        tag: false,
      },
    })
    expect((await scene.failedCases('search=SPEC/B')).map(({ name }) => name)).toEqual(['b'])
    expect(await scene.failedCases('suite=other')).toEqual([])
    expect(await scene.failedCases('flaky=true')).toEqual([])
  })

  test('has the tests of a branch that failed most often first', async () => {
    const scene = await opened().cleared()
    const reports: [string, Cases][] = [
      ['main', { often: 'failed', once: 'failed', z: 'success' }],
      ['main', { often: 'failed', once: 'success', z: 'success' }],
      ['topic', { aside: 'failed', once: 'failed', z: 'success' }],
      ['topic', { aside: 'failed', once: 'failed', z: 'success' }],
      ['topic', { aside: 'failed', once: 'failed', z: 'success' }],
    ]
    for (const [index, [ref, cases]] of reports.entries()) {
      const [job] = await scene.push(FILE, { ref, sha: sha(index) })
      await scene.report(job, cases)
    }
    const listed = async (query: string) => {
      const response = await scene.call(`test_cases?order_by=failures&${query}`)
      const rows = response.json<FailedCase[]>()
      return [response.headers['x-total'], ...rows.map(({ name, failures }) => `${name} ${failures}`)]
    }
    expect(await listed('')).toEqual(['3', 'once 4', 'aside 3', 'often 2'])
    expect(await listed('branch=main')).toEqual(['2', 'often 2', 'once 1'])
    expect(await listed('branch=topic&per_page=1&page=2')).toEqual(['2', 'once 3'])
    const [first] = await scene.failedCases('branch=main&search=once')
    expect(first?.last_failure).toMatchObject({ ref: 'main', sha: sha(0) })
  })

  test('pages through the list by keyset', async () => {
    const scene = await opened().cleared()
    const [job] = await scene.push(FILE)
    await scene.report(job, { a: 'failed', b: 'failed', c: 'failed' })
    const response = await scene.call('test_cases?pagination=keyset&per_page=2')
    const next = /\/test_cases(\?[^>]*)>; rel="next"/.exec(String(response.headers.link))?.[1]
    const rest = await scene.failedCases(next?.slice(1))
    const names = [...response.json<FailedCase[]>(), ...rest].map(({ name }) => name)
    expect(names.toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('calls a failure flaky when the test passes in another report of the job and commit, before or after', async () => {
    const scene = await opened().cleared()
    const [first] = await scene.push(FILE)
    await scene.report(first, { a: 'failed', b: 'success', c: 'failed' })
    expect(await scene.failedCases('flaky=true')).toEqual([])
    const [again] = await scene.push(FILE)
    await scene.report(again, { a: 'success', b: 'failed', c: 'failed' })
    const flaky = await scene.failedCases('flaky=true')
    expect(flaky.map(({ name }) => name).toSorted()).toEqual(['a', 'b'])
    expect(flaky.map(({ flaky_failures }) => flaky_failures)).toEqual([1, 1])
    const { rows } = await scene.pipelineCases(first, 'status=failed')
    expect(rows.map((row) => [row.name, row.flaky])).toEqual([
      ['a', true],
      ['c', false],
    ])
  })

  test('does not compare other commits, other instances, and reports in which nothing passed', async () => {
    const scene = await opened().cleared()
    const [one, two] = await scene.push(PARALLEL)
    await scene.report(one, { a: 'failed' })
    await scene.report(two, { b: 'success' })
    const [other] = await scene.push(PARALLEL, { sha: sha(2) })
    await scene.report(other, { a: 'success' })
    const [nothing] = await scene.push(PARALLEL)
    await scene.report(nothing, { x: 'skipped' })
    expect(await scene.failedCases('flaky=true')).toEqual([])
  })

  test('of one test has the runs of the branch, and where it broke', async () => {
    const scene = await opened().cleared()
    const statuses: TestStatus[] = ['failed', 'success', 'failed', 'failed']
    const jobs: JobRow[] = []
    for (const [index, status] of statuses.entries()) {
      const [job] = await scene.push(FILE, { sha: sha(index) })
      await scene.report(job, { a: status, z: 'success' })
      jobs.push(job)
    }
    const [aside] = await scene.push(FILE, { ref: 'topic', sha: sha(9) })
    await scene.report(aside, { a: 'failed' })
    const history = await scene.historyOf('a')
    expect(history).toMatchObject({ name: 'a', branch: 'main', failures: 4, failed_runs: 3 })
    expect(history.runs.map(({ sha, status }) => [sha, status])).toEqual([
      [sha(3), 'failed'],
      [sha(2), 'failed'],
      [sha(1), 'passed'],
      [sha(0), 'failed'],
    ])
    expect(history.first_bad).toMatchObject({ sha: sha(2), job_id: jobs[2]?.id })
    expect(history.recent.map(({ ref }) => ref)).toEqual(['topic', 'main', 'main', 'main'])
    const topic = await scene.historyOf('a', '?branch=topic')
    expect(topic.runs).toMatchObject([{ pipeline_id: aside.pipeline_id, status: 'failed' }])
    expect((await scene.call(`test_cases/${'0'.repeat(32)}`)).statusCode).toBe(404)
  })

  test('shows a test that failed and then passed in a pipeline as flaky, which is not where it broke', async () => {
    const scene = await opened().cleared()
    const [first] = await scene.push(FILE, { sha: sha(1) })
    await scene.report(first, { a: 'failed', b: 'success' })
    const [retried] = await scene.push(FILE, { sha: sha(1) })
    await scene.report(retried, { a: 'success' })
    const { runs, first_bad } = await scene.historyOf('a')
    expect(runs.map(({ status }) => status)).toEqual(['passed', 'flaky'])
    expect(first_bad).toBeNull()
  })

  test('gives failed tests of a report their recent failures on the default branch', async () => {
    const scene = await opened().cleared()
    for (const ref of ['main', 'main', 'topic']) {
      const [job] = await scene.push(FILE, { ref })
      await scene.report(job, { a: 'failed', b: ref === 'topic' ? 'failed' : 'success' })
    }
    const [job] = await scene.push(FILE, { ref: 'topic' })
    await scene.report(job, { a: 'error', b: 'failed', c: 'success' })
    const report = (await scene.call(`pipelines/${job.pipeline_id}/test_report`)).json<TestReportRecord>()
    const cases = report.test_suites[0]?.test_cases ?? []
    expect(cases.map((each) => [each.name, each.recent_failures])).toEqual([
      ['a', { count: 2, base_branch: 'main' }],
      ['b', null],
      ['c', null],
    ])
    const { rows } = await scene.pipelineCases(job, 'status=error')
    expect(rows[0]?.recent_failures).toEqual({ count: 2, base_branch: 'main' })
  })

  testAtNight('records none of more than 1,000 failures of a report', async () => {
    const scene = await opened().cleared()
    const [job] = await scene.push(FILE)
    await scene.report(
      job,
      Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`t${index}`, 'failed'])),
    )
    expect(await scene.failedCases()).toEqual([])
    const [next] = await scene.push(FILE, { sha: sha(2) })
    await scene.report(
      next,
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`t${index}`, 'failed'])),
    )
    expect(await scene.failedCases('per_page=100')).toHaveLength(100)
  })

  test('is deleted after its time, the last failure of a test with the test', async () => {
    const scene = await opened().cleared()
    const { database } = scene.coordinator
    for (const name of ['old', 'new']) {
      const [job] = await scene.push(FILE)
      await scene.report(job, { [name]: 'failed', both: 'failed' })
      if (name === 'old') {
        await database.updateTable('test_failure').set({ created_at: 1000 }).execute()
        await database.updateTable('test_case').set({ failed_at: 1000, flaky_at: 1000 }).execute()
      }
    }
    await deleteTestFailuresBefore(database, 2000)
    const cases = await scene.failedCases()
    const found = cases.map(({ name, failures, flaky_at }) => [name, failures, flaky_at])
    expect(found.toSorted()).toEqual([
      ['both', 1, null],
      ['new', 1, null],
    ])
  })

  test('goes with its job', async () => {
    const scene = await opened().cleared()
    const [job] = await scene.push(FILE)
    await scene.report(job, { a: 'failed' })
    await scene.coordinator.database.deleteFrom('job').where('id', '=', job.id).execute()
    expect(await scene.failedCases()).toMatchObject([{ name: 'a', failures: 0, last_failure: null }])
  })
})

/** A coordinator whose jobs report tests. */
class Scene {
  private constructor(readonly coordinator: CiCoordinator) {}

  static async open(open: OpenDatabase): Promise<Scene> {
    return new Scene(await startCiCoordinator({}, open))
  }

  /** The scene without pipelines and tests. */
  async cleared(): Promise<this> {
    const { database } = this.coordinator
    await database.deleteFrom('test_case').execute()
    await database.deleteFrom('pipeline').execute()
    return this
  }

  /** Creates a pipeline and returns its jobs. */
  async push(file: string, changes: { ref?: string; sha?: string } = {}): Promise<[JobRow, JobRow, JobRow]> {
    const { id } = await pushPipeline(this.coordinator, file, { sha: sha(1), ...changes })
    const jobs = await this.coordinator.database
      .selectFrom('job')
      .selectAll()
      .where('pipeline_id', '=', id)
      .orderBy('id')
      .execute()
    return jobs as [JobRow, JobRow, JobRow]
  }

  /** Stores a report of the job; the test `slow` takes five seconds. */
  async report(job: JobRow, cases: Cases): Promise<void> {
    await this.coordinator.artifacts.testReports.keep(job, casesOf(cases))
  }

  call(path: string) {
    const { app, admin, project } = this.coordinator
    return app.call(admin, `GET /projects/${project.id}/${path}`)
  }

  async pipelineCases(
    job: JobRow,
    query: string,
  ): Promise<{ rows: ListedTestCase[]; next: string | undefined }> {
    const response = await this.call(`pipelines/${job.pipeline_id}/test_cases?${query}`)
    expect(response.statusCode).toBe(200)
    const next = /\?([^>]*)>; rel="next"/.exec(String(response.headers.link))?.[1]
    return { rows: response.json(), next }
  }

  async failedCases(query = ''): Promise<FailedCase[]> {
    const response = await this.call(`test_cases?${query}`)
    expect(response.statusCode).toBe(200)
    return response.json()
  }

  async historyOf(name: string, query = ''): Promise<CaseHistory> {
    const response = await this.call(`test_cases/${caseDigest('unit', { classname: 'K', name })}${query}`)
    expect(response.statusCode).toBe(200)
    return response.json()
  }
}

async function* casesOf(cases: Cases): AsyncGenerator<TestCase> {
  for (const [name, status] of Object.entries(cases)) {
    yield {
      status,
      name,
      classname: 'K',
      file: `spec/${name}`,
      execution_time: name === 'slow' ? 5 : 0.1,
      system_output: null,
      attachment: null,
    }
  }
}

function sha(number: number): string {
  return String(number).padStart(40, 'a')
}
