import type { Database } from '../connect.js'

/** Whether the user has chosen a password here, or an administrator has set one. */
export async function hasPassword(database: Database, userId: number): Promise<boolean> {
  const row = await database
    .selectFrom('user_password')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}
