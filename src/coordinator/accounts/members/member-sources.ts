import type { Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { type MembershipPath, membershipPaths } from './every-member.js'
import type { MemberSource } from './schema.js'
import type { Source } from './source.js'

/**
 * The memberships from which users have their access levels, the deciding one of each user first. Invited groups that the
 * viewer may not see are left out, as in the list of members.
 */
export async function memberSources(
  database: Database,
  source: Source,
  viewer: Viewer,
  userIds: number[],
): Promise<MemberSource[]> {
  const paths = await membershipPaths(source, viewer, userIds).execute(database)
  return presentMembershipPaths(paths.rows)
}

/** One source for each user and place: several groups above an invited group count as the invitation. */
function presentMembershipPaths(paths: readonly MembershipPath[]): MemberSource[] {
  const seen = new Set<string>()
  return paths
    .toSorted(
      (one, other) =>
        one.user_id - other.user_id || other.access_level - one.access_level || one.distance - other.distance,
    )
    .flatMap((path) => {
      const kind = KINDS[path.distance] ?? 'direct'
      const place = `${path.user_id} ${kind} ${path.group_id}`
      if (seen.has(place)) return []
      seen.add(place)
      const { user_id, access_level, own_level: member_level } = path
      return [
        { user_id, kind, access_level, member_level, group_name: path.name, group_full_path: path.full_path },
      ]
    })
}

/** Ordered by the distance of a membership. */
const KINDS = ['direct', 'group', 'invited_group', 'namespace'] as const
