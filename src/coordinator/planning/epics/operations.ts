import { Type } from 'typebox'

import type { Group } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { deleteEpicRow, type EpicRow } from '../stores/epic-store.js'
import { createEpic, editEpic, listEpics, requireEpic } from './epics.js'
import { Epic, presentEpics } from './present.js'
import { ByIid, CHANGES, CreateEpic, EditEpic, ListEpics } from './schema.js'

export interface EpicDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Epics of groups (API, F5). */
export function epicOperations(deps: EpicDeps): Operation[] {
  const { database } = deps
  const record = async (group: Group, row: EpicRow): Promise<Epic | undefined> =>
    (await presentEpics(deps, group.full_path, [row]))[0]
  return [
    operation('GET /groups/:id/epics', {
      summary: 'List epics of a group',
      access: 'read_epics',
      params: ListEpics,
      responses: { 200: Type.Array(Epic) },
      paginated: true,
      run: async ({ group, params, paging }) => {
        const { rows, total } = await listEpics(database, group.id, params, paging)
        return page(await presentEpics(deps, group.full_path, rows), total)
      },
    }),
    operation('GET /groups/:id/epics/:epic_iid', {
      summary: 'Get an epic',
      access: 'read_epics',
      params: ByIid,
      responses: { 200: Epic },
      run: async ({ group, params }) => record(group, await requireEpic(database, group.id, params.epic_iid)),
    }),
    operation('POST /groups/:id/epics', {
      summary: 'Create an epic',
      access: 'manage_epics',
      params: CreateEpic,
      responses: { 201: Epic },
      run: async ({ group, user, params }) => {
        const by = { groupId: group.id, userId: signedIn(user).id }
        return record(group, await createEpic(database, by, params))
      },
    }),
    operation('PUT /groups/:id/epics/:epic_iid', {
      summary: 'Update, close or reopen an epic',
      access: 'manage_epics',
      params: EditEpic,
      atLeastOne: [CHANGES],
      responses: { 200: Epic },
      run: async ({ group, params }) => record(group, await editEpic(database, group.id, params)),
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
