import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { Tables } from '../../database/tables/database-tables.js'
import { anyContainsText } from '../../database/text.js'
import type { Paging } from '../../http/page.js'
import { countAround, listRows, type Rows } from '../../http/paging/list-rows.js'
import type { TestCaseRow, TestFailureRow } from '../storage/artifacts/test-history.js'
import type { ListFailedCases } from './schema.js'

/** Cases that failed: the latest first, or those that failed most often. */
export async function listFailedCases(
  database: Database,
  projectId: number,
  filter: ListFailedCases,
  paging: Paging,
): Promise<Rows<TestCaseRow>> {
  const cases = failedCases(database, projectId, filter)
  const order = { table: 'test_case', column: 'failed_at', direction: 'desc' } as const
  if (filter.order_by !== 'failures') return listRows(database, cases, paging, order)
  const counted = await cases
    .leftJoin('test_failure', 'test_failure.case_id', 'test_case.id')
    .$call((query) => onBranch(query, filter.branch))
    .select('test_case.id')
    .groupBy('test_case.id')
    .orderBy(({ fn }) => fn.count('test_failure.case_id'), 'desc')
    .orderBy('test_case.id', 'desc')
    .limit(paging.perPage)
    .offset(paging.offset)
    .execute()
  const ids = counted.map(({ id }) => id)
  const rows = await casesById(database, ids)
  return {
    rows: ids.flatMap((id) => rows.get(id) ?? []),
    total: await countAround(database, cases, paging, ids.length),
  }
}

async function casesById(database: Database, ids: readonly number[]): Promise<Map<number, TestCaseRow>> {
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('test_case').selectAll().where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

function failedCases(
  database: Database,
  projectId: number,
  { flaky, suite, search, branch }: ListFailedCases,
) {
  return database
    .selectFrom('test_case')
    .where('test_case.project_id', '=', projectId)
    .$if(branch !== undefined, (query) =>
      query.where(({ exists, selectFrom, ref }) =>
        exists(
          selectFrom('test_failure as failure')
            .select('failure.case_id')
            .where('failure.case_id', '=', ref('test_case.id'))
            .where('failure.ref', '=', branch ?? '')
            .where('failure.tag', '=', false),
        ),
      ),
    )
    .$if(flaky === true, (query) => query.where('test_case.flaky_at', 'is not', null))
    .$if(suite !== undefined, (query) => query.where('test_case.suite', '=', suite ?? ''))
    .$if(search !== undefined, (query) =>
      query.where(({ ref, fn, val }) =>
        anyContainsText([ref('name'), ref('classname'), fn.coalesce('file', val(''))], search ?? ''),
      ),
    )
}

/** Selects failures on a branch; on any ref without one. */
function onBranch<Joined extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Joined | 'test_failure', Row>,
  branch: string | undefined,
): SelectQueryBuilder<Tables, Joined | 'test_failure', Row> {
  if (branch === undefined) return query
  return query.where(sql<SqlBool>`test_failure.ref = ${branch} and test_failure.tag = false`)
}

export function findCase(
  database: Database,
  projectId: number,
  digest: string,
): Promise<TestCaseRow | undefined> {
  return database
    .selectFrom('test_case')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('digest', '=', digest)
    .executeTakeFirst()
}

export interface FailureCounts {
  failures: number
  flaky: number
}

/** Numbers of failures by case. */
export async function countFailures(
  database: Database,
  caseIds: readonly number[],
  branch?: string,
): Promise<Map<number, FailureCounts>> {
  if (caseIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('test_failure')
    .select(({ fn, eb }) => [
      'case_id',
      fn.countAll<number>().as('failures'),
      fn.sum<number>(eb.case().when('flaky', '=', true).then(1).else(0).end()).as('flaky'),
    ])
    .where('case_id', 'in', caseIds)
    .$call((query) => onBranch(query, branch))
    .groupBy('case_id')
    .execute()
  return new Map(rows.map(({ case_id, failures, flaky }) => [case_id, { failures, flaky }]))
}

/** The last failure of each case. */
export async function lastFailures(
  database: Database,
  caseIds: readonly number[],
  branch?: string,
): Promise<Map<number, TestFailureRow>> {
  if (caseIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('test_failure')
    .selectAll()
    .where(({ eb, refTuple, selectFrom, fn }) =>
      eb(
        refTuple('case_id', 'job_id'),
        'in',
        selectFrom('test_failure')
          .select(({ ref }) => [ref('case_id').as('case_id'), fn.max('job_id').as('job_id')])
          .where('case_id', 'in', caseIds)
          .$call((query) => onBranch(query, branch))
          .groupBy('case_id')
          .$asTuple('case_id', 'job_id'),
      ),
    )
    .execute()
  return new Map(rows.map((row) => [row.case_id, row]))
}

/** The latest failures of a case, the newest first. */
export function listFailures(database: Database, caseId: number, limit: number): Promise<TestFailureRow[]> {
  return database
    .selectFrom('test_failure')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('job_id', 'desc')
    .limit(limit)
    .execute()
}

export interface RunRow {
  pipeline_id: number
  /** The last one with a report. */
  job_id: number
  sha: string
  created_at: number
}

/** The last pipelines of a branch that have readable reports of the suite, the newest first. */
export async function listRuns(
  database: Database,
  { project_id, suite }: Pick<TestCaseRow, 'project_id' | 'suite'>,
  branch: string,
  limit: number,
): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select pipeline_id, max(job_id) as job_id, max(sha) as sha, max(created_at) as created_at
    from test_report
    where project_id = ${project_id} and suite = ${suite} and tag = false and ref = ${branch}
      and suite_error is null
    group by pipeline_id order by pipeline_id desc limit ${limit}`.execute(database)
  return rows
}

/** Failures of a case in these pipelines. */
export function failuresIn(
  database: Database,
  caseId: number,
  pipelineIds: readonly number[],
): Promise<TestFailureRow[]> {
  if (pipelineIds.length === 0) return Promise.resolve([])
  return database
    .selectFrom('test_failure')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('pipeline_id', 'in', pipelineIds)
    .orderBy('job_id')
    .execute()
}
