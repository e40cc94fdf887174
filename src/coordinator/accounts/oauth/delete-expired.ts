import type { Database } from '../../database/connect.js'
import { ACCESS_SECONDS, CODE_LIFE, REFRESH_LIFE } from './lifetimes.js'

const HOUR = 3600 * 1000
/** Time for which a revoked grant is kept, so that its tokens are known to be revoked. */
const REVOKED_FOR = 24 * HOUR

/**
 * Periodic task: deletes expired device requests, tokens whose access and refresh parts have both expired,
 * and grants without tokens. A used refresh token is kept until it would have expired. If a client presents
 * it again, its grant is revoked.
 */
export async function deleteExpiredGrants(database: Database, now: number = Date.now()): Promise<void> {
  await database
    .deleteFrom('oauth_device_request')
    .where('expires_at', '<', now - HOUR)
    .execute()
  await database
    .deleteFrom('oauth_token')
    .where('created_at', '<', now - REFRESH_LIFE)
    .execute()
  await database
    .deleteFrom('oauth_token')
    .where('refresh_digest', 'is', null)
    .where('created_at', '<', now - (ACCESS_SECONDS + 1) * 1000)
    .execute()
  await database
    .deleteFrom('oauth_grant')
    .where('revoked_at', '<', now - REVOKED_FOR)
    .execute()
  await database
    .deleteFrom('oauth_grant')
    // A grant whose code is being exchanged has no token yet.
    .where('created_at', '<', now - CODE_LIFE - HOUR)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('oauth_token')
            .select('oauth_token.id')
            .whereRef('oauth_token.grant_id', '=', 'oauth_grant.id'),
        ),
      ),
    )
    .execute()
}
