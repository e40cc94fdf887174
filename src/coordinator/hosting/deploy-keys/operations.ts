import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import {
  addKey,
  type DeployKeyDeps,
  disableProjectKey,
  editKey,
  enableKeyHere,
  presentAllKeys,
  presentKey,
  requireDeployKey,
} from './deploy-keys.js'
import {
  DeployKey,
  DeployKeyId,
  EditDeployKey,
  InstanceDeployKey,
  ListAllKeys,
  NewDeployKey,
} from './schema.js'
import { listAllKeys, listProjectKeys } from './store.js'

/**
 * Public SSH keys of machines, with which they read and push over SSH (API, C5).
 */
export function deployKeyOperations(deps: DeployKeyDeps): Operation[] {
  return [...reading(deps), ...changing(deps)]
}

function reading({ database }: DeployKeyDeps): Operation[] {
  return [
    operation('GET /deploy_keys', {
      summary: 'List all deploy keys',
      access: 'administrator',
      params: ListAllKeys,
      responses: { 200: Type.Array(InstanceDeployKey) },
      paginated: true,
      run: async ({ params, paging }) => {
        if (params.public === true) return page([], 0)
        const { rows, total } = await listAllKeys(database, paging)
        return page(await presentAllKeys(database, rows), total)
      },
    }),
    operation('GET /projects/:id/deploy_keys', {
      summary: 'List project deploy keys',
      access: 'admin_deploy_keys',
      responses: { 200: Type.Array(DeployKey) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listProjectKeys(database, project.id, paging)
        return page(rows.map(presentKey), total)
      },
    }),
    operation('GET /projects/:id/deploy_keys/:key_id', {
      summary: 'Get a deploy key of a project',
      access: 'admin_deploy_keys',
      params: DeployKeyId,
      responses: { 200: DeployKey },
      run: async ({ project, params }) =>
        presentKey(await requireDeployKey(database, project, params.key_id)),
    }),
  ]
}

function changing(deps: DeployKeyDeps): Operation[] {
  const { database } = deps
  return [
    operation('POST /projects/:id/deploy_keys', {
      summary: 'Add a deploy key to a project',
      access: 'admin_deploy_keys',
      params: NewDeployKey,
      responses: { 201: DeployKey },
      run: async ({ project, user, params }) =>
        presentKey(await addKey(deps, project, signedIn(user), params)),
    }),
    operation('PUT /projects/:id/deploy_keys/:key_id', {
      summary: 'Update a deploy key of a project',
      access: 'admin_deploy_keys',
      params: EditDeployKey,
      atLeastOne: [['title', 'can_push']],
      changes: {
        attributes: ['title', 'can_push'],
        before: async ({ project, params }) =>
          presentKey(await requireDeployKey(database, project, params.key_id)),
      },
      responses: { 200: DeployKey },
      run: async ({ project, params }) => presentKey(await editKey(database, project, params)),
    }),
    operation('DELETE /projects/:id/deploy_keys/:key_id', {
      summary: 'Delete a deploy key of a project; without projects left, the key itself is deleted',
      access: 'admin_deploy_keys',
      params: DeployKeyId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await disableProjectKey(database, project, params.key_id)
        return respond(204)
      },
    }),
    operation('POST /projects/:id/deploy_keys/:key_id/enable', {
      summary: 'Enable a deploy key of another project',
      access: 'admin_deploy_keys',
      params: DeployKeyId,
      responses: { 201: DeployKey },
      run: async ({ project, user, params }) =>
        presentKey(await enableKeyHere(deps, project, signedIn(user), params.key_id)),
    }),
  ]
}
