import type { JobObserver } from '../../../runner/registrations/registration-jobs.js'

export interface Limits {
  /** Jobs in all; undefined or 0: any number. */
  jobs: number | undefined
  /** Seconds without a job; undefined or 0: any time. */
  waitSeconds: number | undefined
}

/** Tells a runner that works on one job at a time when it has done enough. */
export class JobLimits implements JobObserver {
  private received = 0
  private isWorking = false
  private waiting: NodeJS.Timeout | undefined
  private onReached: (() => void) | undefined

  constructor(private readonly limits: Limits) {}

  /** `onReached` may be called several times; it is too late for jobs that are on their way, which are run. */
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
