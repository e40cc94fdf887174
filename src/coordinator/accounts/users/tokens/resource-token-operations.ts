import { Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { signedIn } from '../../../http/viewer.js'
import {
  createResourceToken,
  resourceToken,
  resourceTokensPage,
  revokeResourceToken,
  rotateResourceToken,
} from './resource-tokens.js'
import {
  CreateResourceToken,
  FilterTokens,
  NewTokenRecord,
  ResourceTokenId,
  RotateResourceToken,
  TokenRecord,
} from './schema.js'
import { createdToken, revokedToken, rotatedToken } from './token-audit.js'

/** Tokens of projects and groups, which belong to a bot (API, A13). */
export function resourceTokenOperations({ database }: { database: Database }): Operation[] {
  return [...projectTokens(database), ...groupTokens(database)]
}

function projectTokens(database: Database): Operation[] {
  return [
    operation('GET /projects/:id/access_tokens', {
      summary: 'List project access tokens',
      access: 'admin_access_tokens',
      params: FilterTokens,
      responses: { 200: Type.Array(TokenRecord) },
      paginated: true,
      run: async ({ project, params, paging }) =>
        resourceTokensPage(database, { project_id: project.id }, params, paging),
    }),
    operation('POST /projects/:id/access_tokens', {
      summary: 'Create a project access token with a bot user',
      access: 'admin_access_tokens',
      params: CreateResourceToken,
      audit: createdToken('project access token'),
      needsConfirmation: true,
      responses: { 201: NewTokenRecord },
      run: async ({ project, params, user, accessLevel }) => {
        const by = { user: signedIn(user), accessLevel }
        return createResourceToken(database, { project_id: project.id }, params, by)
      },
    }),
    operation('GET /projects/:id/access_tokens/:token_id', {
      summary: 'Get a project access token',
      access: 'admin_access_tokens',
      params: ResourceTokenId,
      responses: { 200: TokenRecord },
      run: async ({ project, params }) =>
        resourceToken(database, { project_id: project.id }, params.token_id),
    }),
    operation('DELETE /projects/:id/access_tokens/:token_id', {
      summary: 'Revoke a project access token',
      access: 'admin_access_tokens',
      params: ResourceTokenId,
      audit: revokedToken('project access token', 'token_id'),
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await revokeResourceToken(database, { project_id: project.id }, params.token_id)
        return respond(204)
      },
    }),
    operation('POST /projects/:id/access_tokens/:token_id/rotate', {
      summary: 'Rotate a project access token',
      access: 'admin_access_tokens',
      params: RotateResourceToken,
      audit: rotatedToken('project access token', 'token_id'),
      needsConfirmation: true,
      responses: { 200: NewTokenRecord },
      run: async ({ project, params, user, accessLevel }) => {
        const by = { user: signedIn(user), accessLevel }
        return rotateResourceToken(database, { project_id: project.id }, params, by)
      },
    }),
  ]
}

function groupTokens(database: Database): Operation[] {
  return [
    operation('GET /groups/:id/access_tokens', {
      summary: 'List group access tokens',
      access: 'admin_group',
      params: FilterTokens,
      responses: { 200: Type.Array(TokenRecord) },
      paginated: true,
      run: async ({ group, params, paging }) =>
        resourceTokensPage(database, { namespace_id: group.id }, params, paging),
    }),
    operation('POST /groups/:id/access_tokens', {
      summary: 'Create a group access token with a bot user',
      access: 'admin_group',
      params: CreateResourceToken,
      audit: createdToken('group access token'),
      needsConfirmation: true,
      responses: { 201: NewTokenRecord },
      run: async ({ group, params, user, accessLevel }) => {
        const by = { user: signedIn(user), accessLevel }
        return createResourceToken(database, { namespace_id: group.id }, params, by)
      },
    }),
    operation('GET /groups/:id/access_tokens/:token_id', {
      summary: 'Get a group access token',
      access: 'admin_group',
      params: ResourceTokenId,
      responses: { 200: TokenRecord },
      run: async ({ group, params }) => resourceToken(database, { namespace_id: group.id }, params.token_id),
    }),
    operation('DELETE /groups/:id/access_tokens/:token_id', {
      summary: 'Revoke a group access token',
      access: 'admin_group',
      params: ResourceTokenId,
      audit: revokedToken('group access token', 'token_id'),
      responses: { 204: NoBody },
      run: async ({ group, params }) => {
        await revokeResourceToken(database, { namespace_id: group.id }, params.token_id)
        return respond(204)
      },
    }),
    operation('POST /groups/:id/access_tokens/:token_id/rotate', {
      summary: 'Rotate a group access token',
      access: 'admin_group',
      params: RotateResourceToken,
      audit: rotatedToken('group access token', 'token_id'),
      needsConfirmation: true,
      responses: { 200: NewTokenRecord },
      run: async ({ group, params, user, accessLevel }) => {
        const by = { user: signedIn(user), accessLevel }
        return rotateResourceToken(database, { namespace_id: group.id }, params, by)
      },
    }),
  ]
}
