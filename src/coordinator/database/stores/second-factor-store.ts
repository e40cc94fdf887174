import type { Database } from '../connect.js'

/** Of `userIds`, those who have a second factor. */
export async function usersWithFactor(database: Database, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set()
  const rows = await database
    .selectFrom('totp_factor')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('confirmed_at', 'is not', null)
    .union(database.selectFrom('passkey').select('user_id').where('user_id', 'in', userIds))
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Whether the user has confirmed a code of an app, or has a passkey. */
export async function hasFactor(database: Database, userId: number): Promise<boolean> {
  return (await usersWithFactor(database, [userId])).has(userId)
}
