import { HOUR } from '../../../lib/time-units.js'
import type { Database } from '../../database/connect.js'
import {
  deleteGrantsRevokedBefore,
  deleteGrantsWithoutToken,
  deleteTokensBefore,
  deleteUnrefreshableTokensBefore,
} from '../oauth-grant-store.js'
import { deleteRequestsExpiredBefore } from './device-request-store.js'
import { ACCESS_SECONDS, CODE_LIFE, REFRESH_LIFE } from './lifetimes.js'

/** Time for which a revoked grant is kept, so that its tokens are known to be revoked. */
const REVOKED_FOR = 24 * HOUR

/**
 * Periodic task: deletes expired device requests, tokens whose access and refresh parts have both expired,
 * and grants without tokens. A used refresh token is kept until it would have expired. If a client presents
 * it again, its grant is revoked.
 */
export async function deleteExpiredGrants(database: Database, now: number = Date.now()): Promise<void> {
  await deleteRequestsExpiredBefore(database, now - HOUR)
  await deleteTokensBefore(database, now - REFRESH_LIFE)
  await deleteUnrefreshableTokensBefore(database, now - (ACCESS_SECONDS + 1) * 1000)
  await deleteGrantsRevokedBefore(database, now - REVOKED_FOR)
  // A grant whose code is being exchanged has no token yet.
  await deleteGrantsWithoutToken(database, now - CODE_LIFE - HOUR)
}
