import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { lockPresentProject } from '../../database/lock-row.js'
import { inTransaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { checkRoom } from '../../http/check-room.js'
import { conflict, invalidRecord, notFound } from '../../http/errors.js'
import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { presentUserList } from './present.js'
import { EditUserList, NewUserList, SearchUserLists, UserList, UserListIid } from './schema.js'
import {
  deleteUnusedUserList,
  findUserList,
  highestListIid,
  insertUserList,
  listUserLists,
  updateUserList,
  type UserListRow,
  userListsOf,
} from './store.js'

/** Per project. */
const MAX_LISTS = 200

/** Lists of users for the strategy `gitlabUserList` of feature flags. */
export function userListOperations(database: Database): Operation[] {
  return [
    operation('GET /projects/:id/feature_flags_user_lists', {
      summary: 'List the user lists of feature flags',
      access: 'manage_feature_flags',
      params: SearchUserLists,
      answers: { 200: Type.Array(UserList) },
      paginated: true,
      run: async ({ project, params, paging }) => {
        const { rows, total } = await listUserLists(database, project.id, params.search, paging)
        return page(rows.map(presentUserList), total)
      },
    }),
    operation('POST /projects/:id/feature_flags_user_lists', {
      summary: 'Create a user list for feature flags',
      access: 'manage_feature_flags',
      params: NewUserList,
      answers: { 201: UserList },
      run: async ({ project, params }) => presentUserList(await create(database, project, params)),
    }),
    operation('GET /projects/:id/feature_flags_user_lists/:iid', {
      summary: 'Get a user list of feature flags',
      access: 'manage_feature_flags',
      params: UserListIid,
      answers: { 200: UserList },
      run: async ({ project, params }) =>
        presentUserList(await requireUserList(database, project, params.iid)),
    }),
    operation('PUT /projects/:id/feature_flags_user_lists/:iid', {
      summary: 'Update a user list of feature flags',
      access: 'manage_feature_flags',
      params: EditUserList,
      answers: { 200: UserList },
      run: async ({ project, params: { iid, ...changes } }) => {
        const { id } = await requireUserList(database, project, iid)
        const change = () => updateUserList(database, id, { ...changes, updated_at: Date.now() })
        return presentUserList(await refusingTaken(change))
      },
    }),
    operation('DELETE /projects/:id/feature_flags_user_lists/:iid', {
      summary: 'Delete a user list of feature flags',
      access: 'manage_feature_flags',
      params: UserListIid,
      answers: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireUserList(database, project, params.iid)).updated_at,
      run: async ({ project, params }) => {
        const { id } = await requireUserList(database, project, params.iid)
        const isDeleted = await deleteUnusedUserList(database, id)
        if (!isDeleted) throw conflict('User list is associated with a strategy')
        return answer(204)
      },
    }),
  ]
}

async function requireUserList(database: Database, { id }: Project, iid: number): Promise<UserListRow> {
  const row = await findUserList(database, id, { iid })
  if (!row) throw notFound('User List')
  return row
}

async function create(
  database: Database,
  { id }: Project,
  values: { name: string; user_xids: string },
): Promise<UserListRow> {
  await checkRoom(userListsOf(database, id), { most: MAX_LISTS, what: 'user lists' })
  return refusingTaken(() =>
    inTransaction(database, async (tx) => {
      if (!(await lockPresentProject(tx, id))) throw notFound('Project')
      const iid = (await highestListIid(tx, id)) + 1
      const now = Date.now()
      return insertUserList(tx, { ...values, iid, project_id: id, created_at: now, updated_at: now })
    }),
  )
}

async function refusingTaken(change: () => Promise<UserListRow>): Promise<UserListRow> {
  try {
    return await change()
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ name: ['has already been taken'] })
    throw error
  }
}
