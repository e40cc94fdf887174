const AFTER_A_JOB = 1.1
const AFTER_NONE = 0.95
const AFTER_TROUBLE = 0.5

/**
 * The number of job requests that one registration keeps open, between one and `most` (its `request_concurrency`).
 * It grows while requests return jobs. It shrinks while they do not, or while the coordinator has problems (runner
 * protocol, 6.6).
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
