import { Type } from 'typebox'

import type { Group, User } from '../../access/caller.js'
import { inTransaction } from '../../database/transaction.js'
import { type Operation, operation } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import type { EpicRow } from '../stores/epic-store.js'
import { addChild, addNewChild, listChildren, moveChild, removeChild } from './children.js'
import { Epic } from './epic-schema.js'
import { createEpicIn, requireEpic } from './epics.js'
import { epicUrl, type PresentDeps, presentEpics } from './present.js'
import { ByChild, ByIid, CreateChild, MoveChild, NEIGHBORS, NewChild } from './schema.js'

/** Child epics of epics (API, F5). */
export function childEpicOperations(deps: PresentDeps): Operation[] {
  return [listOperation(deps), createOperation(deps), ...changeOperations(deps)]
}

function listOperation(deps: PresentDeps): Operation {
  return operation('GET /groups/:id/epics/:epic_iid/epics', {
    summary: 'List the children of an epic',
    access: 'read_epics',
    params: ByIid,
    responses: { 200: Type.Array(Epic) },
    paginated: true,
    run: async ({ group, user, params, paging }) =>
      children(deps, { group, user, paging }, await requireEpic(deps.database, group.id, params.epic_iid)),
  })
}

interface Reading {
  group: Group
  user: User | undefined
  paging: Paging
}

async function children(deps: PresentDeps, { group, user, paging }: Reading, parent: EpicRow): Promise<Page> {
  const { rows, total } = await listChildren(deps.database, parent.id, user, paging)
  return page(await presentEpics(deps, { groupId: group.id, viewer: user }, rows), total)
}

function createOperation({ database, externalUrl }: PresentDeps): Operation {
  return operation('POST /groups/:id/epics/:epic_iid/epics', {
    summary: 'Create an epic that is a child of an epic',
    access: 'manage_epics',
    params: CreateChild,
    responses: { 201: NewChild },
    run: async ({ group, user, params: { epic_iid: iid, title } }) => {
      const by = { groupId: group.id, userId: signedIn(user).id }
      const child = await inTransaction(database, (tx) =>
        addNewChild(tx, { ...by, iid }, () => createEpicIn(tx, by, { title })),
      )
      return {
        id: child.id,
        iid: child.iid,
        title: child.title,
        group_id: child.group_id,
        parent_id: child.parent_id,
        has_children: false,
        has_issues: false,
        reference: `&${child.iid}`,
        url: epicUrl(externalUrl, group.full_path, child.iid),
        relation_url: `${epicUrl(externalUrl, group.full_path, iid)}/links/${child.id}`,
      }
    },
  })
}

function changeOperations(deps: PresentDeps): Operation[] {
  const { database } = deps
  const record = async ({ group, user }: { group: Group; user: User | undefined }, row: EpicRow) =>
    (await presentEpics(deps, { groupId: group.id, viewer: user }, [row]))[0]
  const parentOf = ({ group, user }: { group: Group; user: User | undefined }, iid: number) => ({
    groupId: group.id,
    iid,
    user: signedIn(user),
  })
  return [
    operation('POST /groups/:id/epics/:epic_iid/epics/:child_epic_id', {
      summary: 'Make an epic a child of an epic',
      access: 'manage_epics',
      params: ByChild,
      responses: { 201: Epic },
      run: async (call) => {
        const { epic_iid, child_epic_id } = call.params
        return record(call, await addChild(database, parentOf(call, epic_iid), child_epic_id))
      },
    }),
    operation('PUT /groups/:id/epics/:epic_iid/epics/:child_epic_id', {
      summary: 'Change the place of a child of an epic',
      access: 'manage_epics',
      params: MoveChild,
      atLeastOne: [NEIGHBORS],
      responses: { 200: Type.Array(Epic) },
      paginated: true,
      run: async (call) => {
        const { epic_iid, child_epic_id, move_before_id: before, move_after_id: after } = call.params
        const target = { before, after }
        return children(
          deps,
          call,
          await moveChild(database, parentOf(call, epic_iid), child_epic_id, target),
        )
      },
    }),
    operation('DELETE /groups/:id/epics/:epic_iid/epics/:child_epic_id', {
      summary: 'Remove a child from an epic',
      access: 'manage_epics',
      params: ByChild,
      responses: { 200: Epic },
      run: async (call) => {
        const { epic_iid, child_epic_id } = call.params
        return record(call, await removeChild(database, parentOf(call, epic_iid), child_epic_id))
      },
    }),
  ]
}
