import { OWNER } from '../../../access/access-levels.js'
import { isLive } from '../../../access/is-live.js'
import type { Database } from '../../../database/connect.js'

/** IDs of the groups without another owner. */
export async function soleOwnedGroups(database: Database, userId: number): Promise<number[]> {
  const now = Date.now()
  const rows = await database
    .selectFrom('member')
    .select('member.group_id')
    .where('member.user_id', '=', userId)
    .where('member.group_id', 'is not', null)
    .where('member.access_level', '>=', OWNER)
    .where(isLive('member', now))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member as other')
            .innerJoin('user as co_owner', 'co_owner.id', 'other.user_id')
            .select('other.id')
            .whereRef('other.group_id', '=', 'member.group_id')
            .where('other.user_id', '!=', userId)
            .where('other.access_level', '>=', OWNER)
            .where(({ or, eb }) => or([eb('other.expires_at', 'is', null), eb('other.expires_at', '>', now)]))
            .where('co_owner.kind', '=', 'human'),
        ),
      ),
    )
    .execute()
  return rows.flatMap(({ group_id }) => (group_id === null ? [] : [group_id]))
}

/** The group and its descendants, innermost first. */
export async function groupsInnermostFirst(database: Database, groupId: number): Promise<number[]> {
  const rows = await database
    .selectFrom('group_tree')
    .innerJoin('namespace', 'namespace.id', 'group_tree.group_id')
    .select(['namespace.id', 'namespace.full_path'])
    .where('group_tree.ancestor_id', '=', groupId)
    .execute()
  return rows.sort((one, other) => other.full_path.length - one.full_path.length).map(({ id }) => id)
}
