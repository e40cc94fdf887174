import type { AuditDetails } from '../../../database/tables/audit-events.js'
import { type Operation, operation, respond } from '../../../http/operation.js'
import { signedIn } from '../../../http/viewer.js'
import type { ProjectRecords } from '../record/records.js'
import { Accepted, FullProject } from '../record/schema.js'
import { RemoveProject } from '../settings/parameters.js'
import { deleteOrMark, type DeletionDeps } from './delete-or-mark.js'
import { restoreProject } from './mark-for-deletion.js'

export function deletionOperations(deps: DeletionDeps, records: ProjectRecords): Operation[] {
  /** Projects that requests have only marked, for the audit trail. */
  const marked = new WeakSet<object>()
  return [
    operation('DELETE /projects/:id', {
      summary: 'Delete a project',
      access: 'remove_project',
      params: RemoveProject,
      audit: ({ project }): AuditDetails =>
        project && marked.has(project)
          ? { change: 'project', custom_message: 'Mark a project for deletion' }
          : {},
      responses: { 202: Accepted },
      modifiedAt: async ({ project }) => project.updated_at,
      run: async ({ project, user, params }) => {
        if (await deleteOrMark(deps, project, signedIn(user), params)) marked.add(project)
        return respond(202, { message: '202 Accepted' })
      },
    }),
    operation('POST /projects/:id/restore', {
      summary: 'Restore a project that is marked for deletion',
      access: 'remove_project',
      changes: {
        attributes: ['path_with_namespace'],
        before: async ({ project }) => ({ path_with_namespace: project.full_path }),
      },
      responses: { 201: FullProject },
      run: async ({ project, user }) =>
        records.full(await restoreProject(deps.database, project), signedIn(user)),
    }),
  ]
}
