import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { AuditDetails } from '../../database/tables/audit-events.js'
import { notFound } from '../../http/errors.js'
import { answer, NoBody, type Operation, operation, page } from '../../http/operation.js'
import { createApplication, presentApplication } from './applications.js'
import { Application, ApplicationId, CreateApplication, NewApplication } from './schema.js'
import { deleteApplication, listApplications } from './store.js'

/** OAuth 2.0 applications, to which users can grant access (API, A14). */
export function applicationOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /applications', {
      summary: 'List OAuth applications',
      access: 'administrator',
      answers: { 200: Type.Array(Application) },
      paginated: true,
      run: async ({ paging }) => {
        const { rows, total } = await listApplications(database, paging)
        return page(rows.map(presentApplication), total)
      },
    }),
    operation('POST /applications', {
      summary: 'Create an OAuth application',
      access: 'administrator',
      params: CreateApplication,
      audit: (_call, record) => nameIn(record),
      answers: { 201: NewApplication },
      run: async ({ params }) => createApplication(database, params),
    }),
    operation('DELETE /applications/:id', {
      summary: 'Delete an OAuth application with its tokens',
      access: 'administrator',
      params: ApplicationId,
      answers: { 204: NoBody },
      run: async ({ params }) => {
        if (!(await deleteApplication(database, params.id))) throw notFound()
        return answer(204)
      },
    }),
  ]
}

function nameIn({ application_name: name }: Record<string, unknown>): AuditDetails {
  return typeof name === 'string' ? { target_details: name } : {}
}
