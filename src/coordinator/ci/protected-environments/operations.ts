import { Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import { type Call, NoBody, type Operation, operation, respond, type Route } from '../../http/operation.js'
import { page } from '../../http/page.js'
import type { ProtectedEnvironmentRow } from '../engine/deployments/protection/find-protections.js'
import { describeProtectedEnvironments } from './present.js'
import {
  changeProtectedEnvironment,
  protectEnvironment,
  requireProtectedEnvironment,
  unprotectEnvironment,
} from './protected-environments.js'
import {
  GroupParameters,
  ListProtectedEnvironments,
  ProjectParameters,
  ProtectedEnvironment,
} from './schema.js'
import { listProtectedEnvironments, type ProtectionOwner } from './store.js'

/** Changes that the audit log records in detail. */
const NOTED = ['deploy_access_levels', 'approval_rules', 'required_approval_count']

/** Environments that only some users may deploy to, and the approvals that deployments to them need. */
export function protectedEnvironmentOperations({ database }: { database: Database }): Operation[] {
  return [
    ...operationsOf(database, {
      routes: {
        list: 'GET /projects/:id/protected_environments',
        get: 'GET /projects/:id/protected_environments/:name',
        create: 'POST /projects/:id/protected_environments',
        change: 'PUT /projects/:id/protected_environments/:name',
        delete: 'DELETE /projects/:id/protected_environments/:name',
      },
      of: 'project',
      access: 'admin_protected_environments',
      ownerOf: ({ project }) => ({ kind: 'project', id: project.id }),
      parameters: ProjectParameters,
    }),
    ...operationsOf(database, {
      routes: {
        list: 'GET /groups/:id/protected_environments',
        get: 'GET /groups/:id/protected_environments/:name',
        create: 'POST /groups/:id/protected_environments',
        change: 'PUT /groups/:id/protected_environments/:name',
        delete: 'DELETE /groups/:id/protected_environments/:name',
      },
      of: 'group',
      access: 'admin_group_protected_environments',
      ownerOf: ({ group }) => ({ kind: 'group', id: group.id }),
      parameters: GroupParameters,
    }),
  ]
}

interface Owned<A extends Access> {
  routes: Record<'list' | 'get' | 'create' | 'change' | 'delete', Route>
  of: string
  access: A
  ownerOf: (call: Call<A, unknown>) => ProtectionOwner
  parameters: typeof ProjectParameters | typeof GroupParameters
}

function operationsOf<A extends Access>(
  database: Database,
  { routes, of, access, ownerOf, parameters }: Owned<A>,
): Operation[] {
  const { One, Create, Change } = parameters as typeof ProjectParameters
  return [
    operation(routes.list, {
      summary: `List protected environments of a ${of}`,
      access,
      params: ListProtectedEnvironments,
      responses: { 200: Type.Array(ProtectedEnvironment) },
      paginated: true,
      run: async (call) => {
        const { params, paging } = call
        const { rows, total } = await listProtectedEnvironments(
          database,
          ownerOf(call),
          params.search,
          paging,
        )
        return page(await describeProtectedEnvironments(database, rows), total)
      },
    }),
    operation(routes.get, {
      summary: `Get a protected environment of a ${of}`,
      access,
      params: One,
      responses: { 200: ProtectedEnvironment },
      run: async (call) =>
        record(database, await requireProtectedEnvironment(database, ownerOf(call), call.params.name)),
    }),
    operation(routes.create, {
      summary: of === 'group' ? 'Protect the environments of a tier in a group' : 'Protect an environment',
      access,
      params: Create,
      responses: { 201: ProtectedEnvironment },
      run: async (call) => record(database, await protectEnvironment(database, ownerOf(call), call.params)),
    }),
    operation(routes.change, {
      summary: `Update a protected environment of a ${of}`,
      access,
      params: Change,
      responses: { 200: ProtectedEnvironment },
      changes: {
        attributes: NOTED,
        before: async (call) =>
          record(database, await requireProtectedEnvironment(database, ownerOf(call), call.params.name)),
      },
      run: async (call) => {
        const { name, ...changes } = call.params
        return record(database, await changeProtectedEnvironment(database, ownerOf(call), name, changes))
      },
    }),
    operation(routes.delete, {
      summary: `Unprotect an environment of a ${of}`,
      access,
      params: One,
      responses: { 204: NoBody },
      run: async (call) => {
        await unprotectEnvironment(database, ownerOf(call), call.params.name)
        return respond(204)
      },
    }),
  ]
}

async function record(
  database: Database,
  rule: ProtectedEnvironmentRow,
): Promise<ProtectedEnvironment | undefined> {
  return (await describeProtectedEnvironments(database, [rule]))[0]
}
