/** Runs the tasks of each key one after another, in the order in which they came; those of other keys do not wait. */
export class InTurn {
  private readonly last = new Map<string, Promise<unknown>>()

  /** Resolves or rejects as `task` does. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key)
    const running = (before ?? Promise.resolve()).then(task)
    // The next task starts whether this one fails or not.
    const ended = running.then(
      () => undefined,
      () => undefined,
    )
    this.last.set(key, ended)
    try {
      return await running
    } finally {
      if (this.last.get(key) === ended) this.last.delete(key)
    }
  }
}
