import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { editUser } from './account/edit-user.js'
import { createUserWithAvatar, editUserWithAvatar, type UserAvatarDeps } from './avatar.js'
import {
  AnyUser,
  CreateUser,
  EditOwnProfile,
  EditUser,
  FullUser,
  GetUser,
  ListUsers,
} from './record/schema.js'
import { findUser } from './store.js'
import { fullUser, showUser, usersPage } from './users.js'

/** Fields that audit events show with old and new values. */
const NOTED = ['username', 'name', 'email', 'is_admin', 'external', 'projects_limit', 'can_create_group']

export function userOperations(deps: UserAvatarDeps): Operation[] {
  return [
    operation('GET /user', {
      summary: 'Get the current user',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: FullUser },
      run: async ({ user }) => fullUser(deps, user, user),
    }),
    operation('PUT /user', {
      summary: 'Update the profile of the current user',
      access: 'user',
      params: EditOwnProfile,
      atLeastOne: [Object.keys(EditOwnProfile.properties)],
      changes: { attributes: NOTED, before: async ({ user }) => user },
      responses: { 200: FullUser },
      run: async ({ user, params }) => {
        const changed = await editUser(deps.database, { ...params, id: user.id })
        return fullUser(deps, changed, changed)
      },
    }),
    operation('GET /users', {
      summary: 'List users',
      access: 'anyone',
      scopes: ['read_user'],
      params: ListUsers,
      allOrNone: [['extern_uid', 'provider']],
      responses: { 200: Type.Array(AnyUser) },
      paginated: true,
      keyset: { of: 'User', orders: ['id'] },
      run: async ({ params, paging, caller }) => usersPage(deps, params, caller, paging),
    }),
    operation('GET /users/:id', {
      summary: 'Get a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: GetUser,
      responses: { 200: AnyUser },
      run: async ({ params, caller }) => showUser(deps, params, caller),
    }),
    operation('POST /users', {
      summary: 'Create a user',
      access: 'administrator',
      params: CreateUser,
      atLeastOne: [['password', 'reset_password', 'force_random_password']],
      allOrNone: [['extern_uid', 'provider']],
      needsConfirmation: ({ admin }) => admin === true,
      responses: { 201: FullUser },
      run: async ({ params, user }) => fullUser(deps, await createUserWithAvatar(deps, params, user), user),
    }),
    operation('PUT /users/:id', {
      summary: 'Update a user',
      access: 'administrator',
      params: EditUser,
      changes: { attributes: NOTED, before: ({ params }) => findUser(deps.database, params.id) },
      allOrNone: [['extern_uid', 'provider']],
      needsConfirmation: ({ admin, password }) => admin === true || password !== undefined,
      responses: { 200: FullUser },
      run: async ({ params, user, caller }) => {
        const session = caller.kind === 'user' ? caller.session?.id : undefined
        return fullUser(deps, await editUserWithAvatar(deps, params, session), user)
      },
    }),
  ]
}
