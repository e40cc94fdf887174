const AFTER_A_JOB = 1.1
const AFTER_NONE = 0.95
const AFTER_TROUBLE = 0.5

/**
 * How many requests for a job one entry keeps open, between one and `most` (its `request_concurrency`): more while
 * requests bring jobs, fewer while they do not or the coordinator is in trouble (runner protocol, 6.6).
 */
export class AdaptiveConcurrency {
  private level = 1

  constructor(private most: number) {}

  get allowed(): number {
    return Math.min(Math.ceil(this.level), this.most)
  }

  limitTo(most: number): void {
    this.most = most
    this.move(1)
  }

  foundJob(): void {
    this.move(AFTER_A_JOB)
  }

  foundNone(): void {
    this.move(AFTER_NONE)
  }

  hadTrouble(): void {
    this.move(AFTER_TROUBLE)
  }

  private move(factor: number): void {
    this.level = Math.min(Math.max(this.level * factor, 1), this.most)
  }
}
