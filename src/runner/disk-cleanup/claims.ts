/**
 * Coordinates use and removal within this process. An item that a job uses is not removed. A job that needs an item
 * during its removal waits until the removal is done. This suffices because only one process uses a data directory.
 */
export class Claims {
  private readonly users = new Map<string, number>()
  private readonly removals = new Map<string, Promise<unknown>>()

  /** Returns a function that ends the use. It may be called more than once. */
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

  /** Runs `remove` unless the item is in use. Returns whether it ran. */
  async unlessUsed(key: string, remove: () => Promise<void>): Promise<boolean> {
    if (this.isUsed(key) || this.removals.has(key)) return false
    const removal = remove()
    // Waiting jobs only need to know that the removal ended. The caller receives its error.
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
