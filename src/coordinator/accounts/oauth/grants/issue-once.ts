import type { Database } from '../../../database/connect.js'
import { inTransaction, type Transaction } from '../../../database/transaction.js'
import { type Issued, type IssuedGrant, issueToken } from '../issue-token.js'
import { OauthError } from '../oauth-errors.js'
import { revokeGrant } from '../store.js'

/**
 * Tokens for a code or a token that is good for one time: `use` is false when that is over. What comes again has been seen
 * by somebody else: all that came of the same grant ends, and it is answered `invalid_grant` (RFC 6749, 4.1.2; RFC 9700,
 * 4.14.2).
 */
export async function issueOnce(
  database: Database,
  grant: IssuedGrant,
  scopes: readonly string[],
  use: (tx: Transaction) => Promise<boolean>,
): Promise<Issued> {
  const issued = await inTransaction(database, async (tx) =>
    (await use(tx)) ? issueToken(tx, grant, scopes) : undefined,
  )
  if (issued) return issued
  await revokeGrant(database, grant.id)
  throw new OauthError('invalid_grant')
}
