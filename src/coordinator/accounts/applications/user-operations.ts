import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { NoBody, type Operation, operation } from '../../http/operation.js'
import { UserId } from '../users/record/schema.js'
import { existingUser } from '../users/users.js'
import { listAuthorized, revokeAuthorized } from './authorized-operations.js'
import { AuthorizedApplication, AuthorizedApplicationId } from './authorized-schema.js'
import { deleteOwned, listOwned } from './own-operations.js'
import { Application, OwnApplicationId } from './schema.js'

/** The applications that a user has registered or authorized, for administrators (API, N15). */
export function userApplicationOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /users/:id/applications', {
      summary: 'List OAuth applications of a user',
      access: 'administrator',
      params: UserId,
      responses: { 200: Type.Array(Application) },
      paginated: true,
      run: async ({ params, paging }) => {
        const owner = await existingUser(database, params.id)
        return listOwned(database, owner.id, paging)
      },
    }),
    operation('DELETE /users/:id/applications/:application_id', {
      summary: 'Delete an OAuth application of a user with its tokens',
      access: 'administrator',
      params: Type.Object({ ...UserId.properties, ...OwnApplicationId.properties }),
      responses: { 204: NoBody },
      run: async ({ params }) => {
        const owner = await existingUser(database, params.id)
        return deleteOwned(database, { id: params.application_id, owner: owner.id })
      },
    }),
    operation('GET /users/:id/authorized_applications', {
      summary: 'List the applications that a user has authorized',
      access: 'administrator',
      params: UserId,
      responses: { 200: Type.Array(AuthorizedApplication) },
      run: async ({ params, user: viewer }) => {
        const user = await existingUser(database, params.id)
        return listAuthorized(database, viewer, user.id)
      },
    }),
    operation('DELETE /users/:id/authorized_applications/:application_id', {
      summary: 'Revoke the access of an application to the account of a user',
      access: 'administrator',
      params: Type.Object({ ...UserId.properties, ...AuthorizedApplicationId.properties }),
      responses: { 204: NoBody },
      run: async ({ params }) => {
        const user = await existingUser(database, params.id)
        return revokeAuthorized(database, { userId: user.id, applicationId: params.application_id })
      },
    }),
  ]
}
