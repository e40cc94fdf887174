import { effectiveLevel, may, membershipLevel } from '../../../access/access.js'
import type { Project, User } from '../../../access/caller.js'
import { highest, type Levels, levelsOfUsers, NO_LEVELS } from '../../../access/membership-levels.js'
import type { Database } from '../../../database/connect.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'

/** Whether the user may approve: developers, and authors only where the project says so. */
export function mayApprove(
  caller: { project: Project; user: User | undefined; accessLevel: number; membership: number },
  { author_id }: Pick<MergeRequestRow, 'author_id'>,
): boolean {
  const { user, project } = caller
  if (!user || !may('manage_merge_requests', caller)) return false
  return user.id !== author_id || project.merge_requests_author_approval
}

/** The users among these who are active and developers of the project, with what they may; not more than that. */
export class Approvers {
  private constructor(
    private readonly project: Project,
    private readonly users: ReadonlyMap<number, User>,
    private readonly levels: ReadonlyMap<number, Levels>,
  ) {}

  /** Reads them in a few queries. */
  static async read(database: Database, project: Project, userIds: Iterable<number>): Promise<Approvers> {
    const ids = [...new Set(userIds)]
    const users = new Map<number, User>()
    for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT) {
      const some = ids.slice(start, start + IDS_PER_STATEMENT)
      const rows = await database.selectFrom('user').selectAll().where('id', 'in', some).execute()
      for (const user of rows) if (user.state === 'active') users.set(user.id, user)
    }
    const levels = await levelsOfUsers(database, project, [...users.keys()])
    return new Approvers(project, users, levels)
  }

  /** Whether the user may approve the merge request at this moment. */
  has(userId: number, row: Pick<MergeRequestRow, 'author_id'>): boolean {
    const { project } = this
    const user = this.users.get(userId)
    if (!user) return false
    const { personal, ...memberships } = this.levels.get(userId) ?? NO_LEVELS
    const access = { membership: highest({ ...memberships, personal: 0 }), ownsNamespace: personal > 0 }
    const accessLevel = effectiveLevel(user, project, access)
    return mayApprove({ user, project, accessLevel, membership: membershipLevel(user, access) }, row)
  }
}

/** Databases limit the number of values in a statement. */
const IDS_PER_STATEMENT = 500
