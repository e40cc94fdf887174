import type { Logger } from '../../../lib/logger.js'
import type { Database } from '../../database/connect.js'
import { recordSignIn } from '../../database/stores/user-profile-store.js'
import { RareWrites, WRITE_EVERY } from './rare-writes.js'

/** Git sends the password with each request; requests from one address within this time are one sign-in. */
const ONE_SIGN_IN = WRITE_EVERY
/** Pairs of user and address. */
const MAX_REMEMBERED = 10_000

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

  /** `onUnknown` is called when a user signs in from another address than the last two. */
  constructor(
    database: Database,
    logger: Logger,
    {
      now = Date.now,
      onUnknown,
    }: { now?: () => number; onUnknown?: Parameters<typeof recordSignIn>[2] } = {},
  ) {
    this.signIns = new RareWrites({
      remembered: MAX_REMEMBERED,
      // Another coordinator may have written the same sign-in.
      write: (signIn, at) => recordSignIn(database, { ...signIn, at, since: at - ONE_SIGN_IN }, onUnknown),
      onFailure: (error, { userId }) =>
        logger.warn({ err: error, user: userId }, 'Failed to record a sign-in'),
      now,
    })
  }

  record(userId: number, address: string): void {
    this.signIns.record(`${userId} ${address}`, { userId, address })
  }

  /** Writes the queued records. Records that cannot be written are logged and discarded. */
  async write(): Promise<void> {
    await this.signIns.write()
  }
}
