import { MINUTE } from '../../../lib/time-units.js'
import type { Caller } from '../../access/caller.js'
import type { Operation } from '../operation.js'
import { subjectOfAddress } from './address-subject.js'
import { AddressesOfUsers, type AddressLimit } from './addresses-of-users.js'
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

/** Requests in a period; 0 = any number. */
export interface RequestLimit {
  requests: number
  seconds: number
}

/** Limits that may change at any time. */
export interface RequestLimits {
  /** Per user. */
  authenticated: RequestLimit
  /** Per address, without a credential. */
  unauthenticated: RequestLimit
  /** Limits of requests outside the API, per user who is signed in, and per address; undefined = any number. */
  pages: { authenticated: RequestLimit | undefined; unauthenticated: RequestLimit | undefined }
  /** Joint limits of some operations, per user or per address without a credential. */
  ofOperations: Record<keyof typeof LIMITED, RequestLimit>
  /** Undefined = any number. */
  addresses: AddressLimit | undefined
}

/** Operations that have a limit together. */
const LIMITED = {
  notes: ({ method, path }: Operation) => method === 'POST' && /\/(notes|discussions)$/.test(path),
  search: ({ method, path }: Operation) => method === 'GET' && path.endsWith('/search'),
  users: ({ method, path }: Operation) => method === 'GET' && path === '/users/:id',
}

type Limited = keyof typeof LIMITED

export const DEFAULT_RATE_LIMITS: RateLimitSettings = {
  authenticated: 36_000,
  unauthenticated: 6000,
  failedAuthentications: 120,
  archives: 5,
}

/**
 * Limits the request rate (API, A8). Runners are exempt: many share one address, and the coordinator itself
 * determines how often they poll.
 */
export class RateLimits {
  private readonly windows = new Map<number, Windows>()
  private readonly failures: FailedAttempts
  private readonly addresses: AddressesOfUsers
  private readonly calls = new Map<Operation, Windows>()

  constructor(
    private readonly settings: RateLimitSettings,
    private readonly now: () => number = Date.now,
    shared?: SharedCounts,
    private readonly current?: () => RequestLimits,
  ) {
    this.addresses = new AddressesOfUsers(now)
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

  /** Counts a request. Throws 429 above the limit, and 403 for a user who calls from too many addresses. */
  countRequest(operation: Operation, caller: Caller, address: string): void {
    if (isOfRunners(operation) || caller.kind === 'job') return
    const isUser = caller.kind === 'user'
    const limits = this.current?.()
    const { requests: limit, seconds } = this.limitOf(isUser, limits)
    const key = isUser ? `user ${(caller.sudoBy ?? caller.user).id}` : address
    if (limit > 0) {
      const usage = this.windowsOf(seconds).add(key)
      const name = isUser ? 'throttle_authenticated_api' : 'throttle_unauthenticated_api'
      if (usage.observed > limit) this.refuse(name, limit, usage)
    }
    if (caller.kind === 'user' && limits?.addresses)
      this.addresses.check((caller.sudoBy ?? caller.user).id, address, limits.addresses)
    const limited = limits && limitedAs(operation)
    if (limited) this.countLimited(limited, limits.ofOperations[limited], key)
    if (operation.limit) this.countCall(operation, operation.limit.perMinute, key)
  }

  /** Whether requests outside the API have a limit. */
  get limitsPages(): boolean {
    const pages = this.current?.().pages
    return pages?.authenticated !== undefined || pages?.unauthenticated !== undefined
  }

  /** Counts a request outside the API; `userId` is undefined without a session. Throws 429 above the limit. */
  countPage(userId: number | undefined, address: string): void {
    const kind = userId === undefined ? 'unauthenticated' : 'authenticated'
    const limit = this.current?.().pages[kind]
    if (!limit) return
    const key = userId === undefined ? subjectOfAddress(address) : `user ${userId}`
    const usage = this.windowsOf(limit.seconds).add(`page ${key}`)
    if (usage.observed > limit.requests) this.refuse(`throttle_${kind}_web`, limit.requests, usage)
  }

  private countCall(operation: Operation, limit: number, key: string): void {
    const windows = this.calls.get(operation) ?? new Windows(MINUTE, this.now)
    this.calls.set(operation, windows)
    const usage = windows.add(key)
    if (usage.observed > limit) throw tooOften(limit, usage, this.now())
  }

  private countLimited(limited: Limited, { requests, seconds }: RequestLimit, key: string): void {
    if (requests === 0) return
    const usage = this.windowsOf(seconds).add(`${limited} ${key}`)
    if (usage.observed > requests) throw tooOften(requests, usage, this.now())
  }

  private limitOf(isUser: boolean, limits: RequestLimits | undefined): RequestLimit {
    if (limits) return isUser ? limits.authenticated : limits.unauthenticated
    const { authenticated, unauthenticated } = this.settings
    return { requests: isUser ? authenticated : unauthenticated, seconds: 60 }
  }

  private windowsOf(seconds: number): Windows {
    const windows = this.windows.get(seconds) ?? new Windows(seconds * 1000, this.now)
    this.windows.set(seconds, windows)
    return windows
  }

  private refuse(name: string, limit: number, usage: Usage): never {
    throw throttled(name, limit, usage, this.now())
  }
}

function limitedAs(operation: Operation): Limited | undefined {
  const known = kinds.get(operation)
  if (known !== undefined) return known ?? undefined
  const names = Object.keys(LIMITED) as Limited[]
  const kind = names.find((name) => LIMITED[name](operation))
  kinds.set(operation, kind ?? null)
  return kind
}

const kinds = new WeakMap<Operation, Limited | null>()

/** The operations for runners and jobs, which check the tokens themselves. */
export function isOfRunners({ access, path }: Operation): boolean {
  return access === 'anyone' && /^\/(jobs|runners)(\/|$)/.test(path)
}
