import { sql } from 'kysely'

import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import { RareWrites, WRITE_EVERY } from './rare-writes.js'

/** Git sends the password with each request; requests from one address within this time are one sign-in. */
const ONE_SIGN_IN = WRITE_EVERY
/** Pairs of user and address. */
const MAXIMUM_REMEMBERED = 10_000

interface SignIn {
  userId: number
  address: string
}

/**
 * Records when and from where users signed in with their password, and their last activity (API, H). A
 * request only records it in memory; the periodic task `write` stores it.
 */
export class SignIns {
  private readonly signIns: RareWrites<SignIn>

  constructor(database: Database, logger: Logger, now: () => number = Date.now) {
    this.signIns = new RareWrites({
      remembered: MAXIMUM_REMEMBERED,
      write: (signIn, at) => write(database, signIn, at),
      onFailure: (error, { userId }) =>
        logger.warn({ err: error, user: userId }, 'Failed to record a sign-in'),
      now,
    })
  }

  note(userId: number, address: string): void {
    this.signIns.note(`${userId} ${address}`, { userId, address })
  }

  /** Writes the queued records. Records that cannot be written are logged and discarded. */
  async write(): Promise<void> {
    await this.signIns.write()
  }
}

/** Another coordinator may have written the same sign-in. */
async function write(database: Database, { userId, address }: SignIn, at: number): Promise<void> {
  await database
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
