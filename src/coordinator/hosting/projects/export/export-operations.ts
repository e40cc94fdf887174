import { Type } from 'typebox'

import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import { apiError } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import type { ProjectRecords } from '../record/records.js'
import { Accepted } from '../record/schema.js'
import { ExportStatus, RequestExport } from './export-schema.js'
import { downloadExport, type ExportDeps, exportStatus, startExport } from './exports.js'

/** Rate limit; a client that waits for its archive needs fewer requests. */
const LIMIT = { perMinute: 6 }

export function exportOperations(deps: ExportDeps, records: ProjectRecords): Operation[] {
  return [
    operation('GET /projects/:id/export', {
      summary: 'Get the status of a project export',
      access: 'admin_project',
      responses: { 200: ExportStatus },
      run: async ({ project }) => exportStatus(deps, await records.simple(project)),
    }),
    operation('POST /projects/:id/export', {
      summary: 'Start a project export; its archive is kept for one day',
      access: 'admin_project',
      params: RequestExport,
      responses: { 202: Accepted },
      limit: LIMIT,
      run: async ({ project, params }) => {
        const { project_export_enabled } = await effectiveSettings(deps.database, 'project_export_enabled')
        if (!project_export_enabled) throw apiError('export_disabled')
        await startExport(deps, project, params)
        return respond(202, { message: '202 Accepted' })
      },
    }),
    operation('GET /projects/:id/export/download', {
      summary: 'Download a project export',
      access: 'admin_project',
      responses: {
        200: Type.String({ format: 'binary', description: 'Archive of the project, as tar.gz.' }),
        302: NoBody,
      },
      run: ({ project, request }) => downloadExport(deps, project, { mayRedirect: request.method === 'GET' }),
    }),
  ]
}
