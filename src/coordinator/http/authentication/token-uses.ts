import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'

/** Times are kept to ten minutes (API gaps, A13). */
const WRITE_EVERY = 10 * 60_000
/** Tokens remembered; forgetting them only costs a write each. */
const MAXIMUM_REMEMBERED = 50_000

interface Use {
  tokenId: number | undefined
  userId: number
  at: number
}

/**
 * Keeps when tokens were last used, and when their users were last here. A request only notes it; `write`, a periodic
 * duty, writes what was noted, each token at most once in ten minutes.
 */
export class TokenUses {
  /** By token, or by user: when its use was last noted to be written. */
  private readonly noted = new Map<string, number>()
  private waiting: Use[] = []

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  /** Without `tokenId`, of a token that is no personal one: only that its user was here. */
  note(tokenId: number | undefined, userId: number): void {
    const at = this.now()
    const key = tokenId === undefined ? `user ${userId}` : `token ${tokenId}`
    const last = this.noted.get(key)
    if (last !== undefined && at - last < WRITE_EVERY) return
    if (this.noted.size >= MAXIMUM_REMEMBERED) this.noted.clear()
    this.noted.set(key, at)
    this.waiting.push({ tokenId, userId, at })
  }

  /** Writes what waits; what cannot be written is logged and forgotten, for the next use tells as much. */
  async write(): Promise<void> {
    const uses = this.waiting
    this.waiting = []
    for (const use of uses) {
      try {
        await this.writeOne(use)
      } catch (error) {
        this.logger.warn(
          { err: error, token: use.tokenId },
          'When a token was last used could not be written',
        )
      }
    }
  }

  private async writeOne({ tokenId, userId, at }: Use): Promise<void> {
    if (tokenId !== undefined) {
      await this.database
        .updateTable('personal_access_token')
        .set({ last_used_at: at })
        .where('id', '=', tokenId)
        .execute()
    }
    await this.database
      .updateTable('user_profile')
      .set({ last_activity_at: at })
      .where('user_id', '=', userId)
      .execute()
  }
}
