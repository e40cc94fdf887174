import { type TSchema, Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { type Call, NoBody, type Operation, operation, respond, type Route } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { type Heir, listInherited } from './inherited.js'
import { INSTANCE, type VariableOwner } from './owner.js'
import { presentInstanceVariable, presentVariable } from './present.js'
import {
  CreateVariable,
  EditVariable,
  InheritedVariable,
  InstanceVariable,
  OneVariable,
  Variable,
} from './schema.js'
import { listVariables, type VariableRow } from './store.js'
import {
  createVariable,
  deleteVariable,
  editVariable,
  requireVariable,
  type VariableDeps,
} from './variables.js'

/** Settings variables of projects, groups and the whole instance (API, I1). */
export function variableOperations(deps: VariableDeps): Operation[] {
  return [
    ...operationsOf(deps, {
      routes: {
        list: 'GET /projects/:id/variables',
        get: 'GET /projects/:id/variables/:key',
        create: 'POST /projects/:id/variables',
        change: 'PUT /projects/:id/variables/:key',
        delete: 'DELETE /projects/:id/variables/:key',
      },
      of: 'a project',
      access: 'admin_variables',
      ownerOf: async ({ project }) => ({ kind: 'project', id: project.id }),
      record: Variable,
      present: presentVariable,
    }),
    ...operationsOf(deps, {
      routes: {
        list: 'GET /groups/:id/variables',
        get: 'GET /groups/:id/variables/:key',
        create: 'POST /groups/:id/variables',
        change: 'PUT /groups/:id/variables/:key',
        delete: 'DELETE /groups/:id/variables/:key',
      },
      of: 'a group',
      access: 'admin_group_variables',
      ownerOf: async ({ group }) => ({ kind: 'group', id: group.id }),
      record: Variable,
      present: presentVariable,
    }),
    inheritedOperation(deps, {
      route: 'GET /projects/:id/inherited_variables',
      of: 'a project',
      access: 'admin_variables',
      heirOf: ({ project }) => ({ owner: { kind: 'project', id: project.id }, fullPath: project.full_path }),
    }),
    inheritedOperation(deps, {
      route: 'GET /groups/:id/inherited_variables',
      of: 'a group',
      access: 'admin_group_variables',
      heirOf: ({ group }) => ({ owner: { kind: 'group', id: group.id }, fullPath: group.full_path }),
    }),
    ...operationsOf(deps, {
      routes: {
        list: 'GET /admin/ci/variables',
        get: 'GET /admin/ci/variables/:key',
        create: 'POST /admin/ci/variables',
        change: 'PUT /admin/ci/variables/:key',
        delete: 'DELETE /admin/ci/variables/:key',
      },
      of: 'the instance',
      access: 'administrator',
      ownerOf: async () => INSTANCE,
      record: InstanceVariable,
      present: presentInstanceVariable,
    }),
  ]
}

interface Inheritance<A extends Access> {
  route: Route
  of: string
  access: A
  heirOf: (call: Call<A, unknown>) => Heir
}

function inheritedOperation<A extends Access>(
  { database }: VariableDeps,
  { route, of, access, heirOf }: Inheritance<A>,
): Operation {
  return operation(route, {
    summary: `List the CI variables that ${of} inherits`,
    access,
    responses: { 200: Type.Array(InheritedVariable) },
    paginated: true,
    run: async (call) => {
      const { rows, total } = await listInherited(database, heirOf(call), call.paging)
      return page(rows, total)
    },
  })
}

interface Level<A extends Access> {
  routes: Record<'list' | 'get' | 'create' | 'change' | 'delete', Route>
  of: string
  access: A
  ownerOf: (call: Call<A, unknown>) => Promise<VariableOwner>
  record: TSchema
  present: (row: VariableRow, secrets: VariableDeps['secrets']) => unknown
}

function operationsOf<A extends Access>(deps: VariableDeps, level: Level<A>): Operation[] {
  const { routes, of, access, ownerOf, record } = level
  const present = (row: VariableRow): unknown => level.present(row, deps.secrets)
  return [
    operation(routes.list, {
      summary: `List the CI variables of ${of}`,
      access,
      responses: { 200: Type.Array(record) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listVariables(deps.database, await ownerOf(call), call.paging)
        return page(rows.map(present), total)
      },
    }),
    operation(routes.get, {
      summary: `Get a CI variable of ${of}`,
      access,
      params: OneVariable,
      responses: { 200: record },
      run: async (call) => present(await requireVariable(deps.database, await ownerOf(call), call.params)),
    }),
    operation(routes.create, {
      summary: `Create a CI variable of ${of}`,
      access,
      params: CreateVariable,
      responses: { 201: record },
      run: async (call) => present(await createVariable(deps, await ownerOf(call), call.params)),
    }),
    operation(routes.change, {
      summary: `Update a CI variable of ${of}`,
      access,
      params: EditVariable,
      changes: {
        // Never the value.
        attributes: ['variable_type', 'protected', 'masked', 'raw', 'environment_scope', 'description'],
        before: async (call) =>
          present(await requireVariable(deps.database, await ownerOf(call), call.params)),
      },
      responses: { 200: record },
      run: async (call) => present(await editVariable(deps, await ownerOf(call), call.params)),
    }),
    operation(routes.delete, {
      summary: `Delete a CI variable of ${of}`,
      access,
      params: OneVariable,
      responses: { 204: NoBody },
      modifiedAt: async (call) =>
        (await requireVariable(deps.database, await ownerOf(call), call.params)).updated_at,
      run: async (call) => {
        await deleteVariable(deps, await ownerOf(call), call.params)
        return respond(204)
      },
    }),
  ]
}
