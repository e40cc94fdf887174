import { type TSchema, Type } from 'typebox'

import type { Access } from '../../access/permissions.js'
import { answer, type Call, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { INSTANCE, type VariableOwner } from './owner.js'
import { presentInstanceVariable, presentVariable } from './present.js'
import { CreateVariable, EditVariable, InstanceVariable, OneVariable, Variable } from './schema.js'
import { listVariables, type VariableRow } from './store.js'
import { createVariable, editVariable, removeVariable, theVariable, type VariableDeps } from './variables.js'

/** Settings variables of projects, groups and the whole instance (API, I1). */
export function variableOperations(deps: VariableDeps): Operation[] {
  return [
    ...operationsOf(deps, {
      path: '/projects/:id/variables',
      of: 'a project',
      access: 'admin_variables',
      ownerOf: async ({ project }) => ({ kind: 'project', id: project.id }),
      record: Variable,
      present: presentVariable,
    }),
    ...operationsOf(deps, {
      path: '/groups/:id/variables',
      of: 'a group',
      access: 'admin_group_variables',
      ownerOf: async ({ group }) => ({ kind: 'group', id: group.id }),
      record: Variable,
      present: presentVariable,
    }),
    ...operationsOf(deps, {
      path: '/admin/ci/variables',
      of: 'the instance',
      access: 'administrator',
      ownerOf: async () => INSTANCE,
      record: InstanceVariable,
      present: presentInstanceVariable,
    }),
  ]
}

interface Level<A extends Access> {
  path: `/${string}`
  of: string
  access: A
  ownerOf: (call: Call<A, unknown>) => Promise<VariableOwner>
  record: TSchema
  present: (row: VariableRow, secrets: VariableDeps['secrets']) => unknown
}

function operationsOf<A extends Access>(deps: VariableDeps, level: Level<A>): Operation[] {
  const { path, of, access, ownerOf, record } = level
  const present = (row: VariableRow): unknown => level.present(row, deps.secrets)
  return [
    operation(`GET ${path}`, {
      summary: `List the CI variables of ${of}`,
      access,
      answers: { 200: Type.Array(record) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await listVariables(deps.database, await ownerOf(call), call.paging)
        return page(rows.map(present), total)
      },
    }),
    operation(`GET ${path}/:key`, {
      summary: `Get a CI variable of ${of}`,
      access,
      params: OneVariable,
      answers: { 200: record },
      run: async (call) => present(await theVariable(deps.database, await ownerOf(call), call.params)),
    }),
    operation(`POST ${path}`, {
      summary: `Create a CI variable of ${of}`,
      access,
      params: CreateVariable,
      answers: { 201: record },
      run: async (call) => present(await createVariable(deps, await ownerOf(call), call.params)),
    }),
    operation(`PUT ${path}/:key`, {
      summary: `Change a CI variable of ${of}`,
      access,
      params: EditVariable,
      answers: { 200: record },
      run: async (call) => present(await editVariable(deps, await ownerOf(call), call.params)),
    }),
    operation(`DELETE ${path}/:key`, {
      summary: `Delete a CI variable of ${of}`,
      access,
      params: OneVariable,
      answers: { 204: NoBody },
      modifiedAt: async (call) =>
        (await theVariable(deps.database, await ownerOf(call), call.params)).updated_at,
      run: async (call) => {
        await removeVariable(deps, await ownerOf(call), call.params)
        return answer(204)
      },
    }),
  ]
}
