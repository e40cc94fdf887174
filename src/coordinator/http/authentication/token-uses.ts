import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import { recordTokenUse } from '../../database/stores/access-token-store.js'
import { recordActivityOfUser } from '../../database/stores/user-profile-store.js'
import { recordSessionUse } from '../../database/stores/web-session-store.js'
import { RareWrites } from './rare-writes.js'

const MAX_REMEMBERED = 50_000

interface Use {
  userId: number
  tokenId?: number | undefined
  sessionId?: number
}

/**
 * Records when tokens and sessions were last used and when users were last active. A request only queues the record. The
 * periodic task `write` stores the queued records, for each token or session at most once in ten minutes.
 */
export class TokenUses {
  private readonly uses: RareWrites<Use>

  constructor(database: Database, logger: Logger, now: () => number = Date.now) {
    this.uses = new RareWrites({
      remembered: MAX_REMEMBERED,
      write: (use, at) => write(database, use, at),
      onFailure: (error, { tokenId, sessionId }) =>
        logger.warn(
          { err: error, token: tokenId, session: sessionId },
          'Failed to record the last use of a token or a session',
        ),
      now,
    })
  }

  /**
   * Records a use. `tokenId` is undefined for a token that is not a personal one: only the activity of its user is
   * recorded.
   */
  record(tokenId: number | undefined, userId: number): void {
    this.uses.record(tokenId === undefined ? `user ${userId}` : `token ${tokenId}`, { tokenId, userId })
  }

  recordSession(sessionId: number, userId: number): void {
    this.uses.record(`session ${sessionId}`, { sessionId, userId })
  }

  /**
   * Writes the queued records. Records that cannot be written are logged and discarded, because the next use
   * replaces them.
   */
  async write(): Promise<void> {
    await this.uses.write()
  }
}

async function write(database: Database, { tokenId, sessionId, userId }: Use, at: number): Promise<void> {
  if (tokenId !== undefined) await recordTokenUse(database, tokenId, at)
  if (sessionId !== undefined) await recordSessionUse(database, sessionId, at)
  await recordActivityOfUser(database, userId, at)
}
