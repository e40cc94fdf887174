import { type Insertable, sql, type Updateable } from 'kysely'

import type { Database } from '../connect.js'
import type { UserProfileTable } from '../tables/users.js'
import { inTransaction, type Transaction } from '../transaction.js'

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

export interface NewSignIn {
  userId: number
  address: string
  /** Time of the sign-in. */
  at: number
}

/**
 * Does nothing if the latest sign-in came from the same address after `since`. `onUnknown` is called, in the transaction, if
 * neither of the last two sign-ins came from the address.
 */
export async function recordSignIn(
  database: Database,
  { since, ...signIn }: NewSignIn & { since: number },
  onUnknown: (tx: Transaction, signIn: NewSignIn) => Promise<void> = async () => {},
): Promise<void> {
  await inTransaction(database, async (tx) => {
    const before = await tx
      .selectFrom('user_profile')
      .select(['current_sign_in_ip', 'last_sign_in_ip'])
      .where('user_id', '=', signIn.userId)
      .executeTakeFirst()
    const isRecorded = await updateSignIn(tx, { since, ...signIn })
    const known = [before?.current_sign_in_ip, before?.last_sign_in_ip]
    // Any address of the first sign-in is the usual one.
    if (isRecorded && before?.current_sign_in_ip && !known.includes(signIn.address)) {
      await onUnknown(tx, signIn)
    }
  })
}

async function updateSignIn(
  database: Database,
  { userId, address, at, since }: NewSignIn & { since: number },
): Promise<boolean> {
  const { numUpdatedRows } = await database
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
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
