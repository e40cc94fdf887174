import type { Selectable, Updateable } from 'kysely'

import { matchesRefPattern } from '../../../git/ref-pattern.js'
import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type { ProtectedRefTable } from '../../database/tables/protected-refs.js'
import type {
  CheckStatus,
  StatusCheckResponseTable,
  StatusCheckTable,
} from '../../database/tables/status-checks.js'
import type { Transaction } from '../../database/transaction.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import type { MergeRequestRow } from './merge-request-store.js'

export type StatusCheckRow = Selectable<StatusCheckTable>
export type StatusCheckResponseRow = Selectable<StatusCheckResponseTable>
type ProtectedBranch = Selectable<ProtectedRefTable>

/** What decides about the checks of a merge request; `head_sha`: the head for which they must have passed. */
export type Checked = Pick<MergeRequestRow, 'id' | 'project_id' | 'target_branch' | 'head_sha'>

/** A check that is for a merge request, and what it says about its head. */
export interface StatusOfCheck {
  check: StatusCheckRow
  status: CheckStatus
}

/** The checks of a project, oldest first. */
export function statusChecksOf(database: Database, projectId: number) {
  return database.selectFrom('external_status_check').where('project_id', '=', projectId)
}

export function listStatusChecks(
  database: Database,
  projectId: number,
  paging: Paging,
): Promise<Rows<StatusCheckRow>> {
  const order = { table: 'external_status_check', column: 'id', direction: 'asc' } as const
  return listRows(database, statusChecksOf(database, projectId), paging, order)
}

export function findStatusCheck(
  database: Database,
  projectId: number,
  id: number,
): Promise<StatusCheckRow | undefined> {
  return statusChecksOf(database, projectId).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined if a check of the project has the name. */
export function insertStatusCheck(
  tx: Transaction,
  values: Pick<StatusCheckRow, 'project_id' | 'name' | 'created_at' | 'updated_at'>,
): Promise<StatusCheckRow | undefined> {
  return tx
    .insertInto('external_status_check')
    .values(values)
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function updateStatusCheck(
  tx: Transaction,
  id: number,
  changes: Updateable<StatusCheckTable>,
): Promise<StatusCheckRow> {
  return tx
    .updateTable('external_status_check')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteStatusCheckRow(database: Database, id: number): Promise<void> {
  await database.deleteFrom('external_status_check').where('id', '=', id).execute()
}

/** Replaces the protected branches for which a check is; none = all branches. */
export async function setBranchesOfCheck(
  tx: Transaction,
  checkId: number,
  protectedRefIds: readonly number[],
): Promise<void> {
  await tx.deleteFrom('external_status_check_branch').where('status_check_id', '=', checkId).execute()
  if (protectedRefIds.length === 0) return
  const rows = protectedRefIds.map((id) => ({ status_check_id: checkId, protected_ref_id: id }))
  await tx.insertInto('external_status_check_branch').values(rows).execute()
}

/** Those of the IDs that are protected branches of the project. */
export async function protectedBranchesAmong(
  database: Database,
  projectId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database
    .selectFrom('protected_ref')
    .select('id')
    .where('project_id', '=', projectId)
    .where('kind', '=', 'branch')
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** The protected branches for which checks are, by the IDs of the checks. */
export async function branchesOfChecks(
  database: Database,
  checkIds: readonly number[],
): Promise<Map<number, ProtectedBranch[]>> {
  if (checkIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('external_status_check_branch as of_branch')
    .innerJoin('protected_ref', 'protected_ref.id', 'of_branch.protected_ref_id')
    .selectAll('protected_ref')
    .select('of_branch.status_check_id')
    .where('of_branch.status_check_id', 'in', checkIds)
    .orderBy('protected_ref.id')
    .execute()
  return groupBy(rows, ({ status_check_id }) => status_check_id)
}

/** The checks that are for the target branches of merge requests, with their statuses, by the IDs of the merge requests. */
export async function statusesOfChecks(
  database: Database,
  rows: readonly Checked[],
): Promise<Map<number, StatusOfCheck[]>> {
  const checks = await checksOfProjects(database, [...new Set(rows.map(({ project_id }) => project_id))])
  if (checks.length === 0) return new Map()
  const branches = await branchesOfChecks(
    database,
    checks.map(({ id }) => id),
  )
  const responses = await responsesOf(
    database,
    rows.map(({ id }) => id),
  )
  const isFor = ({ id }: StatusCheckRow, target: string) =>
    branches.get(id)?.some(({ name }) => matchesRefPattern(name, target)) ?? true
  return new Map(
    rows.map((row) => [
      row.id,
      checks
        .filter((check) => check.project_id === row.project_id && isFor(check, row.target_branch))
        .map((check) => ({ check, status: statusFor(row, check, responses.get(row.id) ?? []) })),
    ]),
  )
}

/** Those of the merge requests for which a check has not passed for the head. */
export async function uncheckedAmong(database: Database, rows: readonly Checked[]): Promise<Set<number>> {
  if (rows.length === 0) return new Set()
  const statuses = await statusesOfChecks(database, rows)
  const isOpen = (row: Checked) => statuses.get(row.id)?.some(({ status }) => status !== 'passed') ?? false
  return new Set(rows.filter(isOpen).map(({ id }) => id))
}

function statusFor(
  row: Checked,
  check: StatusCheckRow,
  responses: readonly StatusCheckResponseRow[],
): CheckStatus {
  const response = responses.find(({ status_check_id }) => status_check_id === check.id)
  return response && response.sha === row.head_sha ? response.status : 'pending'
}

async function checksOfProjects(
  database: Database,
  projectIds: readonly number[],
): Promise<StatusCheckRow[]> {
  if (projectIds.length === 0) return []
  return database
    .selectFrom('external_status_check')
    .selectAll()
    .where('project_id', 'in', projectIds)
    .orderBy('id')
    .execute()
}

async function responsesOf(
  database: Database,
  mergeRequestIds: readonly number[],
): Promise<Map<number, StatusCheckResponseRow[]>> {
  const rows = await database
    .selectFrom('external_status_check_response')
    .selectAll()
    .where('merge_request_id', 'in', mergeRequestIds)
    .execute()
  return groupBy(rows, ({ merge_request_id }) => merge_request_id)
}

/** Records what a check says about a head, instead of what it said before. */
export function putResponse(
  tx: Transaction,
  values: Pick<StatusCheckResponseRow, 'merge_request_id' | 'status_check_id' | 'sha' | 'status'>,
): Promise<StatusCheckResponseRow> {
  const now = Date.now()
  const { sha, status } = values
  return tx
    .insertInto('external_status_check_response')
    .values({ ...values, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['merge_request_id', 'status_check_id']).doUpdateSet({ sha, status, updated_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}
