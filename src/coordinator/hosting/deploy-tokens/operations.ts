import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import {
  type BaseCall,
  type Call,
  NoBody,
  type Operation,
  operation,
  page,
  respond,
} from '../../http/operation.js'
import { createDeployToken, endDeployToken, presentDeployToken, requireDeployToken } from './deploy-tokens.js'
import { CreateDeployToken, DeployToken, DeployTokenId, ListDeployTokens, NewDeployToken } from './schema.js'
import { listDeployTokens, type TokenOwner } from './store.js'

type ProjectCall = Call<'admin_deploy_tokens', unknown>
type GroupCall = Call<'admin_group_deploy_tokens', unknown>

/** Names and tokens that read repositories without a user account (API, A13). */
export function deployTokenOperations({ database }: { database: Database }): Operation[] {
  return [...inProjects(database), ...inGroups(database), everywhere(database)]
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

function inProjects(database: Database): Operation[] {
  const access = 'admin_deploy_tokens'
  const owner = ({ project }: Pick<ProjectCall, 'project'>) => ({ project_id: project.id })
  return [
    operation('GET /projects/:id/deploy_tokens', {
      summary: 'List project deploy tokens',
      access,
      params: ListDeployTokens,
      paginated: true,
      responses: { 200: Type.Array(DeployToken) },
      run: (call) => list(database, owner(call), call.params.active, call),
    }),
    operation('POST /projects/:id/deploy_tokens', {
      summary: 'Create a project deploy token',
      access,
      params: CreateDeployToken,
      responses: { 201: NewDeployToken },
      run: (call) => createDeployToken(database, owner(call), call.user, call.params),
    }),
    operation('GET /projects/:id/deploy_tokens/:token_id', {
      summary: 'Get a project deploy token',
      access,
      params: DeployTokenId,
      responses: { 200: DeployToken },
      run: async (call) =>
        presentDeployToken(await requireDeployToken(database, owner(call), call.params.token_id)),
    }),
    operation('DELETE /projects/:id/deploy_tokens/:token_id', {
      summary: 'Revoke a project deploy token',
      access,
      params: DeployTokenId,
      responses: { 204: NoBody },
      run: async (call) => {
        await endDeployToken(database, owner(call), call.params.token_id)
        return respond(204)
      },
    }),
  ]
}

function inGroups(database: Database): Operation[] {
  const access = 'admin_group_deploy_tokens'
  const owner = ({ group }: Pick<GroupCall, 'group'>) => ({ namespace_id: group.id })
  return [
    operation('GET /groups/:id/deploy_tokens', {
      summary: 'List group deploy tokens',
      access,
      params: ListDeployTokens,
      paginated: true,
      responses: { 200: Type.Array(DeployToken) },
      run: (call) => list(database, owner(call), call.params.active, call),
    }),
    operation('POST /groups/:id/deploy_tokens', {
      summary: 'Create a group deploy token',
      access,
      params: CreateDeployToken,
      responses: { 201: NewDeployToken },
      run: (call) => createDeployToken(database, owner(call), call.user, call.params),
    }),
    operation('GET /groups/:id/deploy_tokens/:token_id', {
      summary: 'Get a group deploy token',
      access,
      params: DeployTokenId,
      responses: { 200: DeployToken },
      run: async (call) =>
        presentDeployToken(await requireDeployToken(database, owner(call), call.params.token_id)),
    }),
    operation('DELETE /groups/:id/deploy_tokens/:token_id', {
      summary: 'Revoke a group deploy token',
      access,
      params: DeployTokenId,
      responses: { 204: NoBody },
      run: async (call) => {
        await endDeployToken(database, owner(call), call.params.token_id)
        return respond(204)
      },
    }),
  ]
}

async function list(
  database: Database,
  owner: TokenOwner,
  active: boolean | undefined,
  { paging }: Pick<BaseCall<unknown>, 'paging'>,
) {
  const { rows, total } = await listDeployTokens(database, owner, active, paging)
  return page(rows.map(presentDeployToken), total)
}
