import { Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { SCOPES } from '../../../http/authentication/scopes.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { createOwnToken } from './own-tokens.js'
import { presentToken } from './present.js'
import {
  CreateOwnToken,
  CreateToken,
  ListTokens,
  NewTokenRecord,
  RotateSelf,
  RotateToken,
  TokenId,
  TokenRecord,
} from './schema.js'
import { createdToken, revokedToken, rotatedToken } from './token-audit.js'
import { issueToken, revoke, revokeById, rotate, tokenOfCaller, tokensPage, visibleToken } from './tokens.js'

export function tokenOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('POST /users/:user_id/personal_access_tokens', {
      summary: 'Create a personal access token for a user',
      access: 'administrator',
      params: CreateToken,
      audit: createdToken('personal access token'),
      needsConfirmation: true,
      responses: { 201: NewTokenRecord },
      run: async ({ params }) => issueToken(database, params),
    }),
    operation('POST /user/personal_access_tokens', {
      summary: 'Create a personal access token for the current user',
      access: 'user',
      params: CreateOwnToken,
      audit: createdToken('personal access token'),
      needsConfirmation: true,
      responses: { 201: NewTokenRecord },
      run: async ({ params, user, caller }) => createOwnToken(database, { caller, user }, params),
    }),
    operation('GET /personal_access_tokens', {
      summary: 'List personal access tokens',
      access: 'user',
      params: ListTokens,
      responses: { 200: Type.Array(TokenRecord) },
      paginated: true,
      run: async ({ params, user, paging }) => tokensPage(database, params, user, paging),
    }),
    operation('GET /personal_access_tokens/self', {
      summary: 'Get the token of this request',
      access: 'user',
      scopes: SCOPES,
      responses: { 200: TokenRecord },
      run: async ({ caller }) => presentToken(await tokenOfCaller(database, caller)),
    }),
    operation('DELETE /personal_access_tokens/self', {
      summary: 'Revoke the token of this request',
      access: 'user',
      scopes: SCOPES,
      audit: revokedToken('personal access token'),
      responses: { 204: NoBody },
      run: async ({ caller }) => {
        await revoke(database, await tokenOfCaller(database, caller))
        return respond(204)
      },
    }),
    operation('POST /personal_access_tokens/self/rotate', {
      summary: 'Rotate the token of this request',
      access: 'user',
      scopes: ['self_rotate'],
      params: RotateSelf,
      audit: rotatedToken('personal access token'),
      responses: { 200: NewTokenRecord },
      run: async ({ params, caller }) =>
        rotate(database, await tokenOfCaller(database, caller), params.expires_at),
    }),
    operation('GET /personal_access_tokens/:id', {
      summary: 'Get a personal access token',
      access: 'user',
      params: TokenId,
      responses: { 200: TokenRecord },
      run: async ({ params, user }) => presentToken(await visibleToken(database, user, params.id)),
    }),
    operation('DELETE /personal_access_tokens/:id', {
      summary: 'Revoke a personal access token',
      access: 'user',
      params: TokenId,
      audit: revokedToken('personal access token', 'id'),
      responses: { 204: NoBody },
      run: async ({ params, user }) => {
        await revokeById(database, user, params.id)
        return respond(204)
      },
    }),
    operation('POST /personal_access_tokens/:id/rotate', {
      summary: 'Rotate a personal access token',
      access: 'user',
      params: RotateToken,
      audit: rotatedToken('personal access token', 'id'),
      needsConfirmation: true,
      responses: { 200: NewTokenRecord },
      run: async ({ params, user }) =>
        rotate(database, await visibleToken(database, user, params.id), params.expires_at),
    }),
  ]
}
