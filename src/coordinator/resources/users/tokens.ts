import { newToken } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { PERSONAL_TOKEN_PREFIX } from '../../http/authentication/credential.js'
import { badRequest, invalidRecord, notFound, unauthorized } from '../../http/errors.js'
import type { Caller, User } from '../../http/operation.js'
import { presentToken } from './present.js'
import type { NewTokenRecord } from './schema.js'
import { findToken, insertToken, type NewToken, revokeToken, type TokenRow } from './token-store.js'

const WEEK = 7 * 24 * 60 * 60 * 1000

/** The only moment at which the token itself is known. */
export async function createToken(database: Database, values: NewToken): Promise<NewTokenRecord> {
  if (values.scopes.length === 0) throw invalidRecord({ scopes: ["can't be blank"] })
  const token = newToken(PERSONAL_TOKEN_PREFIX)
  const row = await insertToken(database, token, values)
  return { ...presentToken(row), token }
}

/** The token of the call itself. */
export async function tokenOfCaller(database: Database, caller: Caller): Promise<TokenRow> {
  const row = caller.kind === 'user' ? await findToken(database, caller.tokenId) : undefined
  if (!row) throw unauthorized()
  return row
}

/** A token of one's own, or anyone's for administrators; 404 otherwise. */
export async function visibleToken(database: Database, user: User, id: number): Promise<TokenRow> {
  const row = await findToken(database, id)
  if (!row || (row.user_id !== user.id && !user.is_admin)) throw notFound()
  return row
}

/** Throws 400 when it was revoked already. */
export async function revoke(database: Database, row: TokenRow): Promise<void> {
  if (!(await revokeToken(database, row.id))) throw badRequest('The token was already revoked')
}

/** Replaces a token by a new one with the same scopes, which lives a week unless the caller says otherwise. */
export function rotate(database: Database, row: TokenRow, expiresAt?: number): Promise<NewTokenRecord> {
  return inTransaction(database, async (tx) => {
    await revoke(tx, row)
    const { user_id, name, scopes } = row
    return createToken(tx, { user_id, name, scopes, expires_at: expiresAt ?? Date.now() + WEEK })
  })
}
