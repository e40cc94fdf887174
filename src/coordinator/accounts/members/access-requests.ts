import { DEVELOPER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { ownerColumn, ownerColumns } from '../../database/stores/member-store.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { forbidden, invalidRecord, notFound } from '../../http/errors.js'
import type { Paging } from '../../http/page.js'
import { listRows, type Rows } from '../../http/paging/list-rows.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { emitAccessRequestEvent } from '../../integrations/webhooks/outbox/emit-member-events.js'
import { type Actor, enrol, existingMember, refuseLevel } from './members.js'
import { type Source } from './source.js'
import { findMember, type MemberRow } from './store.js'

export interface RequesterRow extends User {
  requested_at: number
}

export async function listRequesters(
  database: Database,
  source: Source,
  paging: Paging,
): Promise<Rows<RequesterRow>> {
  const matching = database
    .selectFrom('access_request')
    .where(`access_request.${ownerColumn(source)}`, '=', source.id)
  const order = { table: 'access_request', column: 'id', direction: 'asc' } as const
  const { rows: requests, total } = await listRows(database, matching, paging, order)
  const users = await usersById(
    database,
    requests.map(({ user_id }) => user_id),
  )
  const rows = requests.flatMap(({ user_id, requested_at }) => {
    const user = users.get(user_id)
    return user ? [{ ...user, requested_at }] : []
  })
  return { rows, total }
}

/** Throws 403 if requests are disabled, and for users who are already members. */
export async function requestAccess(database: Database, source: Source, user: User): Promise<RequesterRow> {
  if (!source.takesRequests) throw forbidden()
  const member = await findMember(database, { source, all: { viewer: { ...user, is_admin: true } } }, user.id)
  if (member) throw forbidden()
  const requested_at = Date.now()
  const row = { ...ownerColumns(source), user_id: user.id, requested_at }
  try {
    await inTransaction(database, async (tx) => {
      await tx.insertInto('access_request').values(row).execute()
      await emitRequestEvent(tx, 'made', source, row)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ user_id: ['already exists in source'] })
    throw error
  }
  return { ...user, requested_at }
}

/** Approves a request; the default level is developer. */
export async function approveRequest(
  database: Database,
  source: Source,
  userId: number,
  level: number | undefined,
  actor: Actor,
): Promise<MemberRow> {
  const grant = { access_level: level ?? DEVELOPER }
  refuseLevel(grant.access_level, actor)
  return inTransaction(database, async (tx) => {
    if (!(await deleteRequest(tx, source, userId))) throw notFound()
    await enrol(tx, source, userId, grant, actor)
    return existingMember(tx, { source }, userId)
  })
}

/** Denies a request, or withdraws one's own; `least` is the minimum level to deny. */
export async function denyRequest(
  database: Database,
  source: Source,
  userId: number,
  { user, accessLevel }: Actor,
  least: number,
): Promise<void> {
  if (user?.id !== userId && accessLevel < least) throw forbidden()
  await inTransaction(database, async (tx) => {
    const request = await deleteRequest(tx, source, userId)
    if (!request) throw notFound()
    await emitRequestEvent(tx, 'revoked', source, request)
  })
}

/** The event names the default level of an approval. */
async function emitRequestEvent(
  tx: Transaction,
  change: 'made' | 'revoked',
  { kind, id }: Source,
  { user_id, requested_at }: { user_id: number; requested_at: number },
): Promise<void> {
  if (kind !== 'project') return
  const request = { project_id: id, group_id: null, user_id, access_level: DEVELOPER, expires_at: null }
  await emitAccessRequestEvent(tx, change, { ...request, created_at: requested_at })
}

async function deleteRequest(
  tx: Transaction,
  source: Source,
  userId: number,
): Promise<{ user_id: number; requested_at: number } | undefined> {
  return tx
    .deleteFrom('access_request')
    .where(ownerColumn(source), '=', source.id)
    .where('user_id', '=', userId)
    .returning(['user_id', 'requested_at'])
    .executeTakeFirst()
}
