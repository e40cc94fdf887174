import { Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import { NoBody, type Operation, operation, respond, type Route } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { Nullable } from '../../../http/parameters/types.js'
import { turnOff } from '../../two-factor/factors.js'
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

const Changed = described(Nullable(Type.Boolean()), '`true`; null if the user was in this state already.')

const Message = Type.Object({ message: described(Type.String(), 'Result of the request.') })

/** State changes of users by administrators (API, A16 and H). */
export function userStateOperations(deps: StateDeps): Operation[] {
  return [
    change('POST /users/:id/block', 'Block a user', (id, by) => blockUser(deps, id, by)),
    change('POST /users/:id/unblock', 'Unblock a user', (id) => unblockUser(deps, id)),
    change('POST /users/:id/activate', 'Activate a user', (id) => activateUser(deps, id)),
    change('POST /users/:id/deactivate', 'Deactivate a user without recent activity', (id, by) =>
      deactivateUser(deps, id, by),
    ),
    change('POST /users/:id/ban', 'Ban a user', (id, by) => banUser(deps, id, by)),
    change('POST /users/:id/unban', 'Unban a user', (id) => unbanUser(deps, id)),
    operation('POST /users/:id/approve', {
      summary: 'Approve a user pending approval',
      access: 'administrator',
      params: UserId,
      responses: { 201: Message },
      run: async ({ params }) => approveUser(deps, params.id),
    }),
    operation('PATCH /users/:id/disable_two_factor', {
      summary: 'Disable two-factor authentication of a user',
      access: 'administrator',
      params: UserId,
      responses: { 204: NoBody },
      needsConfirmation: true,
      audit: () => ({ custom_message: 'Turned two-factor authentication off' }),
      run: async ({ params }) => {
        await existingUser(deps.database, params.id)
        await turnOff(deps.database, params.id)
        return respond(204)
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
    responses: { 201: Changed },
    run: async ({ params, user }) => respond(201, await work(params.id, user)),
  })
}
