import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import type { ShareTable } from '../../../database/tables/group-shares.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'

export type ShareRow = Selectable<ShareTable>

/** The shared project or group. */
export type Shared = { project_id: number } | { group_id: number }

/** Undefined if there is already a share with that group; an expired share is replaced. */
export async function insertShare(
  database: Database,
  shared: Shared,
  values: Pick<ShareRow, 'with_group_id' | 'group_access' | 'expires_at'>,
): Promise<ShareRow | undefined> {
  await database
    .deleteFrom('share')
    .where(columnOf(shared), '=', idOf(shared))
    .where('with_group_id', '=', values.with_group_id)
    .where('expires_at', '<=', Date.now())
    .execute()
  try {
    return await database
      .insertInto('share')
      .values({ ...shared, ...values, created_at: Date.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isUniqueViolation(error)) return undefined
    throw error
  }
}

export async function deleteShare(database: Database, shared: Shared, withGroupId: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('share')
    .where(columnOf(shared), '=', idOf(shared))
    .where('with_group_id', '=', withGroupId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Whether an ancestor group of the project forbids sharing. */
export async function isSharingLocked(database: Database, namespaceId: number): Promise<boolean> {
  const row = await database
    .selectFrom('group_tree')
    .innerJoin('namespace', 'namespace.id', 'group_tree.ancestor_id')
    .select('namespace.id')
    .where('group_tree.group_id', '=', namespaceId)
    .where('namespace.share_with_group_lock', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the namespace is this group or a descendant of it. */
export async function isInGroup(database: Database, namespaceId: number, groupId: number): Promise<boolean> {
  const row = await database
    .selectFrom('group_tree')
    .select('group_id')
    .where('group_id', '=', namespaceId)
    .where('ancestor_id', '=', groupId)
    .executeTakeFirst()
  return row !== undefined
}

function columnOf(shared: Shared): 'project_id' | 'group_id' {
  return 'project_id' in shared ? 'project_id' : 'group_id'
}

function idOf(shared: Shared): number {
  return 'project_id' in shared ? shared.project_id : shared.group_id
}
