import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { SCOPES } from '../../http/authentication/scopes.js'
import { unauthorized } from '../../http/errors.js'
import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { presentToken } from './present.js'
import { CreateToken, ListTokens, NewTokenRecord, RotateToken, TokenId, TokenRecord } from './schema.js'
import { listTokens } from './token-store.js'
import { createToken, revoke, rotate, tokenOfCaller, visibleToken } from './tokens.js'
import { existingUser } from './users.js'

export function tokenOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('POST /users/:user_id/personal_access_tokens', {
      summary: 'Create a personal access token for a user',
      access: 'administrator',
      params: CreateToken,
      answers: { 201: NewTokenRecord },
      run: async ({ params: { user_id, name, scopes, expires_at } }) => {
        await existingUser(database, user_id)
        const expiry = expires_at ? Date.parse(expires_at) : null
        return createToken(database, { user_id, name, scopes, expires_at: expiry })
      },
    }),
    operation('GET /personal_access_tokens', {
      summary: "List one's personal access tokens; administrators see those of everyone",
      access: 'user',
      params: ListTokens,
      answers: { 200: Type.Array(TokenRecord) },
      paginated: true,
      run: async ({ params, user, paging }) => {
        const isForeign = params.user_id !== undefined && params.user_id !== user.id
        if (isForeign && !user.is_admin) throw unauthorized()
        const owner = user.is_admin ? params.user_id : user.id
        const { rows, total } = await listTokens(database, { ...params, user_id: owner }, paging)
        return page(rows.map(presentToken), total)
      },
    }),
    operation('GET /personal_access_tokens/self', {
      summary: 'The token of this very call',
      access: 'user',
      scopes: SCOPES,
      answers: { 200: TokenRecord },
      run: async ({ caller }) => presentToken(await tokenOfCaller(database, caller)),
    }),
    operation('DELETE /personal_access_tokens/self', {
      summary: 'Revoke the token of this very call',
      access: 'user',
      scopes: SCOPES,
      answers: { 204: NoBody },
      run: async ({ caller }) => {
        await revoke(database, await tokenOfCaller(database, caller))
        return answer(204)
      },
    }),
    operation('GET /personal_access_tokens/:id', {
      summary: 'Get a personal access token',
      access: 'user',
      params: TokenId,
      answers: { 200: TokenRecord },
      run: async ({ params, user }) => presentToken(await visibleToken(database, user, params.id)),
    }),
    operation('DELETE /personal_access_tokens/:id', {
      summary: 'Revoke a personal access token',
      access: 'user',
      params: TokenId,
      answers: { 204: NoBody },
      run: async ({ params, user }) => {
        await revoke(database, await visibleToken(database, user, params.id))
        return answer(204)
      },
    }),
    operation('POST /personal_access_tokens/:id/rotate', {
      summary: 'Replace a personal access token by a new one',
      access: 'user',
      params: RotateToken,
      answers: { 200: NewTokenRecord },
      run: async ({ params, user }) => {
        const row = await visibleToken(database, user, params.id)
        return rotate(database, row, params.expires_at ? Date.parse(params.expires_at) : undefined)
      },
    }),
  ]
}
