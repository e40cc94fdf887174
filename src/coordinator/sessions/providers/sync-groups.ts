import { lockRow } from '../../database/lock-row.js'
import { deleteMemberRow, insertMember, updateMember } from '../../database/stores/member-store.js'
import type { Transaction } from '../../database/transaction.js'
import { emitMemberEvents } from '../../integrations/webhooks/outbox/emit-member-events.js'
import { scimGroupsOf } from './managed-accounts.js'
import { grantsOf, type HeldMembership, planMemberships } from './map-groups.js'
import type { ProvenIdentity, Provider } from './provider.js'

/**
 * Gives the user the memberships that the groups of the identity mean, and takes away those that it has given before.
 * Groups that do not exist are left out. SCIM groups of the provider decide instead of the claim, if there are any and it
 * manages the account.
 */
export async function syncGroups(
  tx: Transaction,
  userId: number,
  { name, rules }: Pick<Provider, 'name' | 'rules'>,
  { groups }: Pick<ProvenIdentity, 'groups'>,
): Promise<void> {
  // A sign-in and a change of SCIM groups at the same time must not undo each other.
  await lockRow(tx, 'user', userId)
  const values = (await scimGroupsOf(tx, userId, name)) ?? groups
  const wanted = await idsOf(tx, grantsOf(rules.groups, values))
  const plan = planMemberships(wanted, await membershipsOf(tx, userId, name))
  for (const { groupId, accessLevel } of plan.add) await add(tx, userId, { groupId, accessLevel, name })
  for (const { groupId, accessLevel } of plan.change) {
    const set = { access_level: accessLevel, expires_at: null }
    await emitMemberEvents(tx, 'updated', await updateMember(tx, groupOf(groupId), userId, set))
  }
  for (const groupId of plan.remove) {
    await emitMemberEvents(tx, 'removed', await deleteMemberRow(tx, groupOf(groupId), userId))
  }
}

function groupOf(id: number): { kind: 'group'; id: number } {
  return { kind: 'group', id }
}

async function add(
  tx: Transaction,
  userId: number,
  { groupId, accessLevel, name }: { groupId: number; accessLevel: number; name: string },
): Promise<void> {
  const added = await insertMember(tx, groupOf(groupId), {
    user_id: userId,
    access_level: accessLevel,
    expires_at: null,
    created_by_id: null,
  })
  if (!added) return // a request at the same time has made it
  const mark = { member_id: added.id, provider: name }
  await tx
    .insertInto('provider_membership')
    .values(mark)
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(mark))
    .execute()
  await emitMemberEvents(tx, 'added', [added])
}

/** Levels by ID of the group. */
async function idsOf(tx: Transaction, grants: ReadonlyMap<string, number>): Promise<Map<number, number>> {
  if (grants.size === 0) return new Map()
  const rows = await tx
    .selectFrom('namespace')
    .select(['id', 'full_path'])
    .where('kind', '=', 'group')
    .where('full_path', 'in', [...grants.keys()])
    .execute()
  return new Map(rows.map(({ id, full_path }) => [id, grants.get(full_path) ?? 0]))
}

/** Direct memberships of groups that have not expired. */
async function membershipsOf(tx: Transaction, userId: number, provider: string): Promise<HeldMembership[]> {
  const rows = await tx
    .selectFrom('member')
    .leftJoin('provider_membership as mark', 'mark.member_id', 'member.id')
    .select(['member.group_id', 'member.access_level', 'mark.provider'])
    .where('member.user_id', '=', userId)
    .where('member.group_id', 'is not', null)
    .where(({ or, eb }) =>
      or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', Date.now())]),
    )
    .execute()
  return rows.flatMap(({ group_id, access_level, provider: giver }) =>
    group_id === null ? [] : { groupId: group_id, accessLevel: access_level, isMapped: giver === provider },
  )
}
