import type { Logger } from '../../../../lib/logger.js'
import { MINUTE } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'

/** Milliseconds: a key that is used more often is not written each time. */
const PRECISION = 10 * MINUTE

/** Records that a key of a user was used just now. Errors are logged. */
export async function recordKeyUse(
  { database, logger }: { database: Database; logger: Logger },
  keyId: number,
): Promise<void> {
  const now = Date.now()
  try {
    await database
      .updateTable('ssh_key')
      .set({ last_used_at: now })
      .where('id', '=', keyId)
      .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now - PRECISION)]))
      .execute()
  } catch (error) {
    logger.warn({ err: error, key: keyId }, 'The use of an SSH key could not be recorded')
  }
}
