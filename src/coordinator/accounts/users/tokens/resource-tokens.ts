import { randomBytes } from 'node:crypto'

import { MAINTAINER } from '../../../access/access-levels.js'
import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { revokeToken } from '../../../database/stores/access-token-store.js'
import { deleteMembershipsOfUser, insertMembers } from '../../../database/stores/member-store.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { apiError, forbidden, notFound } from '../../../http/errors.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import { emitMemberEvents } from '../../../integrations/webhooks/outbox/emit-member-events.js'
import { emitUserEvents } from '../../../integrations/webhooks/outbox/emit-system-events.js'
import { insertUser } from '../store.js'
import { presentToken } from './present.js'
import type { FilterTokens, NewTokenRecord, TokenRecord } from './schema.js'
import { findToken, listTokens, type TokenRow } from './store.js'
import { createToken, newTokenOf, rotate, type WantedToken } from './tokens.js'

/** A project or group with its own tokens; each token has a bot as its user (API, A13). */
export type TokenOwner = { project_id: number } | { namespace_id: number }

export interface WantedResourceToken extends WantedToken {
  access_level?: number
}

const DEFAULT_LEVEL = MAINTAINER

/**
 * The creator and their access level. Users cannot grant more than their own level, and bots cannot create
 * bots.
 */
interface Maker {
  user: User
  accessLevel: number
}

export async function createResourceToken(
  database: Database,
  owner: TokenOwner,
  { access_level = DEFAULT_LEVEL, ...wanted }: WantedResourceToken,
  by: Maker,
): Promise<NewTokenRecord> {
  if (by.user.kind === 'bot') throw apiError('token_of_bot')
  if (access_level > by.accessLevel) throw apiError('token_access_too_high')
  const token = newTokenOf(wanted)
  return inTransaction(database, async (tx) => {
    const bot = await insertBot(tx, owner, wanted.name)
    const memberships = await insertMembers(tx, [
      { ...memberOf(owner), user_id: bot.id, access_level, created_at: Date.now() },
    ])
    await emitMemberEvents(tx, 'added', memberships)
    return { ...(await createToken(tx, { ...token, user_id: bot.id })), access_level }
  })
}

async function insertBot(tx: Transaction, owner: TokenOwner, name: string): Promise<User> {
  const username = `${prefixOf(owner)}_bot_${randomBytes(16).toString('hex')}`
  const bot = await insertUser(tx, {
    username,
    name,
    email: `${username}@noreply.localhost`,
    is_admin: false,
    kind: 'bot',
    // The bot has access to this project or group only, and cannot create projects.
    external: true,
    projects_limit: 0,
    can_create_group: false,
  })
  await tx
    .insertInto('bot_user')
    .values({ user_id: bot.id, ...owner })
    .execute()
  await emitUserEvents(tx, { name: 'user_create' }, bot)
  return bot
}

export async function resourceTokensPage(
  database: Database,
  owner: TokenOwner,
  filter: FilterTokens,
  paging: Paging,
): Promise<Page> {
  const { rows, total } = await listTokens(database, { ...filter, bots: owner, impersonation: false }, paging)
  const levels = await levelsOf(
    database,
    owner,
    rows.map(({ user_id }) => user_id),
  )
  return page(
    rows.map((row) => presentToken(row, levels.get(row.user_id) ?? 0)),
    total,
  )
}

export async function resourceToken(database: Database, owner: TokenOwner, id: number): Promise<TokenRecord> {
  const row = await existingToken(database, owner, id)
  return presentToken(row, await levelOf(database, owner, row))
}

/** Revokes a token. The bot is kept for its contributions, but loses its membership. */
export async function revokeResourceToken(database: Database, owner: TokenOwner, id: number): Promise<void> {
  const row = await existingToken(database, owner, id)
  await inTransaction(database, async (tx) => {
    if (!(await revokeToken(tx, row.id))) throw apiError('token_already_revoked')
    await emitMemberEvents(tx, 'removed', await deleteMembershipsOfUser(tx, row.user_id))
  })
}

/**
 * Throws 400 for a revoked token, and 403 if its level exceeds that of the caller, because the new token is
 * shown.
 */
export async function rotateResourceToken(
  database: Database,
  owner: TokenOwner,
  { token_id, expires_at }: { token_id: number; expires_at?: string },
  by: Maker,
): Promise<NewTokenRecord> {
  const row = await existingToken(database, owner, token_id)
  const access_level = await levelOf(database, owner, row)
  if (access_level > by.accessLevel) throw forbidden()
  return { ...(await rotate(database, row, expires_at)), access_level }
}

async function existingToken(database: Database, owner: TokenOwner, id: number): Promise<TokenRow> {
  const row = await findToken(database, id)
  const bot = row && (await isBotOf(database, owner, row.user_id))
  if (!bot || row.impersonation) throw notFound()
  return row
}

async function isBotOf(database: Database, owner: TokenOwner, userId: number): Promise<boolean> {
  const [column, id] = columnOf(owner)
  const row = await database
    .selectFrom('bot_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .where(column, '=', id)
    .executeTakeFirst()
  return row !== undefined
}

async function levelOf(database: Database, owner: TokenOwner, { user_id }: TokenRow): Promise<number> {
  return (await levelsOf(database, owner, [user_id])).get(user_id) ?? 0
}

async function levelsOf(
  database: Database,
  owner: TokenOwner,
  userIds: number[],
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map()
  const [column, id] =
    'project_id' in owner
      ? (['project_id', owner.project_id] as const)
      : (['group_id', owner.namespace_id] as const)
  const rows = await database
    .selectFrom('member')
    .select(['user_id', 'access_level'])
    .where('user_id', 'in', userIds)
    .where(column, '=', id)
    .execute()
  return new Map(rows.map(({ user_id, access_level }) => [user_id, access_level]))
}

function columnOf(owner: TokenOwner) {
  return 'project_id' in owner
    ? (['project_id', owner.project_id] as const)
    : (['namespace_id', owner.namespace_id] as const)
}

function memberOf(owner: TokenOwner) {
  return 'project_id' in owner ? owner : { group_id: owner.namespace_id }
}

function prefixOf(owner: TokenOwner): string {
  return 'project_id' in owner ? `project_${owner.project_id}` : `group_${owner.namespace_id}`
}
