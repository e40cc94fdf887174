import { Type } from 'typebox'

import type { User } from '../../access/caller.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { signedIn } from '../../http/viewer.js'
import { deleteTrigger, listTriggers, type TriggerRow } from '../trigger-store.js'
import { presentTrigger } from './present.js'
import { EditTrigger, NewTrigger, Trigger, TriggerId } from './schema.js'
import { changeTrigger, createTrigger, requireTrigger, type TriggerDeps } from './triggers.js'

export interface TriggerOperationsDeps extends TriggerDeps {
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Trigger tokens of a project. The operations that trigger pipelines are in `pipelines` (API, I2). */
export function triggerOperations(deps: TriggerOperationsDeps): Operation[] {
  return [...reading(deps), ...changing(deps)]
}

function reading(deps: TriggerOperationsDeps): Operation[] {
  return [
    operation('GET /projects/:id/triggers', {
      summary: 'List project trigger tokens',
      access: 'admin_triggers',
      responses: { 200: Type.Array(Trigger) },
      paginated: true,
      run: async ({ project, user, paging }) => {
        const { rows, total } = await listTriggers(deps.database, project.id, paging)
        return page(await records(deps, user, rows), total)
      },
    }),
    operation('GET /projects/:id/triggers/:trigger_id', {
      summary: 'Get a trigger token',
      access: 'admin_triggers',
      params: TriggerId,
      responses: { 200: Trigger },
      run: async ({ project, user, params }) =>
        record(deps, user, await requireTrigger(deps, project, params.trigger_id)),
    }),
  ]
}

function changing(deps: TriggerOperationsDeps): Operation[] {
  return [
    operation('POST /projects/:id/triggers', {
      summary: 'Create a trigger token',
      access: 'admin_triggers',
      params: NewTrigger,
      responses: { 201: Trigger },
      run: async ({ project, user, params }) =>
        record(deps, user, await createTrigger(deps, project, signedIn(user), params)),
    }),
    operation('PUT /projects/:id/triggers/:trigger_id', {
      summary: 'Update a trigger token',
      access: 'admin_triggers',
      params: EditTrigger,
      changes: {
        attributes: ['description'],
        before: ({ project, params }) => requireTrigger(deps, project, params.trigger_id),
      },
      responses: { 200: Trigger },
      run: async ({ project, user, params: { trigger_id, description } }) => {
        const trigger = await requireTrigger(deps, project, trigger_id)
        return record(deps, user, await changeTrigger(deps, trigger, { ...(description && { description }) }))
      },
    }),
    operation('POST /projects/:id/triggers/:trigger_id/take_ownership', {
      summary: 'Take ownership of a trigger token',
      access: 'admin_triggers',
      params: TriggerId,
      responses: { 201: Trigger },
      run: async ({ project, user, params }) => {
        const trigger = await requireTrigger(deps, project, params.trigger_id)
        return record(deps, user, await changeTrigger(deps, trigger, { owner_id: signedIn(user).id }))
      },
    }),
    operation('DELETE /projects/:id/triggers/:trigger_id', {
      summary: 'Delete a trigger token',
      access: 'admin_triggers',
      params: TriggerId,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireTrigger(deps, project, params.trigger_id)).updated_at,
      run: async ({ project, params }) => {
        const trigger = await requireTrigger(deps, project, params.trigger_id)
        await deleteTrigger(deps.database, trigger.id)
      },
    }),
  ]
}

async function record(
  deps: TriggerOperationsDeps,
  user: User | undefined,
  row: TriggerRow,
): Promise<Trigger | undefined> {
  const [only] = await records(deps, user, [row])
  return only
}

async function records(
  { database, secrets, externalUrl }: TriggerOperationsDeps,
  user: User | undefined,
  rows: TriggerRow[],
): Promise<Trigger[]> {
  const viewer = signedIn(user)
  const owners = await usersById(
    database,
    rows.map(({ owner_id }) => owner_id),
  )
  return rows.map((row) => {
    return presentTrigger(row, { owner: owners.get(row.owner_id), viewer, secrets, externalUrl })
  })
}
