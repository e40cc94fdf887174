import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { type Operation, operation, respond } from '../../../http/operation.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { signedIn } from '../../../http/viewer.js'
import { problemsOf } from '../import-store.js'
import { projectHeading } from '../record/project-heading.js'
import type { ProjectRecords } from '../record/records.js'
import type { SimpleProject } from '../record/schema.js'
import { ImportArchive, ImportStatus } from './import-archive-schema.js'
import { startImport, type StartImportDeps } from './start-import.js'

/** Rate limit; a client that waits for its import needs fewer requests. */
const LIMIT = { perMinute: 6 }

export function importOperations(deps: StartImportDeps, records: ProjectRecords): Operation[] {
  const { database } = deps
  return [
    operation('POST /projects/import', {
      summary: 'Import a project from an archive',
      access: 'user',
      params: ImportArchive,
      responses: { 201: ImportStatus },
      limit: LIMIT,
      run: async ({ params, user }) => {
        const project = await startImport(deps, params, signedIn(user))
        return respond(201, await presentImport(database, project, await records.simple(project)))
      },
    }),
    operation('GET /projects/:id/import', {
      summary: 'Get the status of a project import',
      access: 'read_project',
      responses: { 200: ImportStatus },
      run: async ({ project }) => presentImport(database, project, await records.simple(project)),
    }),
  ]
}

async function presentImport(
  database: Database,
  project: Project,
  simple: SimpleProject,
): Promise<ImportStatus> {
  const { import_status, import_type, import_error } = project
  const problems = await problemsOf(database, simple.id)
  return {
    ...projectHeading(simple),
    import_status,
    import_type,
    import_error,
    correlation_id: null,
    failed_relations: problems.map(({ id, created_at, message, part, line }) => ({
      id,
      created_at: isoTime(created_at),
      relation_name: part,
      line_number: line,
      exception_class: 'ImportError',
      exception_message: message,
      source: 'archive',
    })),
    stats: null,
  }
}
