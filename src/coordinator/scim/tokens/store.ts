import type { Selectable } from 'kysely'

import { MINUTE } from '../../../lib/time-units.js'
import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { Database } from '../../database/connect.js'
import type { ScimTokenTable } from '../../database/tables/scim.js'

export type ScimTokenRow = Omit<Selectable<ScimTokenTable>, 'digest'>

const TOKEN_PREFIX = 'glsoat-'
/** Minimum time between two writes of the last use, in milliseconds. */
const WRITE_EVERY = 10 * MINUTE

/** Creates the token of a provider, which replaces the one before, and returns it; only its digest is stored. */
export async function createScimToken(
  database: Database,
  provider: string,
  creatorId: number | null,
): Promise<{ token: string; row: ScimTokenRow }> {
  const token = newToken(TOKEN_PREFIX)
  const values = {
    digest: tokenDigest(token),
    created_by_id: creatorId,
    created_at: Date.now(),
    last_used_at: null,
  }
  await database
    .insertInto('scim_token')
    .values({ provider, ...values })
    .onConflict((conflict) => conflict.column('provider').doUpdateSet(values))
    .execute()
  const { digest: _digest, ...shown } = values
  return { token, row: { provider, ...shown } }
}

export function listScimTokens(database: Database): Promise<ScimTokenRow[]> {
  return database
    .selectFrom('scim_token')
    .select(['provider', 'created_by_id', 'created_at', 'last_used_at'])
    .orderBy('provider')
    .execute()
}

/** Returns false if the provider has no token. */
export async function deleteScimToken(database: Database, provider: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('scim_token')
    .where('provider', '=', provider)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** The provider of a token; undefined for an unknown one. */
export async function findProviderOfToken(database: Database, token: string): Promise<string | undefined> {
  const digest = tokenDigest(token)
  const row = await database
    .selectFrom('scim_token')
    .select(['provider', 'last_used_at'])
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (!row) return undefined
  if ((row.last_used_at ?? 0) < Date.now() - WRITE_EVERY) await recordUse(database, digest)
  return row.provider
}

async function recordUse(database: Database, digest: string): Promise<void> {
  await database
    .updateTable('scim_token')
    .set({ last_used_at: Date.now() })
    .where('digest', '=', digest)
    .execute()
}
