import type { User } from '../../access/caller.js'
import { GROUP_RULES } from '../../access/permissions.js'
import { isMemberOfGroup } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import { type ApiError, forbidden } from '../../http/errors.js'

/**
 * Checks that a project's labels or milestones may become those of its namespace: throws `noGroup()` unless that is a
 * group, and 403 for users without the permission in it.
 */
export async function checkMayPromote(
  database: Database,
  user: User,
  {
    namespaceId,
    permission,
    noGroup,
  }: {
    namespaceId: number
    permission: 'manage_group_labels' | 'manage_group_milestones'
    noGroup: () => ApiError
  },
): Promise<void> {
  const { level } = GROUP_RULES[permission]
  const namespace = await database
    .selectFrom('namespace')
    .select('kind')
    .select(() => isMemberOfGroup(user.id, level).as('is_allowed'))
    .where('id', '=', namespaceId)
    .executeTakeFirst()
  if (namespace?.kind !== 'group') throw noGroup()
  if (!namespace.is_allowed && !user.is_admin) throw forbidden()
}
