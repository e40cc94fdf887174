import type { Database } from './connect.js'

/** IDs of the protection rules of a project that allow this user an action, whatever the role of the user. */
export async function rulesNaming(
  database: Database,
  { projectId, userId, actions }: { projectId: number; userId: number; actions: ('push' | 'merge')[] },
): Promise<Set<number>> {
  const rows = await database
    .selectFrom('protected_ref_access as access')
    .innerJoin('protected_ref', 'protected_ref.id', 'access.protected_ref_id')
    .select('protected_ref.id')
    .where('protected_ref.project_id', '=', projectId)
    .where('access.action', 'in', actions)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('access.user_id', '=', userId),
        // Members of the group and of its ancestors.
        exists(
          selectFrom('group_tree')
            .innerJoin('member', 'member.group_id', 'group_tree.ancestor_id')
            .select('member.id')
            .whereRef('group_tree.group_id', '=', 'access.group_id')
            .where('member.user_id', '=', userId)
            .where(({ or, eb }) =>
              or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', Date.now())]),
            ),
        ),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
