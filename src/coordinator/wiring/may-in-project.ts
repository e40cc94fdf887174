import type { Database } from '../database/connect.js'
import { may } from '../http/access.js'
import { standingIn } from '../http/handle-operation.js'
import type { Project, User } from '../http/operation.js'
import type { ProjectPermission } from '../http/permissions.js'
import { createStandingReader } from '../resources/projects/find-project.js'

/** Tells whether somebody may do something in a project. Not to be asked within a transaction. */
export function mayInProject(
  database: Database,
): (permission: ProjectPermission, user: User, project: Project) => Promise<boolean> {
  const standingOf = createStandingReader(database)
  return async (permission, user, project) =>
    may(permission, { project, ...(await standingIn({ standingOf }, user, project)) })
}
