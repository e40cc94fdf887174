import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { revokeGrant } from '../../oauth-grant-store.js'
import { type Issued, type IssuedGrant, issueOauthToken } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'

/**
 * Issues tokens for a code or token that can be used once; `use` returns false if it was used before. Reuse
 * means that it may have been stolen: the whole grant is revoked, and the response is `invalid_grant` (RFC
 * 6749, 4.1.2; RFC 9700, 4.14.2).
 */
export async function issueOnce(
  database: Database,
  grant: IssuedGrant,
  scopes: readonly string[],
  use: (tx: Transaction) => Promise<boolean>,
): Promise<Issued> {
  const issued = await inTransaction(database, async (tx) =>
    (await use(tx)) ? issueOauthToken(tx, grant, scopes) : undefined,
  )
  if (issued) return issued
  await revokeGrant(database, grant.id)
  throw new OauthError('invalid_grant')
}
