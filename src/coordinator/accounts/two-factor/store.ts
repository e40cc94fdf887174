import { type Insertable, type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { deleteMatching } from '../../database/delete-in-steps.js'
import type {
  PasskeyTable,
  TotpFactorTable,
  TwoFactorDemandTable,
} from '../../database/tables/second-factors.js'

export type Passkey = Selectable<PasskeyTable>

/** Undefined if the user has not begun to set up an app. */
export function findTotpFactor(
  database: Database,
  userId: number,
): Promise<Selectable<TotpFactorTable> | undefined> {
  return database.selectFrom('totp_factor').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Replaces a secret that is not confirmed. False if the user has a confirmed one. */
export async function storeTotpSecret(
  database: Database,
  userId: number,
  secretEncrypted: string,
): Promise<boolean> {
  const values = { secret_encrypted: secretEncrypted, created_at: Date.now(), last_used_step: null }
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('totp_factor')
    .values({ user_id: userId, confirmed_at: null, ...values })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(values).where('totp_factor.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Makes the secret a factor. False if another request has done that, or has replaced the secret. */
export async function confirmTotpFactor(
  database: Database,
  { user_id, secret_encrypted }: Pick<TotpFactorTable, 'user_id' | 'secret_encrypted'>,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('totp_factor')
    .set({ confirmed_at: Date.now(), last_used_step: step })
    .where('user_id', '=', user_id)
    .where('secret_encrypted', '=', secret_encrypted)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses the code of a time step. False if this code or a later one has been used. */
export async function useTotpStep(database: Database, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('totp_factor')
    .set({ last_used_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .where(({ eb, or }) => or([eb('last_used_step', 'is', null), eb('last_used_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False if there was none, confirmed or not. */
export async function deleteTotpFactor(database: Database, userId: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('totp_factor')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** `digests` replace all codes of the user. */
export async function replaceRecoveryCodes(
  database: Database,
  userId: number,
  digests: readonly string[],
): Promise<void> {
  await database.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  if (digests.length === 0) return
  const rows = digests.map((digest) => ({ user_id: userId, digest }))
  await database.insertInto('recovery_code').values(rows).execute()
}

/** False for a code that is wrong or used. */
export async function useRecoveryCode(database: Database, userId: number, digest: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('recovery_code')
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countRecoveryCodes(database: Database, userId: number): Promise<number> {
  const { codes } = await database
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<number>().as('codes'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return codes
}

/** The oldest first. */
export function listPasskeys(database: Database, userId: number): Promise<Passkey[]> {
  return database.selectFrom('passkey').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

export function findPasskey(database: Database, credentialId: string): Promise<Passkey | undefined> {
  return database
    .selectFrom('passkey')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

/** Undefined if the passkey is registered already. */
export function insertPasskey(
  database: Database,
  values: Insertable<PasskeyTable>,
): Promise<Passkey | undefined> {
  return database
    .insertInto('passkey')
    .values(values)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if the user has no passkey with this ID. */
export function renamePasskey(
  database: Database,
  { id, userId, name }: { id: number; userId: number; name: string },
): Promise<Passkey | undefined> {
  return database
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

/** Records a signature. False if another one has been recorded since `passkey` was read. */
export async function usePasskey(
  database: Database,
  { id, counter }: Passkey,
  newCounter: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('passkey')
    .set({ counter: newCounter, last_used_at: Date.now() })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False if the user has no passkey with this ID. */
export async function deletePasskey(database: Database, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deletePasskeysOf(database: Database, userId: number): Promise<void> {
  await database.deleteFrom('passkey').where('user_id', '=', userId).execute()
}

/** `expiresAt` in milliseconds since 1970. */
export async function insertChallenge(
  database: Database,
  { challenge, purpose, expiresAt }: { challenge: string; purpose: string; expiresAt: number },
): Promise<void> {
  await database
    .insertInto('passkey_challenge')
    .values({ challenge, purpose, expires_at: expiresAt })
    .execute()
}

/** False for a challenge that has been used or has ended, and for one of another purpose. */
export async function useChallenge(database: Database, challenge: string, purpose: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Periodic task: deletes challenges that ended before `time`, in milliseconds since 1970. */
export async function deleteChallengesBefore(database: Database, time: number): Promise<void> {
  await deleteMatching(database, 'passkey_challenge', sql`expires_at < ${time}`)
}

/** Records that users need a second factor from now on; demands that exist keep their time. */
export async function insertDemands(database: Database, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const since = Date.now()
  await database
    .insertInto('two_factor_demand')
    .values(userIds.map((user_id) => ({ user_id, since })))
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}

/** `condition` is on the columns of the table. */
export function listDemands(
  database: Database,
  condition: RawBuilder<unknown>,
): Promise<Selectable<TwoFactorDemandTable>[]> {
  return database
    .selectFrom('two_factor_demand')
    .selectAll()
    .where(sql<SqlBool>`${condition}`)
    .execute()
}

export async function deleteDemand(database: Database, userId: number): Promise<void> {
  await database.deleteFrom('two_factor_demand').where('user_id', '=', userId).execute()
}
