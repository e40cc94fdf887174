import { type Insertable, sql, type Updateable } from 'kysely'

import type { Database } from '../connect.js'
import type { UserProfileTable } from '../tables/users.js'
import type { Transaction } from '../transaction.js'

export type ProfileChanges = Omit<Updateable<UserProfileTable>, 'user_id' | 'updated_at'>

export async function insertProfile(tx: Transaction, values: Insertable<UserProfileTable>): Promise<void> {
  await tx.insertInto('user_profile').values(values).execute()
}

export async function updateProfile(
  database: Database,
  userId: number,
  changes: ProfileChanges,
): Promise<void> {
  await database
    .updateTable('user_profile')
    .set({ ...changes, updated_at: Date.now() })
    .where('user_id', '=', userId)
    .execute()
}

/** Milliseconds since 1970. */
export async function recordActivityOfUser(database: Database, userId: number, at: number): Promise<void> {
  await database
    .updateTable('user_profile')
    .set({ last_activity_at: at })
    .where('user_id', '=', userId)
    .execute()
}

/** Does nothing if the latest sign-in came from the same address after `since`. */
export async function recordSignIn(
  database: Database,
  { userId, address, at, since }: { userId: number; address: string; at: number; since: number },
): Promise<void> {
  await database
    .updateTable('user_profile')
    .set({
      last_sign_in_at: sql`current_sign_in_at`,
      last_sign_in_ip: sql`current_sign_in_ip`,
      current_sign_in_at: at,
      current_sign_in_ip: address,
      sign_in_count: sql`sign_in_count + 1`,
      last_activity_at: at,
    })
    .where('user_id', '=', userId)
    .where(({ eb, or }) =>
      or([
        eb('current_sign_in_at', 'is', null),
        eb('current_sign_in_at', '<=', since),
        eb('current_sign_in_ip', '!=', address),
      ]),
    )
    .execute()
}
