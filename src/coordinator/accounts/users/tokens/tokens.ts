import { DAY, WEEK } from '../../../../lib/time-units.js'
import { newToken } from '../../../../lib/tokens.js'
import type { Caller, User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { revokeToken } from '../../../database/stores/access-token-store.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import { inTransaction } from '../../../database/transaction.js'
import { PERSONAL_TOKEN_PREFIX } from '../../../http/authentication/credential.js'
import { apiError, invalidRecord, notFound, unauthorized } from '../../../http/errors.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import { existingUser } from '../users.js'
import { presentToken } from './present.js'
import type { CreateToken, ListTokens, NewTokenRecord } from './schema.js'
import { findToken, insertToken, listTokens, type NewToken, type TokenRow } from './store.js'

export type WantedToken = Omit<CreateToken, 'user_id'>

/** Creates a token for a user; throws 404 if the user does not exist. */
export async function issueToken(
  database: Database,
  { user_id, ...wanted }: CreateToken,
  { impersonation = false } = {},
): Promise<NewTokenRecord> {
  await existingUser(database, user_id)
  return createToken(database, { ...newTokenOf(wanted), user_id, impersonation })
}

/** Throws 400 for an expiry date on which the token would be invalid from the start. */
export function newTokenOf({
  name,
  description,
  scopes,
  expires_at,
}: WantedToken): Omit<NewToken, 'user_id'> {
  return { name, description: description || null, scopes, expires_at: expiryOf(expires_at) }
}

/** Creates a token and returns it in clear text, which is not stored. */
export async function createToken(database: Database, values: NewToken): Promise<NewTokenRecord> {
  if (values.scopes.length === 0) throw invalidRecord({ scopes: ["can't be blank"] })
  const { personal_access_token_prefix: prefix } = await effectiveSettings(
    database,
    'personal_access_token_prefix',
  )
  const token = newToken(prefix || PERSONAL_TOKEN_PREFIX)
  const row = await insertToken(database, token, { ...values, scopes: [...new Set(values.scopes)] })
  return { ...presentToken(row), token }
}

export async function tokensPage(
  database: Database,
  params: ListTokens,
  user: User,
  paging: Paging,
): Promise<Page> {
  const isForeign = params.user_id !== undefined && params.user_id !== user.id
  if (isForeign && !user.is_admin) throw unauthorized()
  const filter = { ...params, user_id: user.is_admin ? params.user_id : user.id, impersonation: false }
  const { rows, total } = await listTokens(database, filter, paging)
  return page(
    rows.map((row) => presentToken(row)),
    total,
  )
}

/** The token of the call itself. */
export async function tokenOfCaller(database: Database, caller: Caller): Promise<TokenRow> {
  const id = caller.kind === 'user' ? caller.tokenId : undefined
  const row = id === undefined ? undefined : await findToken(database, id)
  if (!row) throw unauthorized()
  return row
}

/** A token of the user, or any token for administrators; throws 404 otherwise. */
export async function visibleToken(database: Database, user: User, id: number): Promise<TokenRow> {
  const row = await findToken(database, id)
  if (!row || !mayManage(user, row)) throw notFound()
  return row
}

/** Throws 404 for an unknown token, and 400 for a token of another user. */
export async function revokeById(database: Database, user: User, id: number): Promise<void> {
  const row = await findToken(database, id)
  if (!row) throw notFound()
  if (!mayManage(user, row)) throw apiError('token_not_revocable')
  await revoke(database, row)
}

/** Users cannot manage impersonation tokens that administrators created for them. */
function mayManage(user: User, row: TokenRow): boolean {
  return user.is_admin || (row.user_id === user.id && !row.impersonation)
}

/** Throws 400 if it was already revoked. */
export async function revoke(database: Database, row: TokenRow): Promise<void> {
  if (!(await revokeToken(database, row.id))) throw apiError('token_already_revoked')
}

/**
 * Replaces a token by a new one with the same scopes; it expires in one week unless the caller sets another
 * date.
 */
export async function rotate(database: Database, row: TokenRow, expiresAt?: string): Promise<NewTokenRecord> {
  const expires_at = expiryOf(expiresAt) ?? startOfDay(Date.now() + WEEK)
  return inTransaction(database, async (tx) => {
    await revoke(tx, row)
    const { user_id, name, description, scopes, impersonation } = row
    return createToken(tx, { user_id, name, description, scopes, impersonation, expires_at })
  })
}

/** Tokens expire at the start of a day. */
function startOfDay(time: number): number {
  return time - (time % DAY)
}

function expiryOf(day: string | null | undefined): number | null {
  if (!day) return null
  const time = Date.parse(day)
  if (time <= Date.now()) throw invalidRecord({ expires_at: ["can't be in the past"] })
  return time
}
