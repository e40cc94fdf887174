import { hash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import { SECOND } from '../../lib/time-units.js'
import type { Caller } from '../access/caller.js'
import type { StoreVersion } from '../database/direct-reads.js'
import type { Operation, StreamResponse } from './operation.js'
import type { RateLimits } from './rate-limits/rate-limits.js'
import type { TextResponse } from './send.js'

/** Produces the response to a request, or throws. */
export type ResponseHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<CachedResponse>

interface CachedResponse {
  response: TextResponse | StreamResponse
  caller: Caller
  isCacheable: boolean
  /** See `ApiResponse`. */
  repeatableUntil?: number | undefined
}

/** Maximum characters of all cached responses; further responses are not cached. */
const MAX_CHARACTERS = 4 * 1024 * 1024

/**
 * Caches the responses of `cacheable` operations while nothing is committed to the store and the clock stays
 * within the same second.
 *
 * Such a response, and the caller's right to it, depend only on the request, the store and the clock. A
 * cached response therefore equals a new one, without authenticating again. Revoking a token and removing a
 * member are commits, and expiry happens at the start of a day or a second. The last use of a token has a
 * precision of ten minutes and was recorded when the response was made.
 *
 * Entries live at most one second. Requests and their credentials are stored as digests only.
 */
export class ResponseCache {
  private moment = new Moment()
  private version: StoreVersion | undefined
  private second = 0
  private cleanup: NodeJS.Timeout | undefined

  constructor(
    private readonly storeVersion: () => Promise<StoreVersion>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * The cache entries of the current second. Responses that are computed from now on are added to these
   * entries, and expire with them.
   */
  async thisMoment(): Promise<Moment> {
    const version = await this.storeVersion()
    const second = Math.floor(this.now() / SECOND)
    if (version !== this.version || second !== this.second) {
      this.version = version
      this.second = second
      this.moment = new Moment()
    }
    this.cleanup ??= setTimeout(() => this.evict(), SECOND).unref()
    return this.moment
  }

  private evict(): void {
    this.cleanup = undefined
    this.moment = new Moment()
  }
}

class Moment {
  private readonly responses = new Map<string, CachedResponse>()
  private characters = 0

  get(key: string): CachedResponse | undefined {
    return this.responses.get(key)
  }

  add(key: string, served: CachedResponse): void {
    const { response, isCacheable } = served
    if (!isCacheable || !('text' in response)) return
    this.characters += response.text?.length ?? 0
    if (this.characters <= MAX_CHARACTERS) this.responses.set(key, served)
  }
}

/** Wraps `handleUncached` with the cache; it is called on a cache miss. */
export function cachingHandler(
  operation: Operation,
  handleUncached: ResponseHandler,
  { responseCache, rateLimits }: { responseCache: ResponseCache; rateLimits: RateLimits },
): ResponseHandler {
  return async (request, reply) => {
    const moment = await responseCache.thisMoment()
    const key = keyOf(request)
    const known = moment.get(key)
    if (known) {
      request.caller = known.caller
      rateLimits.countRequest(operation, known.caller, request.ip)
      return known
    }
    const served = await handleUncached(request, reply)
    moment.add(key, served)
    return served
  }
}

/** Everything that the response of a cacheable operation may depend on, besides the store and the clock. */
function keyOf({ originalUrl, headers }: FastifyRequest): string {
  const { authorization, cookie, sudo } = headers
  const parts = [originalUrl, authorization, headers['private-token'], headers['job-token'], cookie, sudo]
  // Neither URLs nor headers contain line breaks.
  return hash('sha256', parts.join('\n'), 'base64')
}
