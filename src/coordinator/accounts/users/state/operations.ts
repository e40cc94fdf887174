import { Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import { ApiError } from '../../../http/errors.js'
import { answer, NoBody, type Operation, operation, type Route } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { Nullable } from '../../../http/parameters/types.js'
import { UserId } from '../record/schema.js'
import { existingUser } from '../users.js'
import {
  activateUser,
  approveUser,
  banUser,
  blockUser,
  deactivateUser,
  type StateDeps,
  unbanUser,
  unblockUser,
} from './state-changes.js'

const Changed = described(Nullable(Type.Boolean()), '`true`; null when nothing had to be changed.')

const Message = Type.Object({ message: described(Type.String(), 'What was done.') })

/** What administrators do about people (API, A16 and H). */
export function userStateOperations(deps: StateDeps): Operation[] {
  return [
    change('POST /users/:id/block', 'Let a user do nothing any more', (id, by) => blockUser(deps, id, by)),
    change('POST /users/:id/unblock', 'Take back that a user is blocked', (id) => unblockUser(deps, id)),
    change('POST /users/:id/activate', 'Take back that a user is deactivated', (id) =>
      activateUser(deps, id),
    ),
    change('POST /users/:id/deactivate', 'Let a user who has not been here for long do nothing', (id, by) =>
      deactivateUser(deps, id, by),
    ),
    change('POST /users/:id/ban', 'Ban a user', (id, by) => banUser(deps, id, by)),
    change('POST /users/:id/unban', 'Take back that a user is banned', (id) => unbanUser(deps, id)),
    operation('POST /users/:id/approve', {
      summary: 'Let a user in who waits for it',
      access: 'administrator',
      params: UserId,
      answers: { 201: Message },
      run: async ({ params }) => approveUser(deps, params.id),
    }),
    operation('PATCH /users/:id/disable_two_factor', {
      summary: 'Take the second factor of a user away',
      access: 'administrator',
      params: UserId,
      answers: { 204: NoBody },
      run: async ({ params }) => {
        await existingUser(deps.database, params.id)
        throw new ApiError(400, {
          message: '400 Bad request - Two-factor authentication is not enabled for this user',
        })
      },
    }),
  ]
}

function change(
  route: Route,
  summary: string,
  work: (id: number, by: User) => Promise<true | null>,
): Operation {
  return operation(route, {
    summary,
    access: 'administrator',
    params: UserId,
    answers: { 201: Changed },
    run: async ({ params, user }) => answer(201, await work(params.id, user)),
  })
}
