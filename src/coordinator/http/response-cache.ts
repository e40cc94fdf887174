import { hash } from 'node:crypto'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Caller } from '../access/caller.js'
import type { StoreVersion } from '../database/direct-reads.js'
import type { Operation, StreamAnswer } from './operation.js'
import type { RateLimits } from './rate-limits/rate-limits.js'
import type { TextAnswer } from './send.js'

/** Makes the answer to a request, or throws. */
export type Answering = (request: FastifyRequest, reply: FastifyReply) => Promise<Answered>

export interface Answered {
  answer: TextAnswer | StreamAnswer
  caller: Caller
  isCacheable: boolean
}

/** Characters of all answers of a moment; what comes after them is not kept. */
const MOST_CHARACTERS = 4 * 1024 * 1024
const SECOND = 1000

/**
 * The answers of operations that are `cacheable`, for the moment: as long as nothing is committed to the store, and the
 * clock shows the same second.
 *
 * Such an answer is made of the request, the store and the clock alone, and so is whether its caller may have it. It is
 * therefore the one that would be made again, without asking who is calling: a token that is revoked and a member that is
 * removed are commits, and whatever expires does so as a day or a second begins. When a token was last used is known to ten
 * minutes, and was noted when the answer was made.
 *
 * Nothing is kept for longer than a second, and requests with their credentials are known by their digest only.
 */
export class ResponseCache {
  private moment = new Moment()
  private version: StoreVersion | undefined
  private second = 0
  private forgetting: NodeJS.Timeout | undefined

  constructor(
    private readonly storeVersion: () => Promise<StoreVersion>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Wherever an answer of this moment is made from here on, it is added to this very one, which ends with the moment. */
  async thisMoment(): Promise<Moment> {
    const version = await this.storeVersion()
    const second = Math.floor(this.now() / SECOND)
    if (version !== this.version || second !== this.second) {
      this.version = version
      this.second = second
      this.moment = new Moment()
    }
    this.forgetting ??= setTimeout(() => this.forget(), SECOND).unref()
    return this.moment
  }

  private forget(): void {
    this.forgetting = undefined
    this.moment = new Moment()
  }
}

class Moment {
  private readonly answers = new Map<string, Answered>()
  private characters = 0

  get(key: string): Answered | undefined {
    return this.answers.get(key)
  }

  add(key: string, answered: Answered): void {
    const { answer, isCacheable } = answered
    if (!isCacheable || !('text' in answer)) return
    this.characters += answer.text?.length ?? 0
    if (this.characters <= MOST_CHARACTERS) this.answers.set(key, answered)
  }
}

/** Answers like `answerAnew`, which is asked for what is not known already. */
export function answeringOnce(
  operation: Operation,
  answerAnew: Answering,
  { responseCache, rateLimits }: { responseCache: ResponseCache; rateLimits: RateLimits },
): Answering {
  return async (request, reply) => {
    const moment = await responseCache.thisMoment()
    const key = keyOf(request)
    const known = moment.get(key)
    if (known) {
      request.caller = known.caller
      rateLimits.countRequest(operation, known.caller, request.ip)
      return known
    }
    const answered = await answerAnew(request, reply)
    moment.add(key, answered)
    return answered
  }
}

/** Everything that an answer of a cacheable operation may depend on, besides the store and the clock. */
function keyOf({ originalUrl, headers }: FastifyRequest): string {
  const { authorization, sudo } = headers
  const parts = [originalUrl, authorization, headers['private-token'], headers['job-token'], sudo]
  // Neither an address nor a header holds a line break.
  return hash('sha256', parts.join('\n'), 'base64')
}
