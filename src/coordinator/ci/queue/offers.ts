/**
 * How long a runner of a smaller weight leaves a job to the one that was told of it: much longer than taking it lasts,
 * and so short that nothing is lost when that one stands still. Milliseconds.
 */
const LEFT_FOR = 5000

interface Offer {
  weight: number
  until: number
}

/** Jobs that waiting runners were told of and have neither taken nor given up. */
export class Offers {
  private readonly offers = new Map<number, Offer>()

  make(jobId: number, weight: number, now = Date.now()): void {
    this.deleteOld(now)
    // Behind the others, also when it is offered again.
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

  /** The oldest are in front: each lasts equally long. */
  private deleteOld(now: number): void {
    for (const [jobId, { until }] of this.offers) {
      if (until > now) return
      this.offers.delete(jobId)
    }
  }
}
