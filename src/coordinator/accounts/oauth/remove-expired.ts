import type { Database } from '../../database/connect.js'
import { ACCESS_SECONDS, CODE_LIFE, REFRESH_LIFE } from './lifetimes.js'

const HOUR = 3600 * 1000
/** How long a grant that was taken back says so of its tokens. */
const REVOKED_FOR = 24 * HOUR

/**
 * Periodic task: removes requests of devices some time after they are over, tokens of which neither part is good for
 * anything any more, and grants of which nothing is left. A refresh token that was traded is known for as long as it would
 * have been good: who shows it again ends its grant.
 */
export async function removeExpiredGrants(database: Database, now: number = Date.now()): Promise<void> {
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
    // One whose code is being traded in just now has no token yet.
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
