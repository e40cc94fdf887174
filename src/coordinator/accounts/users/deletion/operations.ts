import { Type } from 'typebox'

import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { described } from '../../../http/parameters/described.js'
import { DeleteUser, UserId } from '../record/schema.js'
import { deleteUser, rejectUser, type RemovalDeps } from './delete-user.js'

export function userRemovalOperations(deps: RemovalDeps): Operation[] {
  return [
    operation('DELETE /users/:id', {
      summary: 'Delete a user with their personal projects',
      access: 'administrator',
      params: DeleteUser,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await deleteUser(deps, params.id, params.hard_delete)
        return respond(204)
      },
    }),
    operation('POST /users/:id/reject', {
      summary: 'Reject a user pending approval',
      access: 'administrator',
      params: UserId,
      responses: { 201: Type.Object({ message: described(Type.String(), 'Result of the request.') }) },
      run: async ({ params }) => rejectUser(deps, params.id),
    }),
  ]
}
