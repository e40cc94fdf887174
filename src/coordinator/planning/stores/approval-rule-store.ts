import type { Insertable, Selectable, Updateable } from 'kysely'

import { groupBy } from '../../../lib/group-by.js'
import type { Database } from '../../database/connect.js'
import type { ApprovalRuleTable } from '../../database/tables/approval-rules.js'
import type { Transaction } from '../../database/transaction.js'

export type ApprovalRuleRow = Selectable<ApprovalRuleTable>

/** A rule with whom and what it names. */
export interface ApprovalRule extends ApprovalRuleRow {
  userIds: number[]
  groupIds: number[]
  /** IDs of rules of protected branches; empty = for all branches. */
  branchIds: number[]
}

/** Rules of projects (`projectIds`), without those of merge requests, and of merge requests; by ID. */
export async function approvalRulesOf(
  database: Database,
  { projectIds = [], mergeRequestIds = [] }: { projectIds?: number[]; mergeRequestIds?: number[] },
): Promise<ApprovalRule[]> {
  if (projectIds.length + mergeRequestIds.length === 0) return []
  const rows = await database
    .selectFrom('approval_rule')
    .selectAll()
    .where(({ or, and, eb }) =>
      or([
        ...(projectIds.length > 0
          ? [and([eb('project_id', 'in', projectIds), eb('merge_request_id', 'is', null)])]
          : []),
        ...(mergeRequestIds.length > 0 ? [eb('merge_request_id', 'in', mergeRequestIds)] : []),
      ]),
    )
    .orderBy('id')
    .execute()
  return withNamed(database, rows)
}

export async function findApprovalRule(
  database: Database,
  { projectId, mergeRequestId }: { projectId: number; mergeRequestId: number | null },
  id: number,
): Promise<ApprovalRule | undefined> {
  const row = await database
    .selectFrom('approval_rule')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .where('merge_request_id', mergeRequestId === null ? 'is' : '=', mergeRequestId)
    .executeTakeFirst()
  return row && (await withNamed(database, [row]))[0]
}

async function withNamed(database: Database, rows: ApprovalRuleRow[]): Promise<ApprovalRule[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const users = await database
    .selectFrom('approval_rule_user')
    .selectAll()
    .where('approval_rule_id', 'in', ids)
    .orderBy('user_id')
    .execute()
  const groups = await database
    .selectFrom('approval_rule_group')
    .selectAll()
    .where('approval_rule_id', 'in', ids)
    .orderBy('group_id')
    .execute()
  const branches = await database
    .selectFrom('approval_rule_branch')
    .selectAll()
    .where('approval_rule_id', 'in', ids)
    .orderBy('protected_ref_id')
    .execute()
  const userIds = groupBy(users, ({ approval_rule_id }) => approval_rule_id)
  const groupIds = groupBy(groups, ({ approval_rule_id }) => approval_rule_id)
  const branchIds = groupBy(branches, ({ approval_rule_id }) => approval_rule_id)
  return rows.map((row) => ({
    ...row,
    userIds: (userIds.get(row.id) ?? []).map(({ user_id }) => user_id),
    groupIds: (groupIds.get(row.id) ?? []).map(({ group_id }) => group_id),
    branchIds: (branchIds.get(row.id) ?? []).map(({ protected_ref_id }) => protected_ref_id),
  }))
}

/** Rows of a project, or of one of its merge requests. */
export function approvalRuleRows(database: Database, projectId: number, mergeRequestId: number | null) {
  return database
    .selectFrom('approval_rule')
    .where('project_id', '=', projectId)
    .where('merge_request_id', mergeRequestId === null ? 'is' : '=', mergeRequestId)
}

export function insertApprovalRule(
  tx: Transaction,
  values: Omit<Insertable<ApprovalRuleTable>, 'created_at' | 'updated_at'>,
): Promise<ApprovalRuleRow> {
  const now = Date.now()
  return tx
    .insertInto('approval_rule')
    .values({ ...values, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Inserts the rule `any_approver` of a project unless there is one, or a rule has its name. */
export async function addAnyApproverRule(database: Database, projectId: number, name: string): Promise<void> {
  const now = Date.now()
  await database
    .insertInto('approval_rule')
    .values({ project_id: projectId, name, rule_type: 'any_approver', created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateApprovalRule(
  tx: Transaction,
  id: number,
  changes: Pick<
    Updateable<ApprovalRuleTable>,
    'name' | 'approvals_required' | 'applies_to_all_protected_branches'
  >,
): Promise<void> {
  await tx
    .updateTable('approval_rule')
    .set({ ...changes, updated_at: Date.now() })
    .where('id', '=', id)
    .execute()
}

/** Replaces the users, groups or branches of a rule; those that are not given stay. */
export async function replaceNamed(
  tx: Transaction,
  ruleId: number,
  { userIds, groupIds, branchIds }: Partial<Pick<ApprovalRule, 'userIds' | 'groupIds' | 'branchIds'>>,
): Promise<void> {
  if (userIds) {
    await tx.deleteFrom('approval_rule_user').where('approval_rule_id', '=', ruleId).execute()
    const rows = userIds.map((user_id) => ({ approval_rule_id: ruleId, user_id }))
    if (rows.length > 0) await tx.insertInto('approval_rule_user').values(rows).execute()
  }
  if (groupIds) {
    await tx.deleteFrom('approval_rule_group').where('approval_rule_id', '=', ruleId).execute()
    const rows = groupIds.map((group_id) => ({ approval_rule_id: ruleId, group_id }))
    if (rows.length > 0) await tx.insertInto('approval_rule_group').values(rows).execute()
  }
  if (branchIds) {
    await tx.deleteFrom('approval_rule_branch').where('approval_rule_id', '=', ruleId).execute()
    const rows = branchIds.map((protected_ref_id) => ({ approval_rule_id: ruleId, protected_ref_id }))
    if (rows.length > 0) await tx.insertInto('approval_rule_branch').values(rows).execute()
  }
}

/** Also deletes what is left of the rules that replace it. */
export async function deleteApprovalRule(tx: Transaction, id: number): Promise<void> {
  await tx.deleteFrom('approval_rule').where('id', '=', id).execute()
}
