import { Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { revokeToken } from '../../../database/stores/access-token-store.js'
import { notFound } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import { existingUser } from '../users.js'
import { presentToken } from './present.js'
import {
  CreateToken,
  ImpersonationTokenId,
  ListImpersonationTokens,
  NewTokenRecord,
  TokenRecord,
} from './schema.js'
import { findToken, listTokens, type TokenRow } from './store.js'
import { createdToken, revokedToken } from './token-audit.js'
import { issueToken } from './tokens.js'

/** Tokens with which administrators impersonate a user, for example to reproduce a problem (API, A13). */
export function impersonationTokenOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /users/:user_id/impersonation_tokens', {
      summary: 'List impersonation tokens of a user',
      access: 'administrator',
      params: ListImpersonationTokens,
      responses: { 200: Type.Array(TokenRecord) },
      paginated: true,
      run: async ({ params, paging }) => impersonationTokens(database, params, paging),
    }),
    operation('POST /users/:user_id/impersonation_tokens', {
      summary: 'Create an impersonation token for a user',
      access: 'administrator',
      params: CreateToken,
      audit: createdToken('impersonation token'),
      needsConfirmation: true,
      responses: { 201: NewTokenRecord },
      run: async ({ params }) => issueToken(database, params, { impersonation: true }),
    }),
    operation('GET /users/:user_id/impersonation_tokens/:impersonation_token_id', {
      summary: 'Get an impersonation token of a user',
      access: 'administrator',
      params: ImpersonationTokenId,
      responses: { 200: TokenRecord },
      run: async ({ params }) => presentToken(await impersonationToken(database, params)),
    }),
    operation('DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id', {
      summary: 'Revoke an impersonation token of a user',
      access: 'administrator',
      params: ImpersonationTokenId,
      audit: revokedToken('impersonation token', 'impersonation_token_id'),
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await revokeToken(database, (await impersonationToken(database, params)).id)
        return respond(204)
      },
    }),
  ]
}

async function impersonationTokens(
  database: Database,
  { user_id, state }: ListImpersonationTokens,
  paging: Paging,
): Promise<Page> {
  await existingUser(database, user_id)
  const filter = { user_id, impersonation: true, ...(state && state !== 'all' && { state }) }
  const { rows, total } = await listTokens(database, filter, paging)
  return page(
    rows.map((row) => presentToken(row)),
    total,
  )
}

async function impersonationToken(
  database: Database,
  { user_id, impersonation_token_id }: { user_id: number; impersonation_token_id: number },
): Promise<TokenRow> {
  await existingUser(database, user_id)
  const row = await findToken(database, impersonation_token_id)
  if (!row?.impersonation || row.user_id !== user_id) throw notFound('Impersonation Token')
  return row
}
