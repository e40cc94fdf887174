import { MINUTE } from '../../../lib/time-units.js'
import { subjectOfAddress } from '../../http/rate-limits/address-subject.js'
import { FailedAttempts } from '../../http/rate-limits/failed-attempts.js'
import {
  PASSWORDS_FROM_ADDRESS,
  PASSWORDS_OF_ACCOUNT,
  type SharedCounts,
} from '../../http/rate-limits/shared-counts.js'
import type { TryPassword } from './provider.js'

/** How long wrong passwords count, in milliseconds. */
const WINDOW = 10 * MINUTE

/** Where a password is tried, and from where. */
interface Place {
  /** Name of the provider. */
  provider: string
  /** IP address of the browser. */
  address: string
}

/**
 * Limits wrong passwords of users of providers, as those of accounts are limited: from one address, so that nobody can lock
 * the user of another one out, and from all addresses together.
 */
export class PasswordAttempts {
  private readonly failures: FailedAttempts

  constructor(shared?: SharedCounts, now: () => number = Date.now) {
    this.failures = new FailedAttempts(WINDOW, now, shared)
  }

  /** `onWrong` is called with the permanent ID of the user after a wrong password. */
  at({ provider, address }: Place, onWrong: (subject: string) => Promise<void>): TryPassword {
    return async (subject, check, refuse) => {
      const ofUser = `identity ${provider} ${subject}`
      const fromAddress = `${ofUser} from ${subjectOfAddress(address)}`
      if (this.failures.of(fromAddress).observed >= PASSWORDS_FROM_ADDRESS) return refuse()
      if (this.failures.of(ofUser).observed >= PASSWORDS_OF_ACCOUNT) return refuse()
      const counted = [fromAddress, ofUser]
      for (const key of counted) this.failures.begin(key)
      if (await check()) {
        for (const key of counted) await this.failures.reset(key)
        return true
      }
      for (const key of counted) await this.failures.fail(key)
      await onWrong(subject)
      return false
    }
  }
}
