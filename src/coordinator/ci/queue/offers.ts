/**
 * How long, in milliseconds, runners of lower weight leave a job to the runner that was woken for it. This is
 * much longer than a claim takes, and short enough that an unresponsive runner causes little delay.
 */
const LEFT_FOR = 5000

interface Offer {
  weight: number
  until: number
}

/** Jobs that were offered to waiting runners, which have neither taken nor declined them yet. */
export class Offers {
  private readonly offers = new Map<number, Offer>()

  add(jobId: number, weight: number, now = Date.now()): void {
    this.deleteOld(now)
    // Move it to the end, even if it is offered again.
    this.offers.delete(jobId)
    this.offers.set(jobId, { weight, until: now + LEFT_FOR })
  }

  withdraw(jobId: number): void {
    this.offers.delete(jobId)
  }

  isForGreater(jobId: number, weight: number, now = Date.now()): boolean {
    const offer = this.offers.get(jobId)
    return offer !== undefined && offer.weight > weight && offer.until > now
  }

  /** The jobs that are offered to a runner of a greater weight. */
  forGreater(weight: number, now = Date.now()): number[] {
    return [...this.offers.keys()].filter((jobId) => this.isForGreater(jobId, weight, now))
  }

  /** The oldest are in front: each lasts equally long. */
  private deleteOld(now: number): void {
    for (const [jobId, { until }] of this.offers) {
      if (until > now) return
      this.offers.delete(jobId)
    }
  }
}
