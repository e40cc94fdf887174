import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'

import type { Database } from '../connect.js'
import { dialectOf } from '../dialect.js'
import type { NamespaceTable } from '../tables/projects.js'
import type { Transaction } from '../transaction.js'
import { withPathPrefix } from './project-store.js'

export type NamespaceRow = Selectable<NamespaceTable>

/** A subquery: the ids of the group and of all groups in it. */
export function groupsIn(groupId: number): RawBuilder<number> {
  return sql<number>`(select group_id from group_tree where ancestor_id = ${groupId})`
}

/** Subquery: the group and its ancestors. */
export function groupsAbove(groupId: number): RawBuilder<number> {
  return sql<number>`(select ancestor_id from group_tree where group_id = ${groupId})`
}

/** Subquery: the group of a project and its ancestors; empty for a project in a personal namespace. */
export function groupsAboveProject(projectId: number): RawBuilder<number> {
  return sql<number>`(select group_tree.ancestor_id from project
    join group_tree on group_tree.group_id = project.namespace_id where project.id = ${projectId})`
}

/** Maximum number of groups that a query names. */
const NAMED = 100

/**
 * As `groupsIn`, for a list of projects or of what is in them. On PostgreSQL these are the IDs themselves, unless they are more
 * than a hundred: it knows how many projects a group has that is named, and expects hardly one for a subquery. SQLite
 * does not know either number, and goes through a list in its order only for a subquery.
 */
export async function namedGroupsIn(database: Database, groupId: number): Promise<RawBuilder<number>> {
  if (dialectOf(database) === 'sqlite') return groupsIn(groupId)
  const rows = await database
    .selectFrom('group_tree')
    .select('group_id')
    .where('ancestor_id', '=', groupId)
    .limit(sql.lit(NAMED + 1))
    .execute()
  if (rows.length === 0 || rows.length > NAMED) return groupsIn(groupId)
  return sql<number>`(${sql.join(rows.map(({ group_id }) => group_id))})`
}

export function insertNamespace(tx: Transaction, values: Insertable<NamespaceTable>): Promise<NamespaceRow> {
  return tx.insertInto('namespace').values(values).returningAll().executeTakeFirstOrThrow()
}

export function updateNamespace(
  database: Database,
  id: number,
  changes: Updateable<NamespaceTable>,
): Promise<NamespaceRow> {
  return database
    .updateTable('namespace')
    .set({ updated_at: Date.now(), ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Writes columns that do not count as an edit: `updated_at` stays. Does nothing if the namespace was deleted. */
export async function setNamespaceColumns(
  database: Database,
  id: number,
  columns: Updateable<NamespaceTable>,
): Promise<void> {
  await database.updateTable('namespace').set(columns).where('id', '=', id).execute()
}

/** The next `iid` of a milestone of the group. Locks the row of the group until `tx` ends. */
export async function nextMilestoneIidOfGroup(tx: Transaction, groupId: number): Promise<number> {
  const { milestone_count } = await tx
    .updateTable('namespace')
    .set((eb) => ({ milestone_count: eb('milestone_count', '+', 1) }))
    .where('id', '=', groupId)
    .returning('milestone_count')
    .executeTakeFirstOrThrow()
  return milestone_count
}

/** The next `iid` of an epic of the group. Locks the row of the group until `tx` ends. */
export async function nextEpicIid(tx: Transaction, groupId: number): Promise<number> {
  const { epic_count } = await tx
    .updateTable('namespace')
    .set((eb) => ({ epic_count: eb('epic_count', '+', 1) }))
    .where('id', '=', groupId)
    .returning('epic_count')
    .executeTakeFirstOrThrow()
  return epic_count
}

/** Returns the id of the user's personal namespace, undefined when the user has none. */
export async function updatePersonalNamespace(
  tx: Transaction,
  ownerId: number,
  changes: Pick<NamespaceRow, 'name' | 'path' | 'full_path'>,
): Promise<number | undefined> {
  const row = await tx
    .updateTable('namespace')
    .set(changes)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'user')
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Gives the subgroups of a group its setting. A subgroup with the strictest setting keeps it. */
export async function closeSubgroupsToInstanceRunners(
  tx: Transaction,
  { id }: NamespaceRow,
  setting: NamespaceRow['shared_runners_setting'],
): Promise<void> {
  await tx
    .updateTable('namespace')
    .set({ shared_runners_setting: setting, updated_at: Date.now() })
    .where('id', 'in', groupsIn(id))
    .where('id', '!=', id)
    .where('shared_runners_setting', '!=', 'disabled_and_unoverridable')
    .execute()
}

/** Replaces the beginning `before` of the full paths of a group's subgroups with `after`. */
export async function replacePathPrefixOfSubgroups(
  tx: Transaction,
  groupId: number,
  before: string,
  after: string,
): Promise<void> {
  await tx
    .updateTable('namespace')
    .set({ full_path: withPathPrefix(before, after), updated_at: Date.now() })
    .where('id', 'in', groupsIn(groupId))
    .where('id', '!=', groupId)
    .execute()
}

/** Returns the deleted row, undefined when it was deleted before. */
export function deleteNamespace(tx: Transaction, id: number): Promise<NamespaceRow | undefined> {
  return tx.deleteFrom('namespace').where('id', '=', id).returningAll().executeTakeFirst()
}

export async function deletePersonalNamespace(tx: Transaction, ownerId: number): Promise<void> {
  await tx.deleteFrom('namespace').where('owner_id', '=', ownerId).where('kind', '=', 'user').execute()
}
