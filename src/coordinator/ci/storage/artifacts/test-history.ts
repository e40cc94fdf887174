import { createHash } from 'node:crypto'

import { type Selectable, sql } from 'kysely'

import { chunks } from '../../../../lib/chunks.js'
import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { deleteMatching } from '../../../database/delete-in-steps.js'
import type { TestCaseTable, TestFailureTable } from '../../../database/tables/test-reports.js'
import type { Transaction } from '../../../database/transaction.js'

export type TestCaseRow = Selectable<TestCaseTable>
export type TestFailureRow = Selectable<TestFailureTable>

/** More failures in one report have another cause than the tests, and none of them is recorded. */
const MAX_FAILURES = 1000
/** How long failures are kept, in milliseconds. */
export const FAILURES_KEPT_FOR = 90 * DAY
/** The time in which failures count as recent, in milliseconds. */
const RECENT = 14 * DAY
/** Rows per statement. */
const BATCH = 500

/** What identifies a case in its suite. */
export interface NamedCase {
  name: string
  classname: string
  file: string | null
}

/** Identifies a case in the project, whatever its pipeline. */
export function caseDigest(suite: string, { classname, name }: Omit<NamedCase, 'file'>): string {
  return createHash('sha256')
    .update(JSON.stringify([suite, classname, name]))
    .digest('hex')
    .slice(0, 32)
}

/** The failed cases of one report, collected while it is read. */
export class FailedCases {
  private readonly byDigest = new Map<string, NamedCase>()

  constructor(private readonly suite: string) {}

  add({ name, classname, file }: NamedCase): void {
    if (this.byDigest.size > MAX_FAILURES) return
    this.byDigest.set(caseDigest(this.suite, { name, classname }), { name, classname, file })
  }

  /** Sorted by digest, so that transactions lock the rows in one order; undefined if there are too many. */
  rows(): (NamedCase & { digest: string })[] | undefined {
    if (this.byDigest.size > MAX_FAILURES) return undefined
    const rows = [...this.byDigest].map(([digest, named]) => ({ digest, ...named }))
    return rows.toSorted((one, other) => (one.digest < other.digest ? -1 : 1))
  }
}

/** A report that is being stored. */
interface StoredReport {
  job_id: number
  job_name: string
  project_id: number
  pipeline_id: number
  suite: string
  ref: string
  tag: boolean
  sha: string
  created_at: number
  success_count: number
}

/**
 * Records the failed cases of a report. A failure is flaky if the case did not fail in another report of the same job
 * name and commit, whichever of the two came first.
 */
export async function recordFailures(
  tx: Transaction,
  report: StoredReport,
  failed: FailedCases,
): Promise<void> {
  const rows = failed.rows()
  if (!rows) return
  const others = await otherReports(tx, report)
  const failures = await failuresOf(tx, others)
  const failedHere = new Set<number>()
  for (const some of chunks(rows, BATCH)) {
    const cases = await upsertCases(tx, report, some)
    await insertFailures(tx, report, cases, (id) => others.some((job) => !failures.get(job)?.has(id)))
    for (const { id } of cases) failedHere.add(id)
  }
  if (report.success_count === 0) return
  for (const job of others) {
    const passedHere = [...(failures.get(job) ?? [])].filter((id) => !failedHere.has(id))
    await markFlaky(tx, job, passedHere, report.created_at)
  }
}

/** Jobs with a report of the same job name and commit, in which some cases passed and all failures are recorded. */
async function otherReports(
  tx: Transaction,
  { job_id, job_name, project_id, sha, suite }: StoredReport,
): Promise<number[]> {
  const reports = await tx
    .selectFrom('test_report')
    .innerJoin('job', 'job.id', 'test_report.job_id')
    .select('test_report.job_id')
    .where('test_report.project_id', '=', project_id)
    .where('test_report.sha', '=', sha)
    .where('test_report.suite', '=', suite)
    .where('job.name', '=', job_name)
    .where('test_report.job_id', '!=', job_id)
    .where('test_report.success_count', '>', 0)
    .where(({ eb }) => eb(sql`failed_count + error_count`, '<=', MAX_FAILURES))
    .execute()
  return reports.map((report) => report.job_id)
}

/** IDs of the cases that failed, by job. */
async function failuresOf(tx: Transaction, jobIds: readonly number[]): Promise<Map<number, Set<number>>> {
  const failures = new Map<number, Set<number>>()
  if (jobIds.length === 0) return failures
  const rows = await tx
    .selectFrom('test_failure')
    .select(['case_id', 'job_id'])
    .where('job_id', 'in', jobIds)
    .execute()
  for (const { case_id, job_id } of rows) {
    failures.set(job_id, (failures.get(job_id) ?? new Set()).add(case_id))
  }
  return failures
}

