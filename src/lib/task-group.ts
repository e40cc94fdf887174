/** Tasks that run beside their starter, at most `atOnce` of them. A failure is thrown to the starter when it looks again. */
export class TaskGroup {
  private readonly running = new Set<Promise<void>>()
  private readonly failures: unknown[] = []

  constructor(private readonly atOnce: number) {}

  /** Resolves when another task may be started; throws what an earlier one threw. */
  async untilRoom(): Promise<void> {
    while (this.running.size >= this.atOnce) await Promise.race(this.running)
    this.throwFailure()
  }

  start(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => void this.failures.push(error))
      .finally(() => this.running.delete(running))
    this.running.add(running)
  }

  /** Resolves when all have ended; throws what one of them threw. */
  async finish(): Promise<void> {
    await this.drain()
    this.throwFailure()
  }

  /** Resolves when all have ended, however. */
  async drain(): Promise<void> {
    await Promise.all(this.running)
  }

  private throwFailure(): void {
    if (this.failures.length > 0) throw this.failures[0]
  }
}
