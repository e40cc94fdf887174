import { Type } from 'typebox'

import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { CreateVariable, EditVariable, OneVariable, Variable } from './schema.js'
import { listVariables, type VariableRow } from './store.js'
import { createVariable, editVariable, removeVariable, theVariable, type VariableDeps } from './variables.js'

export function variableOperations(deps: VariableDeps): Operation[] {
  return [
    operation('GET /projects/:id/variables', {
      summary: 'List the CI variables of a project',
      access: 'maintainer',
      answers: { 200: Type.Array(Variable) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listVariables(deps.database, project.id, paging)
        return page(rows.map(present), total)
      },
    }),
    operation('GET /projects/:id/variables/:key', {
      summary: 'Get a CI variable',
      access: 'maintainer',
      params: OneVariable,
      answers: { 200: Variable },
      run: async ({ project, params }) => present(await theVariable(deps.database, project, params)),
    }),
    operation('POST /projects/:id/variables', {
      summary: 'Create a CI variable',
      access: 'maintainer',
      params: CreateVariable,
      answers: { 201: Variable },
      run: async ({ project, params }) => present(await createVariable(deps, project, params)),
    }),
    operation('PUT /projects/:id/variables/:key', {
      summary: 'Change a CI variable',
      access: 'maintainer',
      params: EditVariable,
      answers: { 200: Variable },
      run: async ({ project, params }) => present(await editVariable(deps, project, params)),
    }),
    operation('DELETE /projects/:id/variables/:key', {
      summary: 'Delete a CI variable',
      access: 'maintainer',
      params: OneVariable,
      answers: { 204: NoBody },
      run: async ({ project, params }) => {
        await removeVariable(deps, project, params)
        return answer(204)
      },
    }),
  ]

  function present(row: VariableRow): Variable {
    return {
      key: row.key,
      value: deps.secrets.decrypt(row.value_encrypted),
      variable_type: row.variable_type,
      protected: row.protected,
      masked: row.masked,
      hidden: false,
      raw: row.raw,
      environment_scope: row.environment_scope,
      description: row.description,
    }
  }
}
