import { insertMembers, type MembershipRow } from '../../database/stores/member-store.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'

/** Accepts all invitations of an e-mail address for a new user; returns the memberships. */
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
  const rows = invitations.map((invitation) => ({ ...invitation, user_id: user.id, created_at }))
  return insertMembers(tx, rows)
}
