import { Type } from 'typebox'

import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { listHooks } from './hook-store.js'
import { createHook, deleteHook, editHook, type HookDeps, requireHook } from './hooks.js'
import { presentSystemHook } from './present.js'
import { RECORDED_SETTINGS } from './recorded-settings.js'
import { EditSystemHook, NewSystemHook, SystemHook, SystemHookId, SystemSample } from './schema.js'
import { type TryDeps, trySystemHook } from './try-hook.js'

/** System hooks have no project. */
const INSTANCE = null

/** System hooks, which receive events of the whole instance (API, K1 and K6). */
export function systemHookOperations(deps: HookDeps & Pick<TryDeps, 'deliveries'>): Operation[] {
  const { database, secrets } = deps
  return [
    operation('GET /hooks', {
      summary: 'List system hooks',
      access: 'administrator',
      responses: { 200: Type.Array(SystemHook) },
      paginated: true,
      run: async ({ paging }) => {
        const { rows, total } = await listHooks(database, INSTANCE, paging)
        return page(
          rows.map((row) => presentSystemHook(secrets, row)),
          total,
        )
      },
    }),
    operation('GET /hooks/:id', {
      summary: 'Get a system hook',
      access: 'administrator',
      params: SystemHookId,
      responses: { 200: SystemHook },
      run: async ({ params }) => presentSystemHook(secrets, await requireHook(deps, INSTANCE, params.id)),
    }),
    operation('POST /hooks', {
      summary: 'Create a system hook',
      access: 'administrator',
      params: NewSystemHook,
      responses: { 201: SystemHook },
      run: async ({ params }) =>
        presentSystemHook(secrets, await createHook(deps, INSTANCE, params, ['repository_update_events'])),
    }),
    operation('PUT /hooks/:id', {
      summary: 'Update a system hook; a disabled one is enabled again',
      access: 'administrator',
      params: EditSystemHook,
      changes: {
        attributes: RECORDED_SETTINGS,
        before: async ({ params }) =>
          presentSystemHook(secrets, await requireHook(deps, INSTANCE, params.id)),
      },
      responses: { 200: SystemHook },
      run: async ({ params: { id, ...wanted } }) =>
        presentSystemHook(secrets, await editHook(deps, INSTANCE, id, wanted)),
    }),
    operation('DELETE /hooks/:id', {
      summary: 'Delete a system hook',
      access: 'administrator',
      params: SystemHookId,
      responses: { 204: NoBody },
      modifiedAt: async ({ params }) => (await requireHook(deps, INSTANCE, params.id)).updated_at,
      run: ({ params }) => deleteHook(deps, INSTANCE, params.id),
    }),
    operation('POST /hooks/:id', {
      summary: 'Test a system hook with a sample event',
      access: 'administrator',
      params: SystemHookId,
      responses: { 201: SystemSample },
      run: async ({ params }) => trySystemHook(deps, await requireHook(deps, INSTANCE, params.id)),
    }),
  ]
}
