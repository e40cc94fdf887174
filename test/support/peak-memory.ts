/** Growth of the memory of the process since `start`, as sampled. */
export class PeakMemory {
  private peak: number

  private constructor(private readonly before: number) {
    this.peak = before
  }

  static start(): PeakMemory {
    return new PeakMemory(process.memoryUsage.rss())
  }

  sample(): void {
    this.peak = Math.max(this.peak, process.memoryUsage.rss())
  }

  /** Bytes. */
  get growth(): number {
    return this.peak - this.before
  }
}
