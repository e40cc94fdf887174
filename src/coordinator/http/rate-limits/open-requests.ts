import type { Caller } from '../../access/caller.js'
import { apiError } from '../errors.js'
import { subjectOfAddress } from './address-subject.js'

/** Limits the open requests of a kind that a user, or an address without a credential, has at one coordinator. */
export class OpenRequests {
  private readonly counts = new Map<string, number>()

  /** `what`: the limited requests in the message, such as `live streams`. */
  constructor(
    private readonly most: number,
    private readonly what: string,
  ) {}

  /** Returns a function that frees the place. Throws 429 if the caller has too many open requests. */
  take(caller: Caller, address: string): () => void {
    const subject = caller.kind === 'anonymous' ? subjectOfAddress(address) : `user ${caller.user.id}`
    const count = this.counts.get(subject) ?? 0
    if (count >= this.most) {
      const values = { max: this.most, what: this.what }
      throw apiError('too_many_open_requests', values, { headers: { 'retry-after': '10' } })
    }
    this.counts.set(subject, count + 1)
    return () => this.free(subject)
  }

  private free(subject: string): void {
    const count = this.counts.get(subject) ?? 0
    if (count > 1) this.counts.set(subject, count - 1)
    else this.counts.delete(subject)
  }
}
