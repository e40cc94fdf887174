import { apiError } from '../errors.js'

/** Number of addresses from which each user may call in so many seconds. */
export interface AddressLimit {
  most: number
  seconds: number
}

/** The addresses from which users have called lately; each coordinator has its own. */
export class AddressesOfUsers {
  /** The time of the last call by user and address, in milliseconds since 1970. */
  private readonly seen = new Map<number, Map<string, number>>()

  constructor(private readonly now: () => number = Date.now) {}

  /** Throws 403 for a call from one address too many. */
  check(userId: number, address: string, { most, seconds }: AddressLimit): void {
    const now = this.now()
    const addresses = this.seen.get(userId) ?? new Map<string, number>()
    this.seen.set(userId, addresses)
    for (const [known, time] of addresses) if (time <= now - seconds * 1000) addresses.delete(known)
    if (!addresses.has(address) && addresses.size >= most) throw apiError('too_many_addresses')
    addresses.set(address, now)
  }
}
