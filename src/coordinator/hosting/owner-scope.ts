import { type RawBuilder, sql, type SqlBool } from 'kysely'

import { maySeeGroup, type Viewer } from '../access/visibility.js'
import type { Database } from '../database/connect.js'
import { groupsAbove, groupsAboveProject, groupsIn } from '../database/stores/namespace-store.js'

/** Owner of a label or a milestone: a project or a group. */
export type ProjectOrGroup = { project_id: number } | { group_id: number }

type OwnedTable = 'label' | 'milestone'

/** The rows to list: those of the owner, and of other groups in its hierarchy. */
export interface OwnerScope {
  owner: ProjectOrGroup
  /** Whether to include rows of all ancestor groups. */
  ancestors: boolean
  /** Whether to include rows of all groups in it, if the owner is a group. */
  descendants: boolean
  /** Groups other than those of a project are listed only if this caller may see them. */
  viewer: Viewer
}

/**
 * Conditions of which each row of the scope meets one. One for each owner, so that an index has the rows in order; but one
 * for all groups in a group, because they may be many.
 */
export async function scopeConditions(
  database: Database,
  table: OwnedTable,
  { owner, ancestors, descendants, viewer }: OwnerScope,
): Promise<RawBuilder<SqlBool>[]> {
  const own = isOwnedBy(table, owner)
  const eachGroup = async (groups: RawBuilder<number>) => {
    const rows = await database.selectFrom('namespace').select('id').where('id', 'in', groups).execute()
    return rows.map(({ id }) => isOwnedBy(table, { group_id: id }))
  }
  if ('project_id' in owner) {
    return ancestors ? [own, ...(await eachGroup(groupsAboveProject(owner.project_id)))] : [own]
  }
  const { group_id } = owner
  const [above, below] = [groupsAbove(group_id), groupsIn(group_id)]
  return [
    own,
    ...(ancestors ? await eachGroup(seen(above)) : []),
    ...(descendants ? [sql<SqlBool>`${sql.ref(`${table}.group_id`)} in ${seen(below)}`] : []),
  ]

  /** The groups of the subquery that the caller may see, without the owner. */
  function seen(groups: RawBuilder<number>): RawBuilder<number> {
    return sql<number>`(select namespace.id from namespace
      where namespace.id in ${groups} and namespace.id <> ${group_id} and ${maySeeGroup(viewer)})`
  }
}

/** Whether a row belongs to this project or group. */
export function isOwnedBy(table: OwnedTable, owner: ProjectOrGroup): RawBuilder<SqlBool> {
  return 'project_id' in owner
    ? sql<SqlBool>`${sql.ref(`${table}.project_id`)} = ${owner.project_id}`
    : sql<SqlBool>`${sql.ref(`${table}.group_id`)} = ${owner.group_id}`
}

/** Whether a row is one that things of the owner can have: its own, or one of a group above it. */
export function isAvailableTo(table: OwnedTable, owner: ProjectOrGroup): RawBuilder<SqlBool> {
  const group = sql.ref(`${table}.group_id`)
  if ('group_id' in owner) return sql<SqlBool>`${group} in ${groupsAbove(owner.group_id)}`
  return sql<SqlBool>`(${isOwnedBy(table, owner)} or ${group} in ${groupsAboveProject(owner.project_id)})`
}
