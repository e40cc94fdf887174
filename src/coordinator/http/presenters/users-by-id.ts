import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'

/** Users by id, in one query; ids may repeat, and deleted users are missing. */
export async function usersById(
  database: Database,
  ids: readonly (number | null)[],
): Promise<Map<number, User>> {
  const wanted = [...new Set(ids)].filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const users = await database.selectFrom('user').selectAll().where('id', 'in', wanted).execute()
  return new Map(users.map((user) => [user.id, user]))
}
