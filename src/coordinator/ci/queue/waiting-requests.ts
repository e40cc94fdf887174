import { mayTake, type RunnerProfile } from './match.js'
import { Offers } from './offers.js'
import { WaitingRequest, type WaitingRequestListeners, type Wake } from './waiting-request.js'

/** The job requests that are open in this process. */
export class WaitingRequests {
  private readonly requests = new Set<WaitingRequest>()
  private readonly offers = new Offers()
  private readonly listeners: WaitingRequestListeners
  private isEnded = false

  /** `onUnused` is called for a wake that led to no claim while its job may still be queued. */
  constructor(onUnused: (wake: Wake) => void) {
    this.listeners = {
      unused: (wake) => {
        this.offers.withdraw(wake.job.jobId)
        onUnused(wake)
      },
      closed: (request) => this.requests.delete(request),
    }
  }

  add(profile: RunnerProfile): WaitingRequest {
    const request = new WaitingRequest(profile, this.listeners)
    this.requests.add(request)
    if (this.isEnded) request.abort()
    return request
  }

  get isEmpty(): boolean {
    return this.requests.size === 0
  }

  /**
   * Wakes one request whose runner may take the job; false if there is none. Chooses the greatest weight.
   * Among equals it prefers the longest waiting request, then one that is about to search or wait.
   */
  wake(wake: Wake): boolean {
    let chosen: WaitingRequest | undefined
    for (const request of this.requests) {
      if (!request.isFree || wake.tried.has(request) || !mayTake(request.profile, wake.job)) continue
      if (!chosen || isBetter(request, chosen)) chosen = request
    }
    if (!chosen) return false
    wake.tried.add(chosen)
    this.offers.add(wake.job.jobId, chosen.profile.weight)
    chosen.wake(wake)
    return true
  }

  /** Whether the job is currently offered to a runner of a greater weight. */
  isLeftToAnother(jobId: number, { weight }: RunnerProfile): boolean {
    return this.offers.isForGreater(jobId, weight)
  }

  /** The jobs that are currently offered to runners of a greater weight. */
  leftToOthers({ weight }: RunnerProfile): number[] {
    return this.offers.forGreater(weight)
  }

  /** All requests end their waits, and those that are added later do not wait. */
  endWaits(): void {
    this.isEnded = true
    for (const request of this.requests) request.abort()
  }

  /** Every request searches once, because notifications may have been missed. */
  wakeAll(): void {
    for (const request of this.requests) request.wake(undefined)
  }

  /** The job has left the queue, so no runner needs to be woken for it. */
  discard(jobId: number): void {
    this.offers.withdraw(jobId)
    for (const request of this.requests) request.discard(jobId)
  }
}

/** The first in the set has waited longest among equally good requests. */
function isBetter(request: WaitingRequest, chosen: WaitingRequest): boolean {
  const difference = request.profile.weight - chosen.profile.weight
  return difference > 0 || (difference === 0 && request.isWaiting && !chosen.isWaiting)
}
