import { DEVELOPER, MAINTAINER } from '../../../../access/access-levels.js'
import type { Database } from '../../../../database/connect.js'
import type { ProjectRow, UserRow } from '../../../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../../engine-deps.js'
import type { EnvironmentProtection, ProtectedEnvironmentEntryRow } from './find-protections.js'

/** Access levels in entries; a role includes all higher levels. */
export const ENTRY_LEVELS = { developer: DEVELOPER, maintainer: MAINTAINER, administrator: 60 } as const

/** A user as the entries of a protected environment see them. */
export interface Candidate {
  userId: number
  isAdmin: boolean
  /** Access level in the project; 0 for an inactive user. */
  level: number
  /** Groups that the user is a direct member of. */
  groups: ReadonlySet<number>
  /** These groups and their subgroups. */
  inheritedGroups: ReadonlySet<number>
}

/** Reads the facts about a user that `fitsEntry` needs. `database` may be a transaction. */
export async function readCandidate(
  { outside }: Pick<EngineDeps, 'outside'>,
  database: Database,
  user: UserRow,
  project: ProjectRow,
): Promise<Candidate> {
  const isActive = user.state === 'active'
  const rows = await database
    .selectFrom('member')
    .innerJoin('group_tree', 'group_tree.ancestor_id', 'member.group_id')
    .select(['group_tree.group_id', 'group_tree.ancestor_id'])
    .where('member.user_id', '=', user.id)
    .where(({ or, eb }) =>
      or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', Date.now())]),
    )
    .execute()
  return {
    userId: user.id,
    isAdmin: isActive && user.is_admin,
    level: isActive ? await outside.levelOf(user, project, database) : 0,
    groups: new Set(rows.map(({ ancestor_id }) => ancestor_id)),
    inheritedGroups: new Set(rows.map(({ group_id }) => group_id)),
  }
}

/**
 * Whether the entry matches this user. A user or group member that an entry names must also be a developer of
 * the project.
 */
export function fitsEntry(
  candidate: Candidate,
  {
    access_level,
    user_id,
    group_id,
    group_inheritance_type,
  }: Pick<ProtectedEnvironmentEntryRow, 'access_level' | 'user_id' | 'group_id' | 'group_inheritance_type'>,
): boolean {
  if (access_level === ENTRY_LEVELS.administrator) return candidate.isAdmin
  if (candidate.level < ENTRY_LEVELS.developer) return false
  if (access_level !== null) return candidate.level >= access_level
  if (user_id !== null) return candidate.userId === user_id
  if (group_id === null) return false
  return (group_inheritance_type === 1 ? candidate.inheritedGroups : candidate.groups).has(group_id)
}

/** Whether the user may deploy by all rules of an environment; administrators always may. */
export function isDeployer(candidate: Candidate, protections: EnvironmentProtection[]): boolean {
  return (
    candidate.isAdmin ||
    protections.every(({ deployers }) => deployers.some((entry) => fitsEntry(candidate, entry)))
  )
}
