import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { type Page, page, type Paging } from '../../http/page.js'
import {
  changeApplication,
  existingApplication,
  presentApplication,
  registerApplication,
  renewSecret,
} from './applications.js'
import { CHANGED_ATTRIBUTES, nameIn } from './audit.js'
import {
  Application,
  ChangeOwnApplication,
  CreateApplication,
  NewApplication,
  OwnApplicationId,
} from './schema.js'
import { deleteApplication, listApplications, type OwnedId } from './store.js'

/** The applications that users have registered themselves (API, N16). */
export function ownApplicationOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /user/applications', {
      summary: 'List OAuth applications of the current user',
      access: 'user',
      responses: { 200: Type.Array(Application) },
      paginated: true,
      run: ({ user, paging }) => listOwned(database, user.id, paging),
    }),
    operation('POST /user/applications', {
      summary: 'Create an OAuth application of the current user',
      access: 'user',
      params: CreateApplication,
      audit: (_call, record) => nameIn(record),
      responses: { 201: NewApplication },
      run: async ({ user, params }) => registerApplication(database, user.id, params),
    }),
    operation('PUT /user/applications/:application_id', {
      summary: 'Change an OAuth application of the current user',
      access: 'user',
      params: ChangeOwnApplication,
      audit: (_call, record) => nameIn(record),
      changes: {
        attributes: CHANGED_ATTRIBUTES,
        before: async ({ user, params }) =>
          presentApplication(
            await existingApplication(database, { id: params.application_id, owner: user.id }),
          ),
      },
      responses: { 200: Application },
      run: async ({ user, params }) =>
        changeApplication(database, { id: params.application_id, owner: user.id }, params),
    }),
    operation('POST /user/applications/:application_id/renew-secret', {
      summary: 'Create another secret for an OAuth application of the current user',
      access: 'user',
      params: OwnApplicationId,
      audit: (_call, record) => nameIn(record),
      responses: { 200: NewApplication },
      run: async ({ user, params }) => renewSecret(database, { id: params.application_id, owner: user.id }),
    }),
    operation('DELETE /user/applications/:application_id', {
      summary: 'Delete an OAuth application of the current user with its tokens',
      access: 'user',
      params: OwnApplicationId,
      responses: { 204: NoBody },
      run: ({ user, params }) => deleteOwned(database, { id: params.application_id, owner: user.id }),
    }),
  ]
}

/** A page of the applications that a user has registered. */
export async function listOwned(database: Database, userId: number, paging: Paging): Promise<Page> {
  const { rows, total } = await listApplications(database, userId, paging)
  return page(rows.map(presentApplication), total)
}

/** Throws 404 if the user has registered no such application. */
export async function deleteOwned(database: Database, owned: OwnedId): Promise<ApiResponse> {
  if (!(await deleteApplication(database, owned))) throw notFound('Application')
  return respond(204)
}
