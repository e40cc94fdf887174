import { may } from '../access/access.js'
import type { Project, User } from '../access/caller.js'
import type { ProjectPermission } from '../access/permissions.js'
import type { Database } from '../database/connect.js'
import { createProjectAccessReader } from '../hosting/projects/find-project.js'
import { accessIn } from '../http/handle-operation.js'

/** Tells whether somebody may do something in a project. Not to be asked within a transaction. */
export function mayInProject(
  database: Database,
): (permission: ProjectPermission, user: User, project: Project) => Promise<boolean> {
  const projectAccessOf = createProjectAccessReader(database)
  return async (permission, user, project) =>
    may(permission, { project, ...(await accessIn({ projectAccessOf }, user, project)) })
}
