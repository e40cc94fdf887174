import { newToken, tokenDigest } from '../../../lib/tokens.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { inTransaction } from '../../database/transaction.js'
import { DEPLOY_TOKEN_PREFIX } from '../../http/authentication/deploy-token.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { CreateDeployToken, DeployToken, NewDeployToken } from './schema.js'
import {
  type DeployTokenOwner,
  type DeployTokenRow,
  findDeployToken,
  insertDeployToken,
  renameDeployToken,
  revokeDeployToken,
} from './store.js'

/**
 * Creates a token and returns it in clear text, which is not stored. Throws 400 without a scope, and for an
 * expiry time in the past.
 */
export async function createDeployToken(
  database: Database,
  owner: Exclude<DeployTokenOwner, 'everybody'>,
  creator: User | undefined,
  { name, scopes, expires_at, username }: CreateDeployToken,
): Promise<NewDeployToken> {
  if (scopes.length === 0) throw invalidRecord({ scopes: ["can't be blank"] })
  const expiresAt = expires_at ? Date.parse(expires_at) : null
  if (expiresAt !== null && expiresAt <= Date.now())
    throw invalidRecord({ expires_at: ['must be in the future'] })
  const token = newToken(DEPLOY_TOKEN_PREFIX)
  const row = await inTransaction(database, async (tx) => {
    const row = await insertDeployToken(tx, {
      ...owner,
      name,
      username: username ?? '',
      scopes: JSON.stringify([...new Set(scopes)]),
      digest: tokenDigest(token),
      creator_id: creator?.id ?? null,
      expires_at: expiresAt,
      created_at: Date.now(),
    })
    return username ? row : renameDeployToken(tx, row.id, `gitlab+deploy-token-${row.id}`)
  })
  return { ...presentDeployToken(row), token }
}

/** Throws 404. */
export async function requireDeployToken(
  database: Database,
  owner: DeployTokenOwner,
  id: number,
): Promise<DeployTokenRow> {
  const row = await findDeployToken(database, owner, id)
  if (!row) throw notFound('Deploy Token')
  return row
}

/** Revokes a token. Throws 404 for an unknown token and for one that is already revoked. */
export async function endDeployToken(database: Database, owner: DeployTokenOwner, id: number): Promise<void> {
  const row = await requireDeployToken(database, owner, id)
  if (!(await revokeDeployToken(database, row.id))) throw notFound('Deploy Token')
}

export function presentDeployToken(row: DeployTokenRow): DeployToken {
  const { id, name, username, scopes, revoked, expires_at } = row
  return {
    id,
    name,
    username,
    scopes,
    revoked,
    expires_at: isoTimeOrNull(expires_at),
    expired: expires_at !== null && expires_at <= Date.now(),
  }
}
