import { Type } from 'typebox'

import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { deliveriesPage, hookCallLimit } from './delivery-log.js'
import { listHooks } from './hook-store.js'
import { createHook, deleteHook, editHook, type HookDeps, requireHook } from './hooks.js'
import { presentGroupHook } from './present.js'
import { RECORDED_SETTINGS } from './recorded-settings.js'
import {
  CreatedMessage,
  DeliveryFilters,
  DeliveryId,
  EditGroupHook,
  GroupHook,
  GroupHookTest,
  HookDelivery,
  HookId,
  NewGroupHook,
  Resent,
} from './schema.js'
import { resend, type TryDeps, tryGroupHook } from './try-hook.js'

/** Webhooks of groups, which receive the events of all projects and subgroups inside (API, D). */
export function groupHookOperations(deps: HookDeps & TryDeps): Operation[] {
  return [...reading(deps), ...changing(deps), ...deliveries(deps)]
}

function reading(deps: HookDeps): Operation[] {
  const { database, secrets } = deps
  return [
    operation('GET /groups/:id/hooks', {
      summary: 'List group webhooks',
      access: 'admin_group_hooks',
      responses: { 200: Type.Array(GroupHook) },
      paginated: true,
      run: async ({ group, paging }) => {
        const { rows, total } = await listHooks(database, { groupId: group.id }, paging)
        return page(
          rows.map((row) => presentGroupHook(secrets, row)),
          total,
        )
      },
    }),
    operation('GET /groups/:id/hooks/:hook_id', {
      summary: 'Get a group webhook',
      access: 'admin_group_hooks',
      params: HookId,
      responses: { 200: GroupHook },
      run: async ({ group, params }) =>
        presentGroupHook(secrets, await requireHook(deps, { groupId: group.id }, params.hook_id)),
    }),
  ]
}

function changing(deps: HookDeps): Operation[] {
  const { secrets } = deps
  return [
    operation('POST /groups/:id/hooks', {
      summary: 'Create a group webhook',
      access: 'admin_group_hooks',
      params: NewGroupHook,
      responses: { 201: GroupHook },
      run: async ({ group, params }) =>
        presentGroupHook(secrets, await createHook(deps, { groupId: group.id }, params)),
    }),
    operation('PUT /groups/:id/hooks/:hook_id', {
      summary: 'Update a group webhook; a disabled one is enabled again',
      access: 'admin_group_hooks',
      params: EditGroupHook,
      changes: {
        attributes: RECORDED_SETTINGS,
        before: async ({ group, params }) =>
          presentGroupHook(secrets, await requireHook(deps, { groupId: group.id }, params.hook_id)),
      },
      responses: { 200: GroupHook },
      run: async ({ group, params: { hook_id, ...wanted } }) =>
        presentGroupHook(secrets, await editHook(deps, { groupId: group.id }, hook_id, wanted)),
    }),
    operation('DELETE /groups/:id/hooks/:hook_id', {
      summary: 'Delete a group webhook with its pending deliveries',
      access: 'admin_group_hooks',
      params: HookId,
      responses: { 204: NoBody },
      modifiedAt: async ({ group, params }) =>
        (await requireHook(deps, { groupId: group.id }, params.hook_id)).updated_at,
      run: ({ group, params }) => deleteHook(deps, { groupId: group.id }, params.hook_id),
    }),
  ]
}

function deliveries(deps: HookDeps & TryDeps): Operation[] {
  const tests = hookCallLimit()
  const resends = hookCallLimit()
  return [
    operation('POST /groups/:id/hooks/:hook_id/test/:trigger', {
      summary: 'Test a group webhook with an event from data of the group',
      access: 'admin_group_hooks',
      params: GroupHookTest,
      responses: { 201: CreatedMessage },
      run: async ({ group, user, params: { hook_id, trigger } }) => {
        const hook = await requireHook(deps, { groupId: group.id }, hook_id)
        tests.take(String(hook.id))
        await tryGroupHook(deps, group, signedIn(user), hook, trigger)
        return { message: '201 Created' }
      },
    }),
    operation('GET /groups/:id/hooks/:hook_id/events', {
      summary: 'List recent deliveries of a group webhook, newest first',
      access: 'admin_group_hooks',
      params: DeliveryFilters,
      responses: { 200: Type.Array(HookDelivery) },
      paginated: true,
      run: async ({ group, params: { hook_id, status }, paging }) =>
        deliveriesPage(deps, await requireHook(deps, { groupId: group.id }, hook_id), status, paging),
    }),
    operation('POST /groups/:id/hooks/:hook_id/events/:hook_event_id/resend', {
      summary: 'Resend a delivery of a group webhook',
      access: 'admin_group_hooks',
      params: DeliveryId,
      responses: { 201: Resent },
      run: async ({ group, params: { hook_id, hook_event_id } }) => {
        const hook = await requireHook(deps, { groupId: group.id }, hook_id)
        resends.take(String(hook.id))
        return { response_status: await resend(deps, hook, hook_event_id) }
      },
    }),
  ]
}
