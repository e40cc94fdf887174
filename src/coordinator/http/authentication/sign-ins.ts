import { sql } from 'kysely'

import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'

/** Git shows the password with each of its requests: those from one address in this time are one sign-in. */
const ONE_SIGN_IN = 10 * 60_000
/** Users with their addresses; forgetting them only costs a write each. */
const MAXIMUM_REMEMBERED = 10_000

interface SignIn {
  userId: number
  address: string
  at: number
}

/**
 * Keeps when and from where people came in with the password of their account, and that they were
 * here (API gaps, H). A request only notes it; `write`, a periodic duty, writes what was noted.
 */
export class SignIns {
  /** By user and address: when it was last noted to be written. */
  private readonly noted = new Map<string, number>()
  private waiting: SignIn[] = []

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  note(userId: number, address: string): void {
    const at = this.now()
    const key = `${userId} ${address}`
    const last = this.noted.get(key)
    if (last !== undefined && at - last < ONE_SIGN_IN) return
    if (this.noted.size >= MAXIMUM_REMEMBERED) this.noted.clear()
    this.noted.set(key, at)
    this.waiting.push({ userId, address, at })
  }

  /** Writes what waits; what cannot be written is logged and forgotten. */
  async write(): Promise<void> {
    const signIns = this.waiting
    this.waiting = []
    for (const signIn of signIns) {
      try {
        await this.writeOne(signIn)
      } catch (error) {
        this.logger.warn({ err: error, user: signIn.userId }, 'A sign-in could not be written')
      }
    }
  }

  /** Another coordinator may have written the same one. */
  private async writeOne({ userId, address, at }: SignIn): Promise<void> {
    await this.database
      .updateTable('user_profile')
      .set({
        last_sign_in_at: sql`current_sign_in_at`,
        last_sign_in_ip: sql`current_sign_in_ip`,
        current_sign_in_at: at,
        current_sign_in_ip: address,
        sign_in_count: sql`sign_in_count + 1`,
        last_activity_at: at,
      })
      .where('user_id', '=', userId)
      .where(({ eb, or }) =>
        or([
          eb('current_sign_in_at', 'is', null),
          eb('current_sign_in_at', '<=', at - ONE_SIGN_IN),
          eb('current_sign_in_ip', '!=', address),
        ]),
      )
      .execute()
  }
}
