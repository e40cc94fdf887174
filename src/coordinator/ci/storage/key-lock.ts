/** Runs at most one action per key at a time, in order of arrival. */
export class KeyLock<Key> {
  private readonly tails = new Map<Key, Promise<unknown>>()

  async run<T>(key: Key, action: () => Promise<T>): Promise<T> {
    const previous = this.tails.get(key) ?? Promise.resolve()
    const current = previous.then(action, action)
    this.tails.set(key, current)
    try {
      return await current
    } finally {
      if (this.tails.get(key) === current) this.tails.delete(key)
    }
  }
}
