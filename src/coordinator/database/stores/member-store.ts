import type { Insertable, Selectable } from 'kysely'

import type { MemberTable } from '../tables/members.js'
import type { Transaction } from '../transaction.js'
import { groupsIn } from './namespace-store.js'

export type MembershipRow = Selectable<MemberTable>

/** The project or group whose members are meant. */
export interface MembersOf {
  kind: 'project' | 'group'
  id: number
}

/** The columns of a row that belongs to it. */
export function ownerColumns({ kind, id }: MembersOf): { project_id: number } | { group_id: number } {
  return kind === 'project' ? { project_id: id } : { group_id: id }
}

/** The column that names it. */
export function ownerColumn({ kind }: MembersOf): 'project_id' | 'group_id' {
  return kind === 'project' ? 'project_id' : 'group_id'
}

/** Dates are milliseconds since 1970. */
export interface NewMember {
  user_id: number
  access_level: number
  expires_at: number | null
  created_by_id: number | null
}

/** Replaces a membership that has expired. Undefined when there is one that has not. */
export async function insertMember(
  tx: Transaction,
  source: MembersOf,
  values: NewMember,
): Promise<MembershipRow | undefined> {
  const now = Date.now()
  const row = { ...values, created_at: now }
  return tx
    .insertInto('member')
    .values({ ...row, ...ownerColumns(source) })
    .onConflict((conflict) =>
      conflict
        .columns([ownerColumn(source), 'user_id'])
        .doUpdateSet(row)
        .where('member.expires_at', '<=', now),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Memberships of users, projects or groups that are new, so that no membership is in the way. */
export function insertMembers(tx: Transaction, rows: Insertable<MemberTable>[]): Promise<MembershipRow[]> {
  return tx.insertInto('member').values(rows).returningAll().execute()
}

export function updateMember(
  tx: Transaction,
  source: MembersOf,
  userId: number,
  set: Pick<NewMember, 'access_level' | 'expires_at'>,
): Promise<MembershipRow[]> {
  return tx
    .updateTable('member')
    .set(set)
    .where(ownerColumn(source), '=', source.id)
    .where('user_id', '=', userId)
    .returningAll()
    .execute()
}

/** Returns the deleted rows. */
export function deleteMemberRow(
  tx: Transaction,
  source: MembersOf,
  userId: number,
): Promise<MembershipRow[]> {
  return tx
    .deleteFrom('member')
    .where(ownerColumn(source), '=', source.id)
    .where('user_id', '=', userId)
    .returningAll()
    .execute()
}

/** Deletes the user's memberships in a group's projects and in the group with its subgroups. Returns the deleted rows. */
export function deleteMemberRowsBelow(
  tx: Transaction,
  groupId: number,
  userId: number,
): Promise<MembershipRow[]> {
  const groups = groupsIn(groupId)
  return tx
    .deleteFrom('member')
    .where('user_id', '=', userId)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('group_id', 'in', groups),
        eb('project_id', 'in', selectFrom('project').select('id').where('namespace_id', 'in', groups)),
      ]),
    )
    .returningAll()
    .execute()
}

/** Returns the deleted rows. */
export function deleteMembershipsOfUser(tx: Transaction, userId: number): Promise<MembershipRow[]> {
  return tx.deleteFrom('member').where('user_id', '=', userId).returningAll().execute()
}

/** Deletes those of the rows that have expired by `now`. Returns the deleted rows. */
export function deleteExpiredMemberRows(
  tx: Transaction,
  ids: number[],
  now: number,
): Promise<MembershipRow[]> {
  return tx
    .deleteFrom('member')
    .where('id', 'in', ids)
    .where('expires_at', '<=', now)
    .returningAll()
    .execute()
}
