import type { Database } from '../../../database/connect.js'

/** `hash` is a result of `hashPassword`. */
export async function setPassword(database: Database, userId: number, hash: string): Promise<void> {
  const changes = { hash, changed_at: Date.now() }
  await database
    .insertInto('user_password')
    .values({ user_id: userId, ...changes })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute()
}
