import type { Selectable } from 'kysely'

import { tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import { containsText } from '../../database/text.js'
import type { Paging } from '../../http/operation.js'
import type { ListTokens } from './schema.js'
import type { PersonalAccessTokenTable } from './table.js'

export type TokenRow = Selectable<PersonalAccessTokenTable>

export interface NewToken {
  user_id: number
  name: string
  scopes: string[]
  expires_at: number | null
}

/** Keeps the digest of `token`, never the token. */
export function insertToken(database: Database, token: string, values: NewToken): Promise<TokenRow> {
  return database
    .insertInto('personal_access_token')
    .values({
      ...values,
      scopes: JSON.stringify(values.scopes),
      digest: tokenDigest(token),
      created_at: Date.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findToken(database: Database, id: number): Promise<TokenRow | undefined> {
  return database.selectFrom('personal_access_token').selectAll().where('id', '=', id).executeTakeFirst()
}

/** False when it was revoked already. */
export async function revokeToken(database: Database, id: number): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('personal_access_token')
    .set({ revoked: true })
    .where('id', '=', id)
    .where('revoked', '=', false)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** `user_id` undefined = of everyone. */
export async function listTokens(
  database: Database,
  filter: ListTokens,
  { perPage, offset }: Paging,
): Promise<{ rows: TokenRow[]; total: number }> {
  const matching = tokensMatching(database, filter)
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching.selectAll().orderBy('id').limit(perPage).offset(offset).execute()
  return { rows, total }
}

function tokensMatching(database: Database, { user_id, revoked, search, state }: ListTokens) {
  let query = database.selectFrom('personal_access_token')
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  if (revoked !== undefined) query = query.where('revoked', '=', revoked)
  if (search) query = query.where(({ ref }) => containsText(ref('name'), search))
  if (state === undefined) return query
  return query.where(({ and, or, not, eb }) => {
    const isActive = and([
      eb('revoked', '=', false),
      or([eb('expires_at', 'is', null), eb('expires_at', '>', Date.now())]),
    ])
    return state === 'active' ? isActive : not(isActive)
  })
}