function upsertCases(
  tx: Transaction,
  { project_id, suite, created_at: failed_at }: StoredReport,
  rows: readonly (NamedCase & { digest: string })[],
): Promise<{ id: number }[]> {
  return tx
    .insertInto('test_case')
    .values(rows.map((row) => ({ ...row, project_id, suite, failed_at })))
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'digest'])
        .doUpdateSet(({ ref }) => ({ failed_at: ref('excluded.failed_at'), file: ref('excluded.file') })),
    )
    .returning('id')
    .execute()
}

async function insertFailures(
  tx: Transaction,
  { job_id, pipeline_id, ref, tag, sha, created_at }: StoredReport,
  cases: readonly { id: number }[],
  isFlaky: (caseId: number) => boolean,
): Promise<void> {
  const place = { job_id, pipeline_id, ref, tag, sha, created_at }
  const rows = cases.map(({ id }) => ({ ...place, case_id: id, flaky: isFlaky(id) }))
  await tx.insertInto('test_failure').values(rows).execute()
  const flaky = rows.filter((row) => row.flaky).map((row) => row.case_id)
  await touchFlaky(tx, flaky, created_at)
}

/** Marks failures of a job as flaky. */
async function markFlaky(
  tx: Transaction,
  jobId: number,
  caseIds: readonly number[],
  now: number,
): Promise<void> {
  if (caseIds.length === 0) return
  await tx
    .updateTable('test_failure')
    .set({ flaky: true })
    .where('job_id', '=', jobId)
    .where('case_id', 'in', caseIds)
    .execute()
  await touchFlaky(tx, caseIds, now)
}

async function touchFlaky(tx: Transaction, caseIds: readonly number[], now: number): Promise<void> {
  if (caseIds.length === 0) return
  await tx.updateTable('test_case').set({ flaky_at: now }).where('id', 'in', caseIds).execute()
}

/** Numbers of the failures of the last 14 days on a branch, by digest, for the cases that failed in these jobs. */
export async function recentFailures(
  database: Database,
  jobIds: readonly number[],
  branch: string | null,
  now = Date.now(),
): Promise<Map<string, number>> {
  if (branch === null || jobIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('test_case')
    .innerJoin('test_failure', 'test_failure.case_id', 'test_case.id')
    .select(({ fn }) => ['test_case.digest', fn.countAll<number>().as('count')])
    .where('test_case.id', 'in', (query) =>
      query.selectFrom('test_failure').select('case_id').where('job_id', 'in', jobIds),
    )
    .where('test_failure.ref', '=', branch)
    .where('test_failure.tag', '=', false)
    .where('test_failure.created_at', '>=', now - RECENT)
    .groupBy('test_case.digest')
    .execute()
  return new Map(rows.map(({ digest, count }) => [digest, count]))
}

/** Numbers of the failures that are kept, and of the flaky ones among them, by digest. */
export async function failureCounts(
  database: Database,
  projectId: number,
  digests: readonly string[],
): Promise<Map<string, { failures: number; flaky: number }>> {
  if (digests.length === 0) return new Map()
  const rows = await database
    .selectFrom('test_case')
    .innerJoin('test_failure', 'test_failure.case_id', 'test_case.id')
    .select(({ fn, eb }) => [
      'test_case.digest',
      fn.countAll<number>().as('failures'),
      fn
        .sum<number | string>(eb.case().when('test_failure.flaky', '=', true).then(1).else(0).end())
        .as('flaky'),
    ])
    .where('test_case.project_id', '=', projectId)
    .where('test_case.digest', 'in', digests)
    .groupBy('test_case.digest')
    .execute()
  return new Map(rows.map(({ digest, failures, flaky }) => [digest, { failures, flaky: Number(flaky) }]))
}

/** Digests of the flaky failures of these jobs, by job. */
export async function flakyFailures(
  database: Database,
  jobIds: readonly number[],
): Promise<Map<number, Set<string>>> {
  const found = new Map<number, Set<string>>()
  if (jobIds.length === 0) return found
  const rows = await database
    .selectFrom('test_failure')
    .innerJoin('test_case', 'test_case.id', 'test_failure.case_id')
    .select(['test_failure.job_id', 'test_case.digest'])
    .where('test_failure.job_id', 'in', jobIds)
    .where('test_failure.flaky', '=', true)
    .execute()
  for (const { job_id, digest } of rows) found.set(job_id, (found.get(job_id) ?? new Set()).add(digest))
  return found
}

/** Periodic task: deletes failures from before this time, and cases that have none any more. */
export async function deleteTestFailuresBefore(database: Database, before: number): Promise<void> {
  await deleteMatching(database, 'test_case', sql`failed_at < ${before}`)
  await deleteMatching(database, 'test_failure', sql`created_at < ${before}`)
  await database.updateTable('test_case').set({ flaky_at: null }).where('flaky_at', '<', before).execute()
}
