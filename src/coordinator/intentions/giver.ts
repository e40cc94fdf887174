import { effectiveLevel, membershipLevel } from '../access/access.js'
import type { Project, User } from '../access/caller.js'
import { createProjectLevelsReader, highest } from '../access/membership-levels.js'
import { whyReadOnly } from '../access/read-only.js'
import type { Database } from '../database/connect.js'

/** The user who gave an intention, with the access to a project that they have at this moment. */
export interface Giver {
  user: User
  project: Project
  /** Effective level. */
  accessLevel: number
  /** The level from membership alone. */
  membership: number
}

interface Intention {
  userId: number | null
  projectId: number | null
  /** Whether it can be carried out in a project that is archived or marked for deletion; false by default. */
  isReadOnlyAllowed?: boolean
}

/**
 * Reads who acts when an intention is carried out; within the transaction that acts. Undefined if nobody does: the user
 * is unknown, deleted or blocked, or the project is gone, or cannot be changed unless `isReadOnlyAllowed`.
 */
export async function giverNow(
  database: Database,
  { userId, projectId, isReadOnlyAllowed = false }: Intention,
): Promise<Giver | undefined> {
  if (userId === null || projectId === null) return undefined
  const user = await database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
  const project = await database
    .selectFrom('project')
    .selectAll()
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (user?.state !== 'active' || project?.deletion_started_at !== null) return undefined
  if (!isReadOnlyAllowed && whyReadOnly(project) !== undefined) return undefined
  const { personal, ...memberships } = await createProjectLevelsReader(database)(userId, project)
  const access = { membership: highest({ ...memberships, personal: 0 }), ownsNamespace: personal > 0 }
  return {
    user,
    project,
    accessLevel: effectiveLevel(user, project, access),
    membership: membershipLevel(user, access),
  }
}
