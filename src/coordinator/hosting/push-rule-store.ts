import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { PushRuleTable } from '../database/tables/push-rules.js'
import type { Transaction } from '../database/transaction.js'

export type PushRuleRow = Selectable<PushRuleTable>

/** What has a push rule: a project, or a group for its new projects. */
export interface RuleOwner {
  column: 'project_id' | 'group_id'
  id: number
}

export function findPushRule(
  database: Database,
  { column, id }: RuleOwner,
): Promise<PushRuleRow | undefined> {
  return database.selectFrom('push_rule').selectAll().where(column, '=', id).executeTakeFirst()
}

/** Undefined if the owner has one. */
export function insertPushRule(
  database: Database,
  { column, id }: RuleOwner,
  values: Updateable<PushRuleTable>,
): Promise<PushRuleRow | undefined> {
  const row: Insertable<PushRuleTable> = { ...values, created_at: Date.now(), [column]: id }
  return database
    .insertInto('push_rule')
    .values(row)
    .onConflict((conflict) => conflict.column(column).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if the owner has none. */
export function updatePushRule(
  database: Database,
  { column, id }: RuleOwner,
  values: Updateable<PushRuleTable>,
): Promise<PushRuleRow | undefined> {
  return database
    .updateTable('push_rule')
    .set({ ...values, [column]: id })
    .where(column, '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** False if the owner has none. */
export async function deletePushRule(database: Database, { column, id }: RuleOwner): Promise<boolean> {
  const { numDeletedRows } = await database.deleteFrom('push_rule').where(column, '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Gives a new project the rule of the nearest group that has one. */
export async function copyRuleOfGroup(tx: Transaction, projectId: number, groupId: number): Promise<void> {
  const rule = await tx
    .selectFrom('group_tree')
    .innerJoin('push_rule', 'push_rule.group_id', 'group_tree.ancestor_id')
    .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
    .selectAll('push_rule')
    .where('group_tree.group_id', '=', groupId)
    // The path of a group inside another one is longer.
    .orderBy(({ fn }) => fn('length', ['namespace.full_path']), 'desc')
    .executeTakeFirst()
  if (!rule) return
  const { id: _id, group_id: _group, created_at: _created, ...values } = rule
  await insertPushRule(tx, { column: 'project_id', id: projectId }, values)
}
