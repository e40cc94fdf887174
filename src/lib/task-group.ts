/** Runs tasks in the background, at most `atOnce` at a time. A failure is thrown at the next call of a method. */
export class TaskGroup {
  private readonly running = new Set<Promise<void>>()
  private readonly failures: unknown[] = []

  constructor(private readonly atOnce: number) {}

  /** Resolves when another task may be started. Throws the error of an earlier task. */
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

  /** Resolves when all tasks have ended. Throws the error of one of them. */
  async finish(): Promise<void> {
    await this.drain()
    this.throwFailure()
  }

  /** Resolves when all tasks have ended, whether they failed or not. */
  async drain(): Promise<void> {
    await Promise.all(this.running)
  }

  private throwFailure(): void {
    if (this.failures.length > 0) throw this.failures[0]
  }
}
