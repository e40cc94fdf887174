import PQueue from 'p-queue'

/**
 * The places for jobs in this process. Who asks for a job holds its place already, so that an answer always finds
 * room; those that wait for one are served in the order of coming.
 */
export class JobSlots {
  private readonly queue: PQueue
  private readonly members = new Set<object>()
  private readonly asking = new Set<object>()

  constructor(concurrent: number) {
    this.queue = new PQueue({ concurrency: concurrent })
  }

  get concurrent(): number {
    return this.queue.concurrency
  }

  /** Places that are taken, by jobs and by those who ask for one. */
  get taken(): number {
    return this.queue.pending
  }

  /** More places are there at once; with fewer, whoever has one keeps it. */
  resize(concurrent: number): void {
    this.queue.concurrency = concurrent
  }

  /** `member` will want places from now on. */
  join(member: object): void {
    this.members.add(member)
  }

  /** `member` wants none any more. */
  leave(member: object): void {
    this.members.delete(member)
  }

  /** Runs `work` in a place of its own, as soon as there is one. */
  async run(work: () => Promise<void>): Promise<void> {
    await this.queue.add(work)
  }

  /** Runs `work` now, and in a place of its own as soon as there is one: for what runs already. */
  async runNow(work: () => Promise<void>): Promise<void> {
    const running = work()
    await this.queue.add(() => running, { priority: 1 })
  }

  /**
   * Asks for a job from within a place. `mayBeHeld` is false when another member may find no place to ask in: the
   * request is then not to stay open without a job.
   */
  async ask<T>(member: object, request: (mayBeHeld: boolean) => Promise<T>): Promise<T> {
    this.asking.add(member)
    try {
      return await request(this.concurrent - this.queue.pending >= this.othersNotRequesting(member))
    } finally {
      this.asking.delete(member)
    }
  }

  /** Resolves when no place is taken. */
  async idle(): Promise<void> {
    await this.queue.onIdle()
  }

  private othersNotRequesting(member: object): number {
    return [...this.members].filter((other) => other !== member && !this.asking.has(other)).length
  }
}
