import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import type { SshKeyTable } from '../../database/tables/users.js'

export type SigningKeyRow = Selectable<SshKeyTable>

/** The key of a user that may sign, by its SHA-256 fingerprint in base64 without padding. */
export function findSigningKey(database: Database, fingerprint: string): Promise<SigningKeyRow | undefined> {
  return database
    .selectFrom('ssh_key')
    .selectAll()
    .where('fingerprint_sha256', '=', fingerprint)
    .where('usage_type', '<>', 'auth')
    .executeTakeFirst()
}

/** Whether an e-mail address is a confirmed one of a user. Case does not count. */
export async function hasConfirmedEmail(database: Database, userId: number, email: string): Promise<boolean> {
  const wanted = email.toLowerCase()
  const primary = await database
    .selectFrom('user')
    .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
    .select('user.email')
    .where('user.id', '=', userId)
    .where('user_profile.confirmed_at', 'is not', null)
    .executeTakeFirst()
  if (primary?.email.toLowerCase() === wanted) return true
  const further = await database
    .selectFrom('user_email')
    .select('email')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .execute()
  return further.some((one) => one.email.toLowerCase() === wanted)
}

/** ID of the OpenPGP key of a user with a key ID, which is the end of its fingerprint. */
export async function findPgpKeyId(database: Database, keyId: string): Promise<number | undefined> {
  const row = await database
    .selectFrom('gpg_key')
    .select('id')
    .where('fingerprint', 'like', `%${keyId}`)
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}
