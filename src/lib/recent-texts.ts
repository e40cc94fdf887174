/**
 * What was made of texts, as long as their characters together stay within a bound: the one that was not asked for the
 * longest goes first.
 */
export class RecentTexts<T> {
  private readonly made = new Map<string, { value: T; size: number }>()
  private size = 0

  constructor(
    private readonly maximum: { ofOne: number; ofAll: number },
    private readonly make: (text: string, name: string) => T,
  ) {}

  /** The same text under another name is another one. What `make` throws is not kept. */
  get(text: string, name: string): T {
    const key = `${name}\n${text}`
    const known = this.made.get(key)
    const value = known ? known.value : this.make(text, name)
    // Behind all others now.
    if (known) this.made.delete(key)
    else if (key.length > this.maximum.ofOne) return value
    else this.size += key.length
    this.made.set(key, { value, size: key.length })
    this.removeOldest()
    return value
  }

  private removeOldest(): void {
    for (const [key, { size }] of this.made) {
      if (this.size <= this.maximum.ofAll) return
      this.made.delete(key)
      this.size -= size
    }
  }
}
