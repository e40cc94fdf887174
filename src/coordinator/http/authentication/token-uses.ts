import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import { recordTokenUse } from '../../database/stores/access-token-store.js'
import { recordActivityOfUser } from '../../database/stores/user-profile-store.js'
import { RareWrites } from './rare-writes.js'

const MAXIMUM_REMEMBERED = 50_000

interface Use {
  tokenId: number | undefined
  userId: number
}

/**
 * Records when tokens were last used and when users were last active. A request only queues the record. The
 * periodic task `write` stores the queued records, for each token at most once in ten minutes.
 */
export class TokenUses {
  private readonly uses: RareWrites<Use>

  constructor(database: Database, logger: Logger, now: () => number = Date.now) {
    this.uses = new RareWrites({
      remembered: MAXIMUM_REMEMBERED,
      write: (use, at) => write(database, use, at),
      onFailure: (error, { tokenId }) =>
        logger.warn({ err: error, token: tokenId }, 'Failed to record the last use of a token'),
      now,
    })
  }

  /** Without `tokenId`, of a token that is no personal one: only that its user was here. */
  record(tokenId: number | undefined, userId: number): void {
    this.uses.record(tokenId === undefined ? `user ${userId}` : `token ${tokenId}`, { tokenId, userId })
  }

  /**
   * Writes the queued records. Records that cannot be written are logged and discarded, because the next use
   * replaces them.
   */
  async write(): Promise<void> {
    await this.uses.write()
  }
}

async function write(database: Database, { tokenId, userId }: Use, at: number): Promise<void> {
  if (tokenId !== undefined) await recordTokenUse(database, tokenId, at)
  await recordActivityOfUser(database, userId, at)
}
