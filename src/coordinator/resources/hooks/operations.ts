import { Type } from 'typebox'

import { NoBody, type Operation, operation, page } from '../../http/operation.js'
import { createHook, editHook, type HookDeps, removeHook, theHook } from './hooks.js'
import { presentHook } from './present.js'
import { EditHook, Hook, HookId, NewHook } from './schema.js'
import { listHooks } from './store.js'

const ALL = '/projects/:id/hooks'
const ONE = `${ALL}/:hook_id` as const

/** Addresses that are told of what happens in a project (API gaps, K1). */
export function hookOperations(deps: HookDeps): Operation[] {
  return [...reading(deps), ...changing(deps)]
}

function reading({ database, secrets }: HookDeps): Operation[] {
  return [
    operation(`GET ${ALL}`, {
      summary: 'List the hooks of a project',
      access: 'admin_hooks',
      answers: { 200: Type.Array(Hook) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listHooks(database, project.id, paging)
        return page(
          rows.map((row) => presentHook(secrets, row)),
          total,
        )
      },
    }),
    operation(`GET ${ONE}`, {
      summary: 'Show a hook',
      access: 'admin_hooks',
      params: HookId,
      answers: { 200: Hook },
      run: async ({ project, params }) =>
        presentHook(secrets, await theHook({ database }, project.id, params.hook_id)),
    }),
  ]
}

function changing(deps: HookDeps): Operation[] {
  const { secrets } = deps
  return [
    operation(`POST ${ALL}`, {
      summary: 'Add a hook to a project',
      access: 'admin_hooks',
      params: NewHook,
      answers: { 201: Hook },
      run: async ({ project, params }) => presentHook(secrets, await createHook(deps, project.id, params)),
    }),
    operation(`PUT ${ONE}`, {
      summary: 'Change a hook; one that was disabled is told again',
      access: 'admin_hooks',
      params: EditHook,
      answers: { 200: Hook },
      run: async ({ project, params: { hook_id, ...wanted } }) =>
        presentHook(secrets, await editHook(deps, project.id, hook_id, wanted)),
    }),
    operation(`DELETE ${ONE}`, {
      summary: 'Delete a hook, with what it was still to be told',
      access: 'admin_hooks',
      params: HookId,
      answers: { 204: NoBody },
      run: ({ project, params }) => removeHook(deps, project.id, params.hook_id),
    }),
  ]
}
