import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import type { ProjectPermission } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import { createProjectAccessReader } from '../../hosting/projects/find-project.js'
import { accessIn } from '../../http/handle-operation.js'

/** Checks the permission of a user in a project. Must not be called within a transaction. */
export function mayInProject(
  database: Database,
): (permission: ProjectPermission, user: User | undefined, project: Project) => Promise<boolean> {
  const projectAccessOf = createProjectAccessReader(database)
  return async (permission, user, project) =>
    may(permission, { project, ...(await accessIn({ projectAccessOf }, user, project)) })
}
