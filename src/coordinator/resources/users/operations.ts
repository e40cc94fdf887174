import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { ApiError } from '../../http/errors.js'
import { type Operation, operation, page } from '../../http/operation.js'
import { presentFullUser, presentProfile, presentUser } from './present.js'
import { AnyUser, CreateUser, FullUser, ListUsers, UserId } from './schema.js'
import { listUsers } from './store.js'
import { createUser, existingUser } from './users.js'

export interface UserDeps {
  database: Database
  externalUrl: string
}

export function userOperations({ database, externalUrl }: UserDeps): Operation[] {
  return [
    operation('GET /user', {
      summary: 'The caller',
      access: 'user',
      scopes: ['read_user'],
      answers: { 200: FullUser },
      run: async ({ user }) => presentFullUser(user, user, externalUrl),
    }),
    operation('GET /users', {
      summary: 'List users',
      access: 'anyone',
      scopes: ['read_user'],
      params: ListUsers,
      answers: { 200: Type.Array(AnyUser) },
      paginated: true,
      run: async ({ params, paging, caller }) => {
        const viewer = caller.kind === 'anonymous' ? undefined : caller.user
        if (!viewer && params.username === undefined) throw forbiddenToAnonymous('/api/v4/users')
        const { rows, total } = await listUsers(database, params, paging)
        const records = rows.map((user) =>
          viewer ? presentUser(user, viewer, externalUrl) : presentProfile(user, externalUrl),
        )
        return page(records, total)
      },
    }),
    operation('GET /users/:id', {
      summary: 'Get a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: UserId,
      answers: { 200: AnyUser },
      run: async ({ params, caller }) => {
        if (caller.kind === 'anonymous')
          throw new ApiError(403, { message: '403 Forbidden - Not authorized!' })
        return presentUser(await existingUser(database, params.id), caller.user, externalUrl)
      },
    }),
    operation('POST /users', {
      summary: 'Create a user',
      access: 'administrator',
      params: CreateUser,
      answers: { 201: FullUser },
      run: async ({ params, user }) => {
        const created = await createUser(database, params)
        return presentFullUser(created, user, externalUrl)
      },
    }),
  ]
}

function forbiddenToAnonymous(path: string): ApiError {
  return new ApiError(403, { message: `403 Forbidden - Not authorized to access ${path}` })
}
