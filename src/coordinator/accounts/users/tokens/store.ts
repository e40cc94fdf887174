import type { ExpressionBuilder, Selectable, SelectQueryBuilder } from 'kysely'

import { tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import { insertAccessToken } from '../../../database/stores/access-token-store.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type { PersonalAccessTokenTable } from '../../../database/tables/users.js'
import { containsText } from '../../../database/text.js'
import type { Paging } from '../../../http/page.js'
import { countAround, type Rows } from '../../../http/paging/list-rows.js'
import type { FilterTokens } from './schema.js'

export type TokenRow = Selectable<PersonalAccessTokenTable>

export interface NewToken {
  user_id: number
  name: string
  description?: string | null
  scopes: string[]
  /** Milliseconds since the epoch. */
  expires_at: number | null
  impersonation?: boolean
}

/** Stores the digest of `token`, never the token itself. */
export function insertToken(database: Database, token: string, values: NewToken): Promise<TokenRow> {
  return insertAccessToken(database, {
    ...values,
    scopes: JSON.stringify(values.scopes),
    digest: tokenDigest(token),
    created_at: Date.now(),
  })
}

export function findToken(database: Database, id: number): Promise<TokenRow | undefined> {
  return database.selectFrom('personal_access_token').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface TokenFilter extends FilterTokens {
  /** Undefined = tokens of all users. */
  user_id?: number | undefined
  /** Tokens of the bots of this project or group. */
  bots?: { project_id: number } | { namespace_id: number }
  impersonation: boolean
}

export async function listTokens(
  database: Database,
  filter: TokenFilter,
  paging: Paging,
): Promise<Rows<TokenRow>> {
  const matching = tokensMatching(database, filter)
  const order = orderOf(filter)
  // If an index has the requested order, it skips the rows before the page; only those of the page are read.
  const ids = inOrder(matching.select('id'), order).limit(paging.perPage).offset(paging.offset)
  const page = database.selectFrom('personal_access_token').selectAll().where('id', 'in', ids)
  const rows = await inOrder(page, order).execute()
  return { rows, total: await countAround(database, matching, paging, rows.length) }
}

const COLUMNS = {
  created: 'created_at',
  expires: 'expires_at',
  last_used: 'last_used_at',
  name: 'name',
} as const

interface TokenOrder {
  column: 'id' | (typeof COLUMNS)[keyof typeof COLUMNS]
  direction: 'asc' | 'desc'
}

function orderOf({ sort }: FilterTokens): TokenOrder {
  if (sort === undefined) return { column: 'id', direction: 'asc' }
  const end = sort.lastIndexOf('_')
  const column = COLUMNS[sort.slice(0, end) as keyof typeof COLUMNS]
  return { column, direction: sort.endsWith('desc') ? 'desc' : 'asc' }
}

function inOrder<Row>(
  tokens: SelectQueryBuilder<Tables, 'personal_access_token', Row>,
  { column, direction }: TokenOrder,
): SelectQueryBuilder<Tables, 'personal_access_token', Row> {
  // SQLite sorts nulls first and PostgreSQL last; this puts them last in both.
  const byColumn =
    column === 'id' ? tokens : tokens.orderBy((eb) => eb(column, 'is', null)).orderBy(column, direction)
  return byColumn.orderBy('id', direction)
}

function tokensMatching(database: Database, filter: TokenFilter) {
  const { user_id, bots, impersonation, revoked, search, state } = filter
  let query = tokensInTime(database, filter).where('impersonation', '=', impersonation)
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  if (bots) {
    const [column, id] =
      'project_id' in bots
        ? (['project_id', bots.project_id] as const)
        : (['namespace_id', bots.namespace_id] as const)
    query = query.where('user_id', 'in', (eb) =>
      eb.selectFrom('bot_user').select('bot_user.user_id').where(column, '=', id),
    )
  }
  if (revoked !== undefined) query = query.where('revoked', '=', revoked)
  if (search) query = query.where(({ ref }) => containsText(ref('name'), search))
  if (state === 'active') query = query.where((eb) => isActive(eb))
  if (state === 'inactive') query = query.where((eb) => eb.not(isActive(eb)))
  return query
}

function tokensInTime(database: Database, filter: FilterTokens) {
  let query = database.selectFrom('personal_access_token')
  for (const [column, operator, time] of [
    ['created_at', '>', filter.created_after],
    ['created_at', '<', filter.created_before],
    ['last_used_at', '>', filter.last_used_after],
    ['last_used_at', '<', filter.last_used_before],
    ['expires_at', '>', filter.expires_after],
    ['expires_at', '<', filter.expires_before],
  ] as const) {
    if (time) query = query.where(column, operator, Date.parse(time))
  }
  return query
}

function isActive({ and, or, eb }: ExpressionBuilder<Tables, 'personal_access_token'>) {
  return and([
    eb('revoked', '=', false),
    or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]),
  ])
}
