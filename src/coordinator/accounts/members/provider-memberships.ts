import { deleteMemberRow } from '../../database/stores/member-store.js'
import type { Transaction } from '../../database/transaction.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'

/** Takes away the memberships that a user has from the groups at an identity provider. */
export async function removeProviderMemberships(
  tx: Transaction,
  userId: number,
  provider: string,
): Promise<void> {
  const given = await tx
    .selectFrom('member')
    .innerJoin('provider_membership as mark', 'mark.member_id', 'member.id')
    .select('member.group_id')
    .where('member.user_id', '=', userId)
    .where('mark.provider', '=', provider)
    .execute()
  for (const { group_id: id } of given) {
    if (id === null) continue
    await emitMemberEvents(tx, 'removed', await deleteMemberRow(tx, { kind: 'group', id }, userId))
  }
}
