import type { Database } from '../../../database/connect.js'
import { deleteSessionsOfUser } from '../../../database/stores/web-session-store.js'

/**
 * `hash` is a result of `hashPassword`. Ends the browser sessions of the user, who may have changed the password because
 * another person knows it; `keptSession` is the ID of the one that changes it.
 */
export async function setPassword(
  database: Database,
  userId: number,
  hash: string,
  { keptSession }: { keptSession?: number | undefined } = {},
): Promise<void> {
  const changes = { hash, changed_at: Date.now() }
  await database
    .insertInto('user_password')
    .values({ user_id: userId, ...changes })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute()
  await deleteSessionsOfUser(database, userId, { except: keptSession })
}
