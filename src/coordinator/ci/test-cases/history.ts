import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import type { TestCaseRow } from '../storage/artifacts/test-history.js'
import { presentFailedCase, presentFailure, presentRun } from './present.js'
import type { CaseHistory, FailedCase, TestRun } from './schema.js'
import { countFailures, failuresIn, findCase, lastFailures, listFailures, listRuns } from './store.js'

/** Runs and failures of one response. */
const SHOWN = 50
const NONE = { failures: 0, flaky: 0 }

/** @param branch counts failures on this branch alone */
export async function describeCases(
  database: Database,
  rows: readonly TestCaseRow[],
  branch?: string,
): Promise<FailedCase[]> {
  const ids = rows.map(({ id }) => id)
  const counts = await countFailures(database, ids, branch)
  const last = await lastFailures(database, ids, branch)
  return rows.map((row) => presentFailedCase(row, counts.get(row.id) ?? NONE, last.get(row.id)))
}

/** Throws 404 for a test that has not failed lately. */
export async function historyOfCase(
  database: Database,
  project: Project,
  { digest, branch = project.default_branch }: { digest: string; branch?: string | null },
): Promise<CaseHistory> {
  const row = await findCase(database, project.id, digest)
  const [described] = row ? await describeCases(database, [row]) : []
  if (!row || !described) throw notFound('Test Case')
  const runs = branch === null ? [] : await runsOf(database, row, branch)
  const recent = await listFailures(database, row.id, SHOWN)
  return {
    ...described,
    branch,
    runs,
    failed_runs: runs.filter(({ status }) => status !== 'passed').length,
    first_bad: firstBad(runs),
    recent: recent.map(presentFailure),
  }
}

async function runsOf(database: Database, row: TestCaseRow, branch: string): Promise<TestRun[]> {
  const runs = await listRuns(database, row, branch, SHOWN)
  const failures = await failuresIn(
    database,
    row.id,
    runs.map(({ pipeline_id }) => pipeline_id),
  )
  const byPipeline = new Map(failures.map((failure) => [failure.pipeline_id, failure]))
  return runs.map((run) => presentRun(run, byPipeline.get(run.pipeline_id)))
}

/** The oldest of the latest runs that all failed; a flaky run counts as passed. */
function firstBad(runs: readonly TestRun[]): TestRun | null {
  const passed = runs.findIndex(({ status }) => status !== 'failed')
  return (passed < 0 ? runs : runs.slice(0, passed)).at(-1) ?? null
}
