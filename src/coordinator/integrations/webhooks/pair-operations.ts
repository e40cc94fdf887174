import { NoBody, type Operation, operation, type Route } from '../../http/operation.js'
import type { HookDeps } from './hooks.js'
import { deletePair, type PairField, setPair } from './pairs.js'
import { HookPair, KeyOnly, NewHookPair, NewSystemHookPair, SystemHookPair } from './schema.js'

/** Names for summaries. */
const NAMES: Record<PairField, string> = { url_variables: 'URL variable', custom_headers: 'custom header' }

interface PairRoutes {
  set: Route
  delete: Route
}

/** Each sets or deletes one variable or header of a webhook and leaves the others unchanged. */
export function pairOperations(deps: HookDeps): Operation[] {
  return [
    ...ofProject(deps, 'url_variables', {
      set: 'PUT /projects/:id/hooks/:hook_id/url_variables/:key',
      delete: 'DELETE /projects/:id/hooks/:hook_id/url_variables/:key',
    }),
    ...ofGroup(deps, 'url_variables', {
      set: 'PUT /groups/:id/hooks/:hook_id/url_variables/:key',
      delete: 'DELETE /groups/:id/hooks/:hook_id/url_variables/:key',
    }),
    ...ofInstance(deps, 'url_variables', {
      set: 'PUT /hooks/:id/url_variables/:key',
      delete: 'DELETE /hooks/:id/url_variables/:key',
    }),
    ...ofProject(deps, 'custom_headers', {
      set: 'PUT /projects/:id/hooks/:hook_id/custom_headers/:key',
      delete: 'DELETE /projects/:id/hooks/:hook_id/custom_headers/:key',
    }),
    ...ofGroup(deps, 'custom_headers', {
      set: 'PUT /groups/:id/hooks/:hook_id/custom_headers/:key',
      delete: 'DELETE /groups/:id/hooks/:hook_id/custom_headers/:key',
    }),
    ...ofInstance(deps, 'custom_headers', {
      set: 'PUT /hooks/:id/custom_headers/:key',
      delete: 'DELETE /hooks/:id/custom_headers/:key',
    }),
  ]
}

function ofProject(deps: HookDeps, field: PairField, routes: PairRoutes): Operation[] {
  return [
    operation(routes.set, {
      summary: `Set a ${NAMES[field]} of a webhook`,
      access: 'admin_hooks',
      params: NewHookPair,
      // The reference returns 204, but clients that read the body of every PUT fail on it (API, A9a).
      responses: { 200: KeyOnly },
      run: ({ project, params: { hook_id, key, value } }) =>
        setPair(deps, { owner: { projectId: project.id }, hookId: hook_id, field, key }, value),
    }),
    operation(routes.delete, {
      summary: `Delete a ${NAMES[field]} of a webhook`,
      access: 'admin_hooks',
      params: HookPair,
      responses: { 204: NoBody },
      run: ({ project, params: { hook_id, key } }) =>
        deletePair(deps, { owner: { projectId: project.id }, hookId: hook_id, field, key }),
    }),
  ]
}

function ofGroup(deps: HookDeps, field: PairField, routes: PairRoutes): Operation[] {
  return [
    operation(routes.set, {
      summary: `Set a ${NAMES[field]} of a group webhook`,
      access: 'admin_group_hooks',
      params: NewHookPair,
      responses: { 200: KeyOnly },
      run: ({ group, params: { hook_id, key, value } }) =>
        setPair(deps, { owner: { groupId: group.id }, hookId: hook_id, field, key }, value),
    }),
    operation(routes.delete, {
      summary: `Delete a ${NAMES[field]} of a group webhook`,
      access: 'admin_group_hooks',
      params: HookPair,
      responses: { 204: NoBody },
      run: ({ group, params: { hook_id, key } }) =>
        deletePair(deps, { owner: { groupId: group.id }, hookId: hook_id, field, key }),
    }),
  ]
}

function ofInstance(deps: HookDeps, field: PairField, routes: PairRoutes): Operation[] {
  return [
    operation(routes.set, {
      summary: `Set a ${NAMES[field]} of a system hook`,
      access: 'administrator',
      params: NewSystemHookPair,
      responses: { 200: KeyOnly },
      run: ({ params: { id, key, value } }) => setPair(deps, { owner: null, hookId: id, field, key }, value),
    }),
    operation(routes.delete, {
      summary: `Delete a ${NAMES[field]} of a system hook`,
      access: 'administrator',
      params: SystemHookPair,
      responses: { 204: NoBody },
      run: ({ params: { id, key } }) => deletePair(deps, { owner: null, hookId: id, field, key }),
    }),
  ]
}
