/** Blocks job requests while there is not enough disk space. */
export class DiskGate {
  private problem: string | undefined
  private waiting = new Set<() => void>()

  /** Why no jobs are accepted. Undefined if they are. */
  get reason(): string | undefined {
    return this.problem
  }

  close(reason: string): void {
    this.problem = reason
  }

  open(): void {
    this.problem = undefined
    for (const wake of this.waiting) wake()
    this.waiting.clear()
  }

  /** Resolves when jobs may be requested, or when `signal` aborts. */
  async passed(signal: AbortSignal): Promise<void> {
    while (this.problem !== undefined && !signal.aborted) await this.change(signal)
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake)
        this.waiting.delete(wake)
        resolve()
      }
      this.waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }
}
