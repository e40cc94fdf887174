import type { Insertable, Selectable } from 'kysely'

import type { Database } from '../connect.js'
import type { PersonalAccessTokenTable } from '../tables/users.js'
import type { Transaction } from '../transaction.js'

type TokenRow = Selectable<PersonalAccessTokenTable>

export function insertAccessToken(
  database: Database,
  values: Insertable<PersonalAccessTokenTable>,
): Promise<TokenRow> {
  return database.insertInto('personal_access_token').values(values).returningAll().executeTakeFirstOrThrow()
}

/** False when it was revoked already. */
export async function revokeToken(database: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('personal_access_token')
    .set({ revoked: true })
    .where('id', '=', id)
    .where('revoked', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Milliseconds since 1970. */
export async function recordTokenUse(database: Database, id: number, at: number): Promise<void> {
  await database.updateTable('personal_access_token').set({ last_used_at: at }).where('id', '=', id).execute()
}

export async function deleteTokensOfUser(tx: Transaction, userId: number): Promise<void> {
  await tx.deleteFrom('personal_access_token').where('user_id', '=', userId).execute()
}

/** Records that the users of these tokens were reminded that they end. Returns the IDs of those for which this is new. */
export async function markReminded(tx: Transaction, ids: readonly number[]): Promise<number[]> {
  const rows = await tx
    .updateTable('personal_access_token')
    .set({ reminded: true })
    .where('id', 'in', ids)
    .where('reminded', '=', false)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
