import type { Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { everyWay, type Way } from './every-member.js'
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
  const ways = await everyWay(source, viewer, userIds).execute(database)
  return presentWays(ways.rows)
}

/** One source for each user and place: several groups above an invited group count as the invitation. */
function presentWays(ways: readonly Way[]): MemberSource[] {
  const seen = new Set<string>()
  return ways
    .toSorted(
      (one, other) =>
        one.user_id - other.user_id || other.access_level - one.access_level || one.distance - other.distance,
    )
    .flatMap((way) => {
      const kind = KINDS[way.distance] ?? 'direct'
      const place = `${way.user_id} ${kind} ${way.group_id}`
      if (seen.has(place)) return []
      seen.add(place)
      const { user_id, access_level, own_level: member_level } = way
      return [
        { user_id, kind, access_level, member_level, group_name: way.name, group_full_path: way.full_path },
      ]
    })
}

/** By the distance of a membership. */
const KINDS = ['direct', 'group', 'invited_group', 'namespace'] as const
