import type { Selectable } from 'kysely'

import type { Database } from '../../database/connect.js'
import { ownerColumn, ownerColumns } from '../../database/stores/member-store.js'
import type { InvitationTable } from '../../database/tables/members.js'
import { containsText, sameText } from '../../database/text.js'
import { inTransaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { mailInvitation } from './member-mails.js'
import {
  type Actor,
  addMember,
  dayOf,
  listOf,
  type MemberDeps,
  type MemberGrant,
  problemOf,
  refuseLevel,
  refuseLocked,
  resultOf,
} from './members.js'
import type { Invite } from './schema.js'
import { type Source } from './source.js'

export type InvitationRow = Selectable<InvitationTable> & { created_by_name: string | null }

/** Only the form is checked, with one `@`: the user proves the address by confirming it. */
const EMAIL = /^[^\s@]+@[^\s@]+$/

/**
 * Adds members by e-mail address or user ID. An unknown address waits until an account is created with it; it gets a mail,
 * if mails are sent.
 */
export async function invite(deps: MemberDeps, source: Source, params: Invite, actor: Actor) {
  refuseLevel(params.access_level, actor)
  await refuseLocked(deps.database, source)
  const problems: Record<string, string> = {}
  for (const id of listOf(params.user_id ?? '')) {
    const problem = await problemOf(() => addMember(deps, source, id, params, actor))
    if (problem !== undefined) problems[id] = problem
  }
  for (const email of listOf(params.email ?? '')) {
    const problem = await problemOf(() => inviteByEmail(deps, source, email, params, actor))
    if (problem !== undefined) problems[email] = problem
  }
  return resultOf(problems)
}

async function inviteByEmail(
  deps: MemberDeps,
  source: Source,
  email: string,
  grant: MemberGrant,
  actor: Actor,
): Promise<void> {
  if (!EMAIL.test(email)) throw invalidRecord({ invite_email: ['is invalid'] })
  const user = await deps.database
    .selectFrom('user')
    .select('id')
    .where(({ ref }) => sameText(ref('email'), email))
    .executeTakeFirst()
  if (user) await addMember(deps, source, String(user.id), grant, actor)
  else await storeInvitation(deps.database, source, email, grant, actor)
}

async function storeInvitation(
  database: Database,
  source: Source,
  email: string,
  { access_level, expires_at }: MemberGrant,
  { user }: Actor,
): Promise<void> {
  const values = { email, access_level, expires_at: dayOf(expires_at), created_by_id: user?.id ?? null }
  try {
    await inTransaction(database, async (tx) => {
      await tx
        .insertInto('invitation')
        .values({ ...ownerColumns(source), ...values, created_at: Date.now() })
        .execute()
      await mailInvitation(tx, source, values, user)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw apiError('invitation_exists')
    throw error
  }
}

export async function listInvitations(
  database: Database,
  source: Source,
  search: string | undefined,
  paging: Paging,
): Promise<Rows<InvitationRow>> {
  const matching = database
    .selectFrom('invitation')
    .where(`invitation.${ownerColumn(source)}`, '=', source.id)
    .$if(Boolean(search), (query) =>
      query.where(({ ref }) => containsText(ref('invitation.email'), search ?? '')),
    )
  const order = { table: 'invitation', column: 'id', direction: 'asc' } as const
  const { rows, total } = await listRows(database, matching, paging, order)
  return { rows: await withMakers(database, rows), total }
}

async function withMakers(database: Database, rows: Selectable<InvitationTable>[]): Promise<InvitationRow[]> {
  const makers = await usersById(
    database,
    rows.map(({ created_by_id }) => created_by_id),
  )
  return rows.map((row) => ({ ...row, created_by_name: makers.get(row.created_by_id ?? 0)?.name ?? null }))
}

export async function changeInvitation(
  database: Database,
  source: Source,
  email: string,
  changes: { access_level?: number; expires_at?: string | null },
  actor: Actor,
): Promise<InvitationRow> {
  const invitation = await existingInvitation(database, source, email)
  const { access_level = invitation.access_level } = changes
  refuseLevel(access_level, actor)
  const expires_at = changes.expires_at === undefined ? invitation.expires_at : dayOf(changes.expires_at)
  await database
    .updateTable('invitation')
    .set({ access_level, expires_at })
    .where('id', '=', invitation.id)
    .execute()
  return { ...invitation, access_level, expires_at }
}

export async function deleteInvitation(database: Database, source: Source, email: string): Promise<void> {
  const { id } = await existingInvitation(database, source, email)
  await database.deleteFrom('invitation').where('id', '=', id).execute()
}

async function existingInvitation(database: Database, source: Source, email: string): Promise<InvitationRow> {
  const rows = await database
    .selectFrom('invitation')
    .selectAll()
    .where(ownerColumn(source), '=', source.id)
    .where(({ ref }) => sameText(ref('email'), email))
    .execute()
  const [row] = await withMakers(database, rows)
  if (!row) throw notFound()
  return row
}
