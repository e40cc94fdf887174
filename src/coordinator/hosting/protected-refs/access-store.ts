import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { ProtectedRefAccessTable } from '../../database/tables/protected-refs.js'

/** Access entry with the name of the user or group. */
export type AccessRow = Selectable<ProtectedRefAccessTable> & { name: string }

export async function listAccess(database: Database, ruleIds: number[]): Promise<AccessRow[]> {
  if (ruleIds.length === 0) return []
  const rows = await database
    .selectFrom('protected_ref_access as access')
    .leftJoin('user', 'user.id', 'access.user_id')
    .leftJoin('namespace', 'namespace.id', 'access.group_id')
    .selectAll('access')
    .select(['user.name as user_name', 'namespace.name as group_name'])
    .where('access.protected_ref_id', 'in', ruleIds)
    .orderBy('access.id')
    .execute()
  return rows.map(({ user_name, group_name, ...row }) => ({ ...row, name: user_name ?? group_name ?? '' }))
}

export type Named = Pick<AccessRow, 'action' | 'user_id' | 'group_id'>

/** Adds the users and groups that the rule does not name yet. */
export async function addAccess(database: Database, ruleId: number, named: Named[]): Promise<void> {
  const known = (await listAccess(database, [ruleId])).map(keyOf)
  const fresh = named.filter((entry, index) => {
    const key = keyOf(entry)
    return !known.includes(key) && named.findIndex((other) => keyOf(other) === key) === index
  })
  if (fresh.length === 0) return
  await database
    .insertInto('protected_ref_access')
    .values(fresh.map((entry) => ({ ...entry, protected_ref_id: ruleId })))
    .execute()
}

function keyOf({ action, user_id, group_id }: Named): string {
  return `${action} ${user_id ?? ''} ${group_id ?? ''}`
}

export async function deleteAccess(
  database: Database,
  ruleId: number,
  action: AccessRow['action'],
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  await database
    .deleteFrom('protected_ref_access')
    .where('protected_ref_id', '=', ruleId)
    .where('action', '=', action)
    .where('id', 'in', ids)
    .execute()
}

/** Selects the IDs that belong to groups. */
export async function groupsAmong(database: Database, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await database
    .selectFrom('namespace')
    .select('id')
    .where('id', 'in', ids)
    .where('kind', '=', 'group')
    .execute()
  return rows.map(({ id }) => id)
}

/** Selects the IDs that belong to users. */
export async function usersAmong(database: Database, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await database.selectFrom('user').select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}
