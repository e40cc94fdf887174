import type { Selectable } from 'kysely'

import type { MemberTable } from '../../database/tables/members.js'
import { sameText } from '../../database/text.js'
import type { Transaction } from '../../database/transaction.js'

/** Accepts all invitations of an e-mail address for a new user; returns the memberships. */
export async function acceptInvitations(
  tx: Transaction,
  user: { id: number; email: string },
): Promise<Selectable<MemberTable>[]> {
  const invitations = await tx
    .deleteFrom('invitation')
    .where(({ ref }) => sameText(ref('email'), user.email))
    .returning(['project_id', 'group_id', 'access_level', 'expires_at', 'created_by_id'])
    .execute()
  if (invitations.length === 0) return []
  const created_at = Date.now()
  return tx
    .insertInto('member')
    .values(invitations.map((invitation) => ({ ...invitation, user_id: user.id, created_at })))
    .returningAll()
    .execute()
}
