import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import {
  changeApplication,
  createApplication,
  existingApplication,
  presentApplication,
  renewSecret,
} from './applications.js'
import { CHANGED_ATTRIBUTES, nameIn } from './audit.js'
import {
  Application,
  ApplicationId,
  ChangeInstanceApplication,
  CreateApplication,
  NewApplication,
} from './schema.js'
import { deleteApplication, listApplications } from './store.js'

/** OAuth 2.0 applications, to which users can grant access (API, A14). */
export function applicationOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /applications', {
      summary: 'List OAuth applications',
      access: 'administrator',
      responses: { 200: Type.Array(Application) },
      paginated: true,
      run: async ({ paging }) => {
        const { rows, total } = await listApplications(database, null, paging)
        return page(rows.map(presentApplication), total)
      },
    }),
    operation('POST /applications', {
      summary: 'Create an OAuth application',
      access: 'administrator',
      params: CreateApplication,
      audit: (_call, record) => nameIn(record),
      responses: { 201: NewApplication },
      run: async ({ params }) => createApplication(database, params),
    }),
    operation('PUT /applications/:id', {
      summary: 'Change an OAuth application',
      access: 'administrator',
      params: ChangeInstanceApplication,
      audit: (_call, record) => nameIn(record),
      changes: {
        attributes: CHANGED_ATTRIBUTES,
        before: async ({ params }) =>
          presentApplication(await existingApplication(database, { id: params.id, owner: null })),
      },
      responses: { 200: Application },
      run: async ({ params }) => changeApplication(database, { id: params.id, owner: null }, params),
    }),
    operation('POST /applications/:id/renew-secret', {
      summary: 'Create another secret for an OAuth application',
      access: 'administrator',
      params: ApplicationId,
      audit: (_call, record) => nameIn(record),
      responses: { 200: NewApplication },
      run: async ({ params }) => renewSecret(database, { id: params.id, owner: null }),
    }),
    operation('DELETE /applications/:id', {
      summary: 'Delete an OAuth application with its tokens',
      access: 'administrator',
      params: ApplicationId,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        if (!(await deleteApplication(database, { id: params.id, owner: null }))) throw notFound()
        return respond(204)
      },
    }),
  ]
}
