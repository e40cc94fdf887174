import type { Database } from '../../../../database/connect.js'
import type { ProtectedEnvironmentEntryRow } from './find-protections.js'
import { ENTRY_LEVELS } from './fits-entry.js'

const ROLES: Record<number, string> = {
  [ENTRY_LEVELS.developer]: 'Developers + Maintainers',
  [ENTRY_LEVELS.maintainer]: 'Maintainers',
  [ENTRY_LEVELS.administrator]: 'Administrators',
}

type Named = Pick<ProtectedEnvironmentEntryRow, 'id' | 'access_level' | 'user_id' | 'group_id'>

/** Display names of entries by id: the role, or the name of the user or group. */
export async function entryNames(database: Database, entries: Named[]): Promise<Map<number, string>> {
  const users = await namesIn(
    database,
    'user',
    entries.flatMap(({ user_id }) => user_id ?? []),
  )
  const groups = await namesIn(
    database,
    'namespace',
    entries.flatMap(({ group_id }) => group_id ?? []),
  )
  return new Map(
    entries.map(({ id, access_level, user_id, group_id }) => [
      id,
      ROLES[access_level ?? 0] ??
        users.get(user_id ?? 0) ??
        groups.get(group_id ?? 0) ??
        'Deleted user or group',
    ]),
  )
}

async function namesIn(
  database: Database,
  table: 'user' | 'namespace',
  ids: number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom(table).select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
