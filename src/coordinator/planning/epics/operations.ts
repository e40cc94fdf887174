import { Type } from 'typebox'

import type { Group, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { deleteEpicRow, type EpicRow } from '../stores/epic-store.js'
import { childEpicOperations } from './child-operations.js'
import { Epic } from './epic-schema.js'
import { createEpic, editEpic, listEpics, requireEpic } from './epics.js'
import { epicLinkOperations } from './link-operations.js'
import { type PresentDeps, presentEpics } from './present.js'
import { ByIid, CHANGES, CreateEpic, EditEpic, ListEpics } from './schema.js'

/** Epics of groups, their children and the links between them (API, F5). */
export function epicOperations(deps: PresentDeps): Operation[] {
  return [...recordOperations(deps), ...childEpicOperations(deps), ...epicLinkOperations(deps)]
}

function recordOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const record = async (group: Group, user: User | undefined, row: EpicRow): Promise<Epic | undefined> =>
    (await presentEpics(deps, { groupId: group.id, viewer: user }, [row]))[0]
  return [
    operation('GET /groups/:id/epics', {
      summary: 'List epics of a group',
      access: 'read_epics',
      params: ListEpics,
      responses: { 200: Type.Array(Epic) },
      paginated: true,
      run: async ({ group, user, params, paging }) => {
        const { rows, total } = await listEpics(database, group.id, params, paging)
        return page(await presentEpics(deps, { groupId: group.id, viewer: user }, rows), total)
      },
    }),
    operation('GET /groups/:id/epics/:epic_iid', {
      summary: 'Get an epic',
      access: 'read_epics',
      params: ByIid,
      responses: { 200: Epic },
      run: async ({ group, user, params }) =>
        record(group, user, await requireEpic(database, group.id, params.epic_iid)),
    }),
    operation('POST /groups/:id/epics', {
      summary: 'Create an epic',
      access: 'manage_epics',
      params: CreateEpic,
      responses: { 201: Epic },
      run: async ({ group, user, params }) => {
        const by = { groupId: group.id, userId: signedIn(user).id }
        return record(group, user, await createEpic(database, by, params))
      },
    }),
    operation('PUT /groups/:id/epics/:epic_iid', {
      summary: 'Update, close or reopen an epic',
      access: 'manage_epics',
      params: EditEpic,
      atLeastOne: [CHANGES],
      responses: { 200: Epic },
      run: async ({ group, user, params }) => {
        const by = { groupId: group.id, userId: signedIn(user).id }
        return record(group, user, await editEpic(database, by, params))
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_iid', {
      summary: 'Delete an epic',
      access: 'delete_epics',
      params: ByIid,
      responses: { 204: NoBody },
      modifiedAt: async ({ group, params }) =>
        (await requireEpic(database, group.id, params.epic_iid)).updated_at,
      run: async ({ group, params }) => {
        const { id } = await requireEpic(database, group.id, params.epic_iid)
        if (!(await deleteEpicRow(database, id))) throw notFound()
        return respond(204)
      },
    }),
  ]
}
