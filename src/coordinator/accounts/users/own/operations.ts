import { Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import { notFound } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import type { UserDeps } from '../users.js'
import { Preferences, readPreferences, SetPreferences, setPreferences } from './preferences.js'
import { SetStatus, Status } from './status-schema.js'
import { readStatus, setStatus } from './status.js'

export interface OwnDeps extends UserDeps {
  /** Finds a user by ID or username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

const IdOrName = Type.Object({ user_id: described(Type.String(), 'ID or username.') })

/** Status and preferences of users. */
export function ownOperations({ database, findUser }: OwnDeps): Operation[] {
  return [
    operation('GET /user/status', {
      summary: 'Get the status of the current user',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Status },
      run: async ({ user }) => readStatus(database, user.id),
    }),
    operation('PUT /user/status', {
      summary: 'Set or delete the status of the current user',
      access: 'user',
      params: SetStatus,
      responses: { 200: Status },
      run: async ({ user, params }) => setStatus(database, user.id, params),
    }),
    operation('GET /users/:user_id/status', {
      summary: 'Get the status of a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: IdOrName,
      responses: { 200: Status },
      run: async ({ params }) => {
        const user = await findUser(params.user_id)
        if (!user) throw notFound('User')
        return readStatus(database, user.id)
      },
    }),
    operation('GET /user/preferences', {
      summary: 'Get the preferences of the current user',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Preferences },
      run: async ({ user }) => readPreferences(database, user.id),
    }),
    operation('PUT /user/preferences', {
      summary: 'Update the preferences of the current user',
      access: 'user',
      params: SetPreferences,
      atLeastOne: [Object.keys(SetPreferences.properties)],
      responses: { 200: Preferences },
      run: async ({ user, params }) => setPreferences(database, user.id, params),
    }),
  ]
}
