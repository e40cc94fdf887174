import type { Caller } from '../../access/caller.js'
import type { Operation } from '../operation.js'
import { subjectOfAddress } from './address-subject.js'
import { FailedAttempts } from './failed-attempts.js'
import { throttled, tooOften } from './refusals.js'
import type { SharedCounts } from './shared-counts.js'
import { type Usage, Windows } from './windows.js'

/** Requests in a minute; 0 = any number. */
export interface RateLimitSettings {
  /** Requests per user. */
  authenticated: number
  /** Requests per address, without a credential. */
  unauthenticated: number
  /** Invalid credentials per address. */
  failedAuthentications: number
  /** Requests for archives of one project, per user or per address without a credential. */
  archives: number
}

export const DEFAULT_RATE_LIMITS: RateLimitSettings = {
  authenticated: 36_000,
  unauthenticated: 6000,
  failedAuthentications: 120,
  archives: 5,
}

const MINUTE = 60_000

/**
 * Limits the request rate (API, A8). Runners are exempt: many share one address, and the coordinator itself
 * determines how often they poll.
 */
export class RateLimits {
  private readonly requests: Windows
  private readonly failures: FailedAttempts
  private readonly calls = new Map<Operation, Windows>()

  constructor(
    private readonly settings: RateLimitSettings,
    private readonly now: () => number = Date.now,
    shared?: SharedCounts,
  ) {
    this.requests = new Windows(MINUTE, now)
    this.failures = new FailedAttempts(MINUTE, now, shared)
  }

  /** Throws 429 for an address with too many wrong credentials. */
  checkFailures(address: string): void {
    const limit = this.settings.failedAuthentications
    if (limit === 0) return
    const usage = this.failures.of(subjectOfAddress(address))
    if (usage.observed >= limit) this.refuse('throttle_failed_authentication', limit, usage)
  }

  /**
   * Counts a wrong credential, and throws 429 after too many. Only wrong credentials are limited: other
   * clients behind the same address are not affected, and tokens cannot be guessed by trial.
   */
  async recordFailure(address: string): Promise<void> {
    if (this.settings.failedAuthentications === 0) return
    this.checkFailures(address)
    const subject = subjectOfAddress(address)
    this.failures.begin(subject)
    await this.failures.fail(subject)
  }

  /** Counts a request, and throws 429 above the limit. */
  countRequest(operation: Operation, caller: Caller, address: string): void {
    if (isOfRunners(operation) || caller.kind === 'job') return
    const isUser = caller.kind === 'user'
    const limit = isUser ? this.settings.authenticated : this.settings.unauthenticated
    const key = isUser ? `user ${(caller.sudoBy ?? caller.user).id}` : address
    if (limit > 0) {
      const usage = this.requests.add(key)
      const name = isUser ? 'throttle_authenticated_api' : 'throttle_unauthenticated_api'
      if (usage.observed > limit) this.refuse(name, limit, usage)
    }
    if (operation.limit) this.countCall(operation, operation.limit.perMinute, key)
  }

  private countCall(operation: Operation, limit: number, key: string): void {
    const windows = this.calls.get(operation) ?? new Windows(MINUTE, this.now)
    this.calls.set(operation, windows)
    const usage = windows.add(key)
    if (usage.observed > limit) throw tooOften(limit, usage, this.now())
  }

  private refuse(name: string, limit: number, usage: Usage): never {
    throw throttled(name, limit, usage, this.now())
  }
}

/** The operations for runners and jobs, which check the tokens themselves. */
function isOfRunners({ access, path }: Operation): boolean {
  return access === 'anyone' && /^\/(jobs|runners)(\/|$)/.test(path)
}
