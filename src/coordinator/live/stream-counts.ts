import type { Caller } from '../access/caller.js'
import { ApiError } from '../http/errors.js'
import { subjectOfAddress } from '../http/rate-limits/address-subject.js'

/** Maximum number of open streams of a user, or of an address without a credential, at one coordinator. */
export const STREAMS_PER_CALLER = 100

/** Counts the open streams of each caller. */
export class StreamCounts {
  private readonly counts = new Map<string, number>()

  /** Returns a function that frees the place. Throws 429 if the caller has too many streams. */
  take(caller: Caller, address: string): () => void {
    const subject = caller.kind === 'anonymous' ? subjectOfAddress(address) : `user ${caller.user.id}`
    const count = this.counts.get(subject) ?? 0
    if (count >= STREAMS_PER_CALLER) throw new ApiError(429, TOO_MANY, { 'retry-after': '10' })
    this.counts.set(subject, count + 1)
    return () => this.free(subject)
  }

  private free(subject: string): void {
    const count = this.counts.get(subject) ?? 0
    if (count > 1) this.counts.set(subject, count - 1)
    else this.counts.delete(subject)
  }
}

const TOO_MANY = { message: `429 Too Many Requests - at most ${STREAMS_PER_CALLER} live streams are allowed` }
