import { Type } from 'typebox'

import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { deliveriesPage, hookCallLimit } from './delivery-log.js'
import { groupHookOperations } from './group-operations.js'
import { listHooks } from './hook-store.js'
import { createHook, deleteHook, editHook, type HookDeps, requireHook } from './hooks.js'
import { pairOperations } from './pair-operations.js'
import { presentHook } from './present.js'
import { RECORDED_SETTINGS } from './recorded-settings.js'
import {
  CreatedMessage,
  DeliveryFilters,
  DeliveryId,
  EditHook,
  Hook,
  HookDelivery,
  HookId,
  HookTest,
  NewHook,
  Resent,
} from './schema.js'
import { systemHookOperations } from './system-operations.js'
import { resend, type TryDeps, tryHook } from './try-hook.js'

export type HookOperationsDeps = HookDeps & TryDeps

/** Webhooks of projects, groups and the instance (API, K1). */
export function hookOperations(deps: HookOperationsDeps): Operation[] {
  return [
    ...reading(deps),
    ...changing(deps),
    ...deliveries(deps),
    ...groupHookOperations(deps),
    ...systemHookOperations(deps),
    ...pairOperations(deps),
  ]
}

function reading({ database, secrets }: HookDeps): Operation[] {
  return [
    operation('GET /projects/:id/hooks', {
      summary: 'List project webhooks',
      access: 'admin_hooks',
      responses: { 200: Type.Array(Hook) },
      paginated: true,
      run: async ({ project, paging }) => {
        const { rows, total } = await listHooks(database, { projectId: project.id }, paging)
        return page(
          rows.map((row) => presentHook(secrets, row)),
          total,
        )
      },
    }),
    operation('GET /projects/:id/hooks/:hook_id', {
      summary: 'Get a webhook',
      access: 'admin_hooks',
      params: HookId,
      responses: { 200: Hook },
      run: async ({ project, params }) =>
        presentHook(secrets, await requireHook({ database }, { projectId: project.id }, params.hook_id)),
    }),
  ]
}

function changing(deps: HookDeps): Operation[] {
  const { secrets } = deps
  return [
    operation('POST /projects/:id/hooks', {
      summary: 'Create a project webhook',
      access: 'admin_hooks',
      params: NewHook,
      responses: { 201: Hook },
      run: async ({ project, params }) =>
        presentHook(secrets, await createHook(deps, { projectId: project.id }, params)),
    }),
    operation('PUT /projects/:id/hooks/:hook_id', {
      summary: 'Update a webhook; a disabled one is enabled again',
      access: 'admin_hooks',
      params: EditHook,
      changes: {
        attributes: RECORDED_SETTINGS,
        before: async ({ project, params }) =>
          presentHook(secrets, await requireHook(deps, { projectId: project.id }, params.hook_id)),
      },
      responses: { 200: Hook },
      run: async ({ project, params: { hook_id, ...wanted } }) =>
        presentHook(secrets, await editHook(deps, { projectId: project.id }, hook_id, wanted)),
    }),
    operation('DELETE /projects/:id/hooks/:hook_id', {
      summary: 'Delete a webhook with its pending deliveries',
      access: 'admin_hooks',
      params: HookId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireHook(deps, { projectId: project.id }, params.hook_id)).updated_at,
      run: ({ project, params }) => deleteHook(deps, { projectId: project.id }, params.hook_id),
    }),
  ]
}

function deliveries(deps: HookOperationsDeps): Operation[] {
  const tests = hookCallLimit()
  const resends = hookCallLimit()
  return [
    operation('POST /projects/:id/hooks/:hook_id/test/:trigger', {
      summary: 'Test a webhook with an event from project data',
      access: 'admin_hooks',
      params: HookTest,
      responses: { 201: CreatedMessage },
      run: async ({ project, user, params: { hook_id, trigger } }) => {
        const hook = await requireHook(deps, { projectId: project.id }, hook_id)
        tests.take(String(hook.id))
        await tryHook(deps, project, signedIn(user), hook, trigger)
        return { message: '201 Created' }
      },
    }),
    operation('GET /projects/:id/hooks/:hook_id/events', {
      summary: 'List recent deliveries of a webhook, newest first',
      access: 'admin_hooks',
      params: DeliveryFilters,
      responses: { 200: Type.Array(HookDelivery) },
      paginated: true,
      run: async ({ project, params: { hook_id, status }, paging }) => {
        const hook = await requireHook(deps, { projectId: project.id }, hook_id)
        return deliveriesPage(deps, hook, status, paging)
      },
    }),
    operation('POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend', {
      summary: 'Resend a webhook delivery',
      access: 'admin_hooks',
      params: DeliveryId,
      responses: { 201: Resent },
      run: async ({ project, params: { hook_id, hook_event_id } }) => {
        const hook = await requireHook(deps, { projectId: project.id }, hook_id)
        resends.take(String(hook.id))
        return { response_status: await resend(deps, hook, hook_event_id) }
      },
    }),
  ]
}
