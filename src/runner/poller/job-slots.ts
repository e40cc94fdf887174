import PQueue from 'p-queue'

/**
 * The job slots of this process. A registration takes a slot before it requests a job, so that there is always a
 * slot for the response. Waiting registrations are served in order of arrival.
 */
export class JobSlots {
  private readonly queue: PQueue
  private readonly members = new Set<object>()
  private readonly requesting = new Set<object>()

  constructor(concurrent: number) {
    this.queue = new PQueue({ concurrency: concurrent })
  }

  get concurrent(): number {
    return this.queue.concurrency
  }

  /** Number of slots in use, by jobs and by job requests. */
  get taken(): number {
    return this.queue.pending
  }

  /** Additional slots are available at once. If there are fewer, slots in use are kept. */
  resize(concurrent: number): void {
    this.queue.concurrency = concurrent
  }

  /** `member` takes part in the distribution of slots from now on. */
  join(member: object): void {
    this.members.add(member)
  }

  /** `member` no longer takes part. */
  leave(member: object): void {
    this.members.delete(member)
  }

  /** Runs `work` in a slot, as soon as one is free. */
  async run(work: () => Promise<void>): Promise<void> {
    await this.queue.add(work)
  }

  /** Runs `work` now, and assigns it a slot as soon as one is free. Used for jobs that are already running. */
  async runNow(work: () => Promise<void>): Promise<void> {
    const running = work()
    await this.queue.add(() => running, { priority: 1 })
  }

  /**
   * Makes a job request from within a slot. `mayBeHeld` is false if another member may find no free slot for its
   * own request. The request must then not stay open without a job.
   */
  async request<T>(member: object, request: (mayBeHeld: boolean) => Promise<T>): Promise<T> {
    this.requesting.add(member)
    try {
      return await request(this.concurrent - this.queue.pending >= this.othersNotRequesting(member))
    } finally {
      this.requesting.delete(member)
    }
  }

  /** Resolves when no slot is in use. */
  async idle(): Promise<void> {
    await this.queue.onIdle()
  }

  private othersNotRequesting(member: object): number {
    return [...this.members].filter((other) => other !== member && !this.requesting.has(other)).length
  }
}
