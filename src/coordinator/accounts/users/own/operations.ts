import { Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import { notFound } from '../../../http/errors.js'
import { type Operation, operation } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import type { UserDeps } from '../users.js'
import { OWN_COUNTS, OwnCounts } from './own-counts.js'
import { Preferences, readPreferences, SetPreferences, setPreferences } from './preferences.js'
import { readStatus, SetStatus, setStatus, Status } from './status.js'

export interface OwnDeps extends UserDeps {
  /** Takes an id or a username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

const IdOrName = Type.Object({ user_id: described(Type.String(), 'Number or username.') })

/** What people say of themselves, and how they like things. */
export function ownOperations({ database, findUser }: OwnDeps): Operation[] {
  return [
    operation('GET /user/status', {
      summary: "One's own status",
      access: 'user',
      scopes: ['read_user'],
      answers: { 200: Status },
      run: async ({ user }) => readStatus(database, user.id),
    }),
    operation('PUT /user/status', {
      summary: "Set one's own status, or take it away",
      access: 'user',
      params: SetStatus,
      answers: { 200: Status },
      run: async ({ user, params }) => setStatus(database, user.id, params),
    }),
    operation('GET /users/:user_id/status', {
      summary: 'The status of a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: IdOrName,
      answers: { 200: Status },
      run: async ({ params }) => {
        const user = await findUser(params.user_id)
        if (!user) throw notFound('User')
        return readStatus(database, user.id)
      },
    }),
    operation('GET /user_counts', {
      summary: 'How much waits for the caller',
      access: 'user',
      answers: { 200: OwnCounts },
      run: async () => OWN_COUNTS,
    }),
    operation('GET /user/preferences', {
      summary: 'How the caller likes things',
      access: 'user',
      scopes: ['read_user'],
      answers: { 200: Preferences },
      run: async ({ user }) => readPreferences(database, user.id),
    }),
    operation('PUT /user/preferences', {
      summary: 'Change how the caller likes things',
      access: 'user',
      params: SetPreferences,
      atLeastOne: [Object.keys(SetPreferences.properties)],
      answers: { 200: Preferences },
      run: async ({ user, params }) => setPreferences(database, user.id, params),
    }),
  ]
}
