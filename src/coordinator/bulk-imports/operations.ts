import { Readable } from 'node:stream'

import { Type } from 'typebox'

import type { User } from '../access/caller.js'
import type { Database } from '../database/connect.js'
import { apiError, notFound } from '../http/errors.js'
import { type Operation, operation, respond, stream } from '../http/operation.js'
import { page } from '../http/page.js'
import { listFailures } from './item-store.js'
import { presentEntities, presentFailure, presentImport } from './present.js'
import { reportOn, reportText } from './report.js'
import {
  BulkImport,
  Entity,
  EntityId,
  Failure,
  ImportId,
  ListImports,
  Report,
  ReportOptions,
  StartImport,
} from './schema.js'
import { startImport, type StartImportDeps } from './start-import.js'
import {
  type BulkImportEntity,
  findEntity,
  findImport,
  type BulkImport as ImportRow,
  listEntities,
  listImports,
} from './store.js'

export interface BulkImportOperationDeps extends StartImportDeps {
  /** Ends an import that has not ended; false if it has. */
  cancel: (id: number) => Promise<boolean>
}

/** Imports of groups and projects from other servers. Each user sees their own ones. */
export function bulkImportOperations(deps: BulkImportOperationDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /bulk_imports', {
      summary: 'List group and project imports',
      access: 'user',
      params: ListImports,
      responses: { 200: Type.Array(BulkImport) },
      paginated: true,
      run: async ({ params, user, paging }) => {
        const { rows, total } = await listImports(
          database,
          { userId: user.id, status: params.status },
          paging,
        )
        return page(await Promise.all(rows.map((row) => presentImport(database, row))), total)
      },
    }),
    operation('POST /bulk_imports', {
      summary: 'Start a group or project import',
      access: 'user',
      params: StartImport,
      responses: { 201: BulkImport },
      limit: { perMinute: 6 },
      run: async ({ params, user }) =>
        respond(201, await presentImport(database, await startImport(deps, params, user))),
    }),
    operation('GET /bulk_imports/:import_id', {
      summary: 'Get a group or project import',
      access: 'user',
      params: ImportId,
      responses: { 200: BulkImport },
      run: async ({ params, user }) =>
        presentImport(database, await requireImport(database, params.import_id, user)),
    }),
    operation('GET /bulk_imports/:import_id/entities', {
      summary: 'List the groups and projects of an import',
      access: 'user',
      params: ImportId,
      responses: { 200: Type.Array(Entity) },
      paginated: true,
      run: async ({ params, user, paging }) => {
        const { id } = await requireImport(database, params.import_id, user)
        const { rows, total } = await listEntities(database, id, paging)
        return page(await presentEntities(database, rows), total)
      },
    }),
    operation('GET /bulk_imports/:import_id/entities/:entity_id', {
      summary: 'Get a group or project of an import',
      access: 'user',
      params: EntityId,
      responses: { 200: Entity },
      run: async ({ params, user }) => {
        const entity = await requireEntity(database, params, user)
        return (await presentEntities(database, [entity]))[0]
      },
    }),
    operation('GET /bulk_imports/:import_id/entities/:entity_id/failures', {
      summary: 'List what of a group or project could not be imported',
      access: 'user',
      params: EntityId,
      responses: { 200: Type.Array(Failure) },
      paginated: true,
      run: async ({ params, user, paging }) => {
        const row = await requireImport(database, params.import_id, user)
        const { id } = await requireEntity(database, params, user)
        const { rows, total } = await listFailures(database, id, paging)
        return page(
          rows.map((item) => presentFailure(row, item)),
          total,
        )
      },
    }),
    operation('GET /bulk_imports/:import_id/report', {
      summary: 'Get the report of an import, as JSON or as text',
      access: 'user',
      params: ReportOptions,
      responses: { 200: Report },
      run: async ({ params, user }) => {
        const report = await reportOn(database, await requireImport(database, params.import_id, user))
        if (params.format !== 'text') return report
        return stream(Readable.from(reportText(report)), 'text/plain; charset=utf-8')
      },
    }),
    operation('POST /bulk_imports/:import_id/cancel', {
      summary: 'Cancel a group or project import; what is imported stays',
      access: 'user',
      params: ImportId,
      responses: { 200: BulkImport },
      run: async ({ params, user }) => {
        const row = await requireImport(database, params.import_id, user)
        if (!(await deps.cancel(row.id))) throw apiError('bulk_import_ended')
        return presentImport(database, await requireImport(database, row.id, user))
      },
    }),
  ]
}

/** Throws 404 for an unknown import and for one of another user. */
async function requireImport(database: Database, id: number, user: User): Promise<ImportRow> {
  const row = await findImport(database, id)
  if (row?.user_id !== user.id) throw notFound('Bulk Import')
  return row
}

async function requireEntity(
  database: Database,
  { import_id, entity_id }: { import_id: number; entity_id: number },
  user: User,
): Promise<BulkImportEntity> {
  await requireImport(database, import_id, user)
  const entity = await findEntity(database, import_id, entity_id)
  if (!entity) throw notFound('Bulk Import Entity')
  return entity
}
