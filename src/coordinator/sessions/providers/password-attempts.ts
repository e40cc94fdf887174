import { MINUTE } from '../../../lib/time-units.js'
import { FailedAttempts } from '../../http/rate-limits/failed-attempts.js'
import { PASSWORDS_OF_ACCOUNT, type SharedCounts } from '../../http/rate-limits/shared-counts.js'
import type { TryPassword } from './provider.js'

/** How long wrong passwords count, in milliseconds. */
const WINDOW = 10 * MINUTE

/** Limits wrong passwords of users of providers, as those of accounts are limited. */
export class PasswordAttempts {
  private readonly failures: FailedAttempts

  constructor(shared?: SharedCounts, now: () => number = Date.now) {
    this.failures = new FailedAttempts(WINDOW, now, shared)
  }

  /** `onWrong` is called with the permanent ID of the user after a wrong password. */
  at(provider: string, onWrong: (subject: string) => Promise<void>): TryPassword {
    return async (subject, check, refuse) => {
      const key = `identity ${provider} ${subject}`
      if (this.failures.of(key).observed >= PASSWORDS_OF_ACCOUNT) return refuse()
      this.failures.begin(key)
      if (await check()) {
        await this.failures.reset(key)
        return true
      }
      await this.failures.fail(key)
      await onWrong(subject)
      return false
    }
  }
}
