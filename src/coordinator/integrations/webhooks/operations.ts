import { Type } from 'typebox'

import { NoBody, type Operation, operation, page } from '../../http/operation.js'
import { CallLimit } from '../../http/rate-limits/call-limit.js'
import { signedIn } from '../../http/viewer.js'
import { listLog, type StatusRange } from './delivery-store.js'
import { listHooks } from './hook-store.js'
import { createHook, deleteHook, editHook, type HookDeps, theHook } from './hooks.js'
import { pairOperations } from './pair-operations.js'
import { presentDelivery, presentHook } from './present.js'
import {
  DeliveryFilters,
  DeliveryId,
  Done,
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

/** Limits operations that send a request to another server (API, K1). */
const CALLS_PER_MINUTE = 3

/** Project webhooks (API, K1). */
export function hookOperations(deps: HookOperationsDeps): Operation[] {
  return [
    ...reading(deps),
    ...changing(deps),
    ...deliveries(deps),
    ...systemHookOperations(deps),
    ...pairOperations(deps),
  ]
}

function reading({ database, secrets }: HookDeps): Operation[] {
  return [
    operation('GET /projects/:id/hooks', {
      summary: 'List project webhooks',
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
    operation('GET /projects/:id/hooks/:hook_id', {
      summary: 'Get a webhook',
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
    operation('POST /projects/:id/hooks', {
      summary: 'Create a project webhook',
      access: 'admin_hooks',
      params: NewHook,
      answers: { 201: Hook },
      run: async ({ project, params }) => presentHook(secrets, await createHook(deps, project.id, params)),
    }),
    operation('PUT /projects/:id/hooks/:hook_id', {
      summary: 'Update a webhook; a disabled one is enabled again',
      access: 'admin_hooks',
      params: EditHook,
      answers: { 200: Hook },
      run: async ({ project, params: { hook_id, ...wanted } }) =>
        presentHook(secrets, await editHook(deps, project.id, hook_id, wanted)),
    }),
    operation('DELETE /projects/:id/hooks/:hook_id', {
      summary: 'Delete a webhook with its pending deliveries',
      access: 'admin_hooks',
      params: HookId,
      answers: { 204: NoBody },
      modifiedAt: async ({ project, params }) => (await theHook(deps, project.id, params.hook_id)).updated_at,
      run: ({ project, params }) => deleteHook(deps, project.id, params.hook_id),
    }),
  ]
}

function deliveries(deps: HookOperationsDeps): Operation[] {
  const { database, secrets } = deps
  const tests = new CallLimit(CALLS_PER_MINUTE, 60_000)
  const resends = new CallLimit(CALLS_PER_MINUTE, 60_000)
  return [
    operation('POST /projects/:id/hooks/:hook_id/test/:trigger', {
      summary: 'Test a webhook with an event from project data',
      access: 'admin_hooks',
      params: HookTest,
      answers: { 201: Done },
      run: async ({ project, user, params: { hook_id, trigger } }) => {
        const hook = await theHook(deps, project.id, hook_id)
        tests.take(String(hook.id))
        await tryHook(deps, project, signedIn(user), hook, trigger)
        return { message: '201 Created' }
      },
    }),
    operation('GET /projects/:id/hooks/:hook_id/events', {
      summary: 'List recent deliveries of a webhook, newest first',
      access: 'admin_hooks',
      params: DeliveryFilters,
      answers: { 200: Type.Array(HookDelivery) },
      paginated: true,
      run: async ({ project, params: { hook_id, status }, paging }) => {
        const hook = await theHook(deps, project.id, hook_id)
        const { rows, total } = await listLog(database, hook.id, statusRanges(status), paging)
        return page(
          rows.map((row) => presentDelivery(secrets, row)),
          total,
        )
      },
    }),
    operation('POST /projects/:id/hooks/:hook_id/events/:hook_event_id/resend', {
      summary: 'Resend a webhook delivery',
      access: 'admin_hooks',
      params: DeliveryId,
      answers: { 201: Resent },
      run: async ({ project, params: { hook_id, hook_event_id } }) => {
        const hook = await theHook(deps, project.id, hook_id)
        resends.take(String(hook.id))
        return { response_status: await resend(deps, hook, hook_event_id) }
      },
    }),
  ]
}

const RANGES: Record<string, StatusRange> = {
  successful: [200, 399],
  client_failure: [400, 499],
  server_failure: [500, 599],
}

function statusRanges(status: string[] = []): StatusRange[] {
  return status.map((word) => RANGES[word] ?? [Number(word), Number(word)])
}
