/** A gate that work waits at while it is closed. */
export class Gate {
  private problem: string | undefined
  private waiting = new Set<() => void>()
  private passing = new Set<AbortController>()

  /** A gate that is closed at first has a reason. */
  constructor(reason?: string) {
    this.problem = reason
  }

  /** Why the gate is closed. Undefined if it is open. */
  get reason(): string | undefined {
    return this.problem
  }

  close(reason: string): void {
    this.problem = reason
    for (const controller of this.passing) controller.abort()
  }

  open(): void {
    this.problem = undefined
    for (const wake of this.waiting) wake()
    this.waiting.clear()
  }

  /** Resolves when the gate is open, or when `signal` aborts. */
  async passed(signal: AbortSignal): Promise<void> {
    while (this.problem !== undefined && !signal.aborted) await this.change(signal)
  }

  /** Calls `work` with a signal that aborts with `signal`, and when the gate is closed or closes. */
  async during<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    // `AbortSignal.any` keeps every signal that it made for as long as `signal` lives.
    const controller = new AbortController()
    const abort = () => controller.abort()
    if (signal.aborted || this.problem !== undefined) abort()
    signal.addEventListener('abort', abort)
    this.passing.add(controller)
    try {
      return await work(controller.signal)
    } finally {
      this.passing.delete(controller)
      signal.removeEventListener('abort', abort)
    }
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
