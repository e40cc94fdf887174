import { mayTake, type RunnerProfile } from './match.js'
import { Offers } from './offers.js'
import { WaitingRequest, type Wake } from './waiting-request.js'

/** The job requests that are open in this process. */
export class WaitingRequests {
  private readonly requests = new Set<WaitingRequest>()
  private readonly offers = new Offers()

  /** `onUnused` is told of a wake that came to nothing while its job may still be in the queue. */
  constructor(private readonly onUnused: (wake: Wake) => void) {}

  add(profile: RunnerProfile): WaitingRequest {
    const request = new WaitingRequest(profile, {
      unused: (wake) => {
        this.offers.withdraw(wake.job.jobId)
        this.onUnused(wake)
      },
      closed: () => this.requests.delete(request),
    })
    this.requests.add(request)
    return request
  }

  get isEmpty(): boolean {
    return this.requests.size === 0
  }

  /**
   * Wakes one request whose runner may take the job: of the greatest weight, and of those the longest waiting one if any
   * waits, else one that is about to search or wait; false when there is none.
   */
  wake(wake: Wake): boolean {
    let chosen: WaitingRequest | undefined
    for (const request of this.requests) {
      if (!request.isFree || wake.tried.has(request) || !mayTake(request.profile, wake.job)) continue
      if (!chosen || isBetter(request, chosen)) chosen = request
    }
    if (!chosen) return false
    wake.tried.add(chosen)
    this.offers.make(wake.job.jobId, chosen.profile.weight)
    chosen.wake(wake)
    return true
  }

  /** Whether a runner of a greater weight has been told of the job and is about to take it. */
  isLeftToAnother(jobId: number, { weight }: RunnerProfile): boolean {
    return this.offers.isForGreater(jobId, weight)
  }

  /** Everybody searches once: news may have been missed. */
  wakeAll(): void {
    for (const request of this.requests) request.wake(undefined)
  }

  /** The job has left the queue: a wake for it did its work. */
  settle(jobId: number): void {
    this.offers.withdraw(jobId)
    for (const request of this.requests) request.settle(jobId)
  }
}

/** Of equally good ones the first in the set has waited for the longest. */
function isBetter(request: WaitingRequest, chosen: WaitingRequest): boolean {
  const difference = request.profile.weight - chosen.profile.weight
  return difference > 0 || (difference === 0 && request.isWaiting && !chosen.isWaiting)
}
