import { NoBody, type Operation, operation } from '../../http/operation.js'
import type { HookDeps } from './hooks.js'
import { type PairField, PAIRS, removePair, setPair } from './pairs.js'
import { HookPair, KeyOnly, NewHookPair, NewSystemHookPair, SystemHookPair } from './schema.js'

const FIELDS: PairField[] = ['url_variables', 'custom_headers']

/** One variable or header of a hook at a time, the others as they are. */
export function pairOperations(deps: HookDeps): Operation[] {
  return FIELDS.flatMap((field) => [...ofProject(deps, field), ...ofInstance(deps, field)])
}

function ofProject(deps: HookDeps, field: PairField): Operation[] {
  const path = `/projects/:id/hooks/:hook_id/${field}/:key` as const
  return [
    operation(`PUT ${path}`, {
      summary: `Set a ${PAIRS[field].name} of a hook`,
      access: 'admin_hooks',
      params: NewHookPair,
      // The reference answers 204, of which clients that read a body of every PUT make an error (API, A9a).
      answers: { 200: KeyOnly },
      run: ({ project, params: { hook_id, key, value } }) =>
        setPair(deps, { owner: project.id, hookId: hook_id, field, key }, value),
    }),
    operation(`DELETE ${path}`, {
      summary: `Take a ${PAIRS[field].name} off a hook`,
      access: 'admin_hooks',
      params: HookPair,
      answers: { 204: NoBody },
      run: ({ project, params: { hook_id, key } }) =>
        removePair(deps, { owner: project.id, hookId: hook_id, field, key }),
    }),
  ]
}

function ofInstance(deps: HookDeps, field: PairField): Operation[] {
  const path = `/hooks/:id/${field}/:key` as const
  return [
    operation(`PUT ${path}`, {
      summary: `Set a ${PAIRS[field].name} of a system hook`,
      access: 'administrator',
      params: NewSystemHookPair,
      answers: { 200: KeyOnly },
      run: ({ params: { id, key, value } }) => setPair(deps, { owner: null, hookId: id, field, key }, value),
    }),
    operation(`DELETE ${path}`, {
      summary: `Take a ${PAIRS[field].name} off a system hook`,
      access: 'administrator',
      params: SystemHookPair,
      answers: { 204: NoBody },
      run: ({ params: { id, key } }) => removePair(deps, { owner: null, hookId: id, field, key }),
    }),
  ]
}
