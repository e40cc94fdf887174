/**
 * Who may touch what: a job that uses a thing keeps it from being removed, and one that wants to use it while it is
 * being removed waits until that is done. Within one process, which is enough: a data directory has one.
 */
export class Claims {
  private readonly users = new Map<string, number>()
  private readonly removals = new Map<string, Promise<unknown>>()

  /** Answers what ends the use; calling it twice is fine. */
  async use(key: string): Promise<() => void> {
    while (this.removals.has(key)) await this.removals.get(key)
    this.users.set(key, (this.users.get(key) ?? 0) + 1)
    let isOver = false
    return () => {
      if (!isOver) this.release(key)
      isOver = true
    }
  }

  isUsed(key: string): boolean {
    return this.users.has(key)
  }

  /** Runs `remove` unless somebody uses the thing; answers whether it ran. */
  async unlessUsed(key: string, remove: () => Promise<void>): Promise<boolean> {
    if (this.isUsed(key) || this.removals.has(key)) return false
    const removal = remove()
    // Those who wait only wait; how it went is for the caller.
    this.removals.set(
      key,
      removal.catch(() => undefined),
    )
    try {
      await removal
      return true
    } finally {
      this.removals.delete(key)
    }
  }

  private release(key: string): void {
    const left = (this.users.get(key) ?? 1) - 1
    if (left > 0) this.users.set(key, left)
    else this.users.delete(key)
  }
}
