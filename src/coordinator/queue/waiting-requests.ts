import { mayTake, type RunnerProfile } from './match.js'
import { WaitingRequest, type Wake } from './waiting-request.js'

/** The job requests that are open in this process. */
export class WaitingRequests {
  private readonly requests = new Set<WaitingRequest>()

  /** `onUnused` is told of a wake that came to nothing while its job may still be in the queue. */
  constructor(private readonly onUnused: (wake: Wake) => void) {}

  add(profile: RunnerProfile): WaitingRequest {
    const request = new WaitingRequest(profile, {
      unused: this.onUnused,
      closed: () => this.requests.delete(request),
    })
    this.requests.add(request)
    return request
  }

  get isEmpty(): boolean {
    return this.requests.size === 0
  }

  /**
   * Wakes one request whose runner may take the job, the longest waiting one if any waits, else one that is about to
   * search or wait; false when there is none.
   */
  wake(wake: Wake): boolean {
    let chosen: WaitingRequest | undefined
    for (const request of this.requests) {
      if (!request.isFree || wake.tried.has(request) || !mayTake(request.profile, wake.job)) continue
      chosen ??= request
      if (!request.isWaiting) continue
      chosen = request
      break
    }
    if (!chosen) return false
    wake.tried.add(chosen)
    chosen.wake(wake)
    return true
  }

  /** Everybody searches once: news may have been missed. */
  wakeAll(): void {
    for (const request of this.requests) request.wake(undefined)
  }

  /** The job has left the queue: a wake for it did its work. */
  settle(jobId: number): void {
    for (const request of this.requests) request.settle(jobId)
  }
}
