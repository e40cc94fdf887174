import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import type { Access } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import {
  type BaseCall,
  type Call,
  NoBody,
  type Operation,
  operation,
  respond,
  type Route,
} from '../../http/operation.js'
import { page } from '../../http/page.js'
import { createDeployToken, endDeployToken, presentDeployToken, requireDeployToken } from './deploy-tokens.js'
import { CreateDeployToken, DeployToken, DeployTokenId, ListDeployTokens, NewDeployToken } from './schema.js'
import { type DeployTokenOwner, listDeployTokens } from './store.js'

/** Names and tokens that read repositories without a user account (API, A13). */
export function deployTokenOperations({ database }: { database: Database }): Operation[] {
  return [
    ...operationsOf(database, {
      routes: {
        list: 'GET /projects/:id/deploy_tokens',
        create: 'POST /projects/:id/deploy_tokens',
        get: 'GET /projects/:id/deploy_tokens/:token_id',
        delete: 'DELETE /projects/:id/deploy_tokens/:token_id',
      },
      of: 'project',
      access: 'admin_deploy_tokens',
      ownerOf: ({ project }) => ({ project_id: project.id }),
      userOf: ({ user }) => user,
    }),
    ...operationsOf(database, {
      routes: {
        list: 'GET /groups/:id/deploy_tokens',
        create: 'POST /groups/:id/deploy_tokens',
        get: 'GET /groups/:id/deploy_tokens/:token_id',
        delete: 'DELETE /groups/:id/deploy_tokens/:token_id',
      },
      of: 'group',
      access: 'admin_group_deploy_tokens',
      ownerOf: ({ group }) => ({ namespace_id: group.id }),
      userOf: ({ user }) => user,
    }),
    everywhere(database),
  ]
}

function everywhere(database: Database): Operation {
  return operation('GET /deploy_tokens', {
    summary: 'List all deploy tokens',
    access: 'administrator',
    params: ListDeployTokens,
    responses: { 200: Type.Array(DeployToken) },
    paginated: true,
    run: (call) => list(database, 'everybody', call.params.active, call),
  })
}

interface Owned<A extends Access> {
  routes: Record<'list' | 'create' | 'get' | 'delete', Route>
  of: 'project' | 'group'
  access: A
  ownerOf: (call: Call<A, unknown>) => Exclude<DeployTokenOwner, 'everybody'>
  userOf: (call: Call<A, unknown>) => User | undefined
}

function operationsOf<A extends Access>(
  database: Database,
  { routes, of, access, ownerOf, userOf }: Owned<A>,
): Operation[] {
  return [
    operation(routes.list, {
      summary: `List ${of} deploy tokens`,
      access,
      params: ListDeployTokens,
      paginated: true,
      responses: { 200: Type.Array(DeployToken) },
      run: (call) => list(database, ownerOf(call), call.params.active, call),
    }),
    operation(routes.create, {
      summary: `Create a ${of} deploy token`,
      access,
      params: CreateDeployToken,
      responses: { 201: NewDeployToken },
      run: (call) => createDeployToken(database, ownerOf(call), userOf(call), call.params),
    }),
    operation(routes.get, {
      summary: `Get a ${of} deploy token`,
      access,
      params: DeployTokenId,
      responses: { 200: DeployToken },
      run: async (call) =>
        presentDeployToken(await requireDeployToken(database, ownerOf(call), call.params.token_id)),
    }),
    operation(routes.delete, {
      summary: `Revoke a ${of} deploy token`,
      access,
      params: DeployTokenId,
      responses: { 204: NoBody },
      run: async (call) => {
        await endDeployToken(database, ownerOf(call), call.params.token_id)
        return respond(204)
      },
    }),
  ]
}

async function list(
  database: Database,
  owner: DeployTokenOwner,
  active: boolean | undefined,
  { paging }: Pick<BaseCall<unknown>, 'paging'>,
) {
  const { rows, total } = await listDeployTokens(database, owner, active, paging)
  return page(rows.map(presentDeployToken), total)
}
