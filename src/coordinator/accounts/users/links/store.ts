import type { Selectable } from 'kysely'

import { newToken, tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import type { AccountLinkKind, AccountLinkTable } from '../../../database/tables/account-links.js'
import type { Transaction } from '../../../database/transaction.js'

export type AccountLink = Selectable<AccountLinkTable>

/** Creates a link and returns its token, which is not stored. Older links of the kind for the address end. */
export async function createAccountLink(
  tx: Transaction,
  { userId, kind, email, life }: { userId: number; kind: AccountLinkKind; email: string; life: number },
): Promise<string> {
  const token = newToken()
  const now = Date.now()
  await tx
    .deleteFrom('account_link')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('email', '=', email)
    .execute()
  await tx
    .insertInto('account_link')
    .values({
      user_id: userId,
      kind,
      email,
      digest: tokenDigest(token),
      expires_at: now + life,
      created_at: now,
    })
    .execute()
  return token
}

/** Undefined for an unknown, used or expired token, and for one of another kind. */
export function findAccountLink(
  database: Database,
  kinds: readonly AccountLinkKind[],
  token: string,
): Promise<AccountLink | undefined> {
  return database
    .selectFrom('account_link')
    .selectAll()
    .where('digest', '=', tokenDigest(token))
    .where('kind', 'in', kinds)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
}

/** Deletes a link. Returns false if a concurrent request has deleted it. */
export async function useLink(tx: Transaction, { id }: Pick<AccountLink, 'id'>): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('account_link').where('id', '=', id).executeTakeFirst()
  return numDeletedRows === 1n
}

export async function deleteLinks(tx: Transaction, userId: number, kind: AccountLinkKind): Promise<void> {
  await tx.deleteFrom('account_link').where('user_id', '=', userId).where('kind', '=', kind).execute()
}

/** Time at which the newest link of the kind was created; undefined without one. */
export async function newestLinkAt(
  database: Database,
  userId: number,
  kind: AccountLinkKind,
): Promise<number | undefined> {
  const row = await database
    .selectFrom('account_link')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** Periodic task. */
export async function deleteExpiredLinks(database: Database): Promise<void> {
  await database.deleteFrom('account_link').where('expires_at', '<=', Date.now()).execute()
}
