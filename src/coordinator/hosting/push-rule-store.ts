import type { Insertable, Selectable, Updateable } from 'kysely'

import type { Database } from '../database/connect.js'
import type { PushRuleTable } from '../database/tables/push-rules.js'
import type { Transaction } from '../database/transaction.js'

export type PushRuleRow = Selectable<PushRuleTable>

/** What has a push rule: a project, or a group or the instance for new projects. */
export type RuleOwner =
  | { column: 'project_id' | 'group_id'; id: number }
  | { column: 'is_of_instance'; id: true }

export const INSTANCE = { column: 'is_of_instance', id: true } as const satisfies RuleOwner

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

/**
 * Gives a new project the rule of the nearest group that has one, or else that of the instance. `groupId` is undefined
 * for a project in the namespace of a user.
 */
export async function copyDefaultRule(
  tx: Transaction,
  projectId: number,
  groupId: number | undefined,
): Promise<void> {
  const ofGroup = groupId === undefined ? undefined : await ruleOfGroups(tx, groupId)
  const rule = ofGroup ?? (await findPushRule(tx, INSTANCE))
  if (!rule) return
  const { id: _id, group_id: _group, is_of_instance: _instance, created_at: _created, ...values } = rule
  await insertPushRule(tx, { column: 'project_id', id: projectId }, values)
}

/** The rule of the group, or of the nearest one around it that has one. */
function ruleOfGroups(tx: Transaction, groupId: number): Promise<PushRuleRow | undefined> {
  return (
    tx
      .selectFrom('group_tree')
      .innerJoin('push_rule', 'push_rule.group_id', 'group_tree.ancestor_id')
      .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
      .selectAll('push_rule')
      .where('group_tree.group_id', '=', groupId)
      // The path of a group inside another one is longer.
      .orderBy(({ fn }) => fn('length', ['namespace.full_path']), 'desc')
      .executeTakeFirst()
  )
}
