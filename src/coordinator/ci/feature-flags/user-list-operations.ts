import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { apiError } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { presentUserList } from './present.js'
import { EditUserList, NewUserList, SearchUserLists, UserList, UserListIid } from './schema.js'
import { deleteUnusedUserList, listUserLists } from './store.js'
import { createUserList, editUserList, requireUserList } from './user-lists.js'

/** Lists of users for the strategy `gitlabUserList` of feature flags. */
export function userListOperations(database: Database): Operation[] {
  return [
    operation('GET /projects/:id/feature_flags_user_lists', {
      summary: 'List the user lists of feature flags',
      access: 'manage_feature_flags',
      params: SearchUserLists,
      responses: { 200: Type.Array(UserList) },
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
      responses: { 201: UserList },
      run: async ({ project, params }) => presentUserList(await createUserList(database, project, params)),
    }),
    operation('GET /projects/:id/feature_flags_user_lists/:iid', {
      summary: 'Get a user list of feature flags',
      access: 'manage_feature_flags',
      params: UserListIid,
      responses: { 200: UserList },
      run: async ({ project, params }) =>
        presentUserList(await requireUserList(database, project, params.iid)),
    }),
    operation('PUT /projects/:id/feature_flags_user_lists/:iid', {
      summary: 'Update a user list of feature flags',
      access: 'manage_feature_flags',
      params: EditUserList,
      responses: { 200: UserList },
      run: async ({ project, params: { iid, ...changes } }) =>
        presentUserList(await editUserList(database, project, iid, changes)),
    }),
    operation('DELETE /projects/:id/feature_flags_user_lists/:iid', {
      summary: 'Delete a user list of feature flags',
      access: 'manage_feature_flags',
      params: UserListIid,
      responses: { 204: NoBody },
      modifiedAt: async ({ project, params }) =>
        (await requireUserList(database, project, params.iid)).updated_at,
      run: async ({ project, params }) => {
        const { id } = await requireUserList(database, project, params.iid)
        const isDeleted = await deleteUnusedUserList(database, id)
        if (!isDeleted) throw apiError('user_list_in_use')
        return respond(204)
      },
    }),
  ]
}
