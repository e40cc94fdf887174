import { insertMembers, type MembershipRow } from '../../database/stores/member-store.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'

/** Accepts all invitations of an e-mail address that the user has proved to have; returns the memberships, which are new. */
export async function acceptInvitations(
  tx: Transaction,
  user: { id: number; email: string },
): Promise<MembershipRow[]> {
  const invitations = await tx
    .deleteFrom('invitation')
    .where(({ ref }) => sameText(ref('email'), user.email))
    .returning(['project_id', 'group_id', 'access_level', 'expires_at', 'created_by_id'])
    .execute()
  if (invitations.length === 0) return []
  const created_at = Date.now()
  const has = await tx
    .selectFrom('member')
    .select(['project_id', 'group_id'])
    .where('user_id', '=', user.id)
    .execute()
  const rows = invitations
    .filter(({ project_id, group_id }) =>
      has.every((member) => member.project_id !== project_id || member.group_id !== group_id),
    )
    .map((invitation) => ({ ...invitation, user_id: user.id, created_at }))
  return rows.length === 0 ? [] : insertMembers(tx, rows)
}
