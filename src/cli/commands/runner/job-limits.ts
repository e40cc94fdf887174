import type { JobObserver } from '../../../runner/registrations/registration-jobs.js'

export interface Limits {
  /** Total number of jobs. Undefined or 0: no limit. */
  jobs: number | undefined
  /** Seconds without a job. Undefined or 0: no limit. */
  waitSeconds: number | undefined
}

/** Stops a runner with one job at a time when its limit is reached. */
export class JobLimits implements JobObserver {
  private received = 0
  private isWorking = false
  private waiting: NodeJS.Timeout | undefined
  private onReached: (() => void) | undefined

  constructor(private readonly limits: Limits) {}

  /** `onReached` may be called several times. Jobs that are already on their way are still run. */
  begin(onReached: () => void): void {
    this.onReached = onReached
    this.check()
  }

  end(): void {
    clearTimeout(this.waiting)
    this.onReached = undefined
  }

  jobReceived(): void {
    this.received++
    this.isWorking = true
    this.check()
  }

  jobEnded(): void {
    this.isWorking = false
    this.check()
  }

  private check(): void {
    const { jobs, waitSeconds } = this.limits
    clearTimeout(this.waiting)
    if (!this.onReached) return
    if (jobs && this.received >= jobs) this.onReached()
    else if (waitSeconds && !this.isWorking) this.waiting = setTimeout(this.onReached, waitSeconds * 1000)
  }
}
