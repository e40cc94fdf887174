/**
 * Aho-Corasick over bytes: one table look-up per byte tells, for any number of patterns, which of them ends here and
 * how much of the text so far could still become one. Bytes that occur in no pattern share a column of the table.
 */
export class ByteAutomaton {
  static readonly ROOT = 0

  /** Number of columns, the shared one included. */
  private readonly columns: number
  private readonly columnOf = new Uint16Array(256)
  private next: Int32Array
  /** Length of the longest suffix of the text that is the beginning of a pattern. */
  private readonly depths: number[] = [0]
  /** Length of the longest pattern that ends in this state, 0 for none. */
  private readonly matches: number[] = [0]

  constructor(patterns: readonly Buffer[]) {
    this.columns = this.assignColumns(patterns)
    const states = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
    this.next = new Int32Array(states * this.columns).fill(-1)
    for (const pattern of patterns) this.add(pattern)
    this.next = this.next.slice(0, this.depths.length * this.columns)
    this.link()
  }

  step(state: number, byte: number): number {
    return this.next[state * this.columns + this.columnOf[byte]!]!
  }

  depth(state: number): number {
    return this.depths[state]!
  }

  matchLength(state: number): number {
    return this.matches[state]!
  }

  private assignColumns(patterns: readonly Buffer[]): number {
    let columns = 1
    for (const pattern of patterns) {
      for (const byte of pattern) this.columnOf[byte] ||= columns++
    }
    return columns
  }

  private add(pattern: Buffer): void {
    let state = ByteAutomaton.ROOT
    for (const byte of pattern) {
      const index = state * this.columns + this.columnOf[byte]!
      if (this.next[index] === -1) {
        this.next[index] = this.depths.length
        this.depths.push(this.depths[state]! + 1)
        this.matches.push(0)
      }
      state = this.next[index]!
    }
    this.matches[state] = pattern.length
  }

  /** Breadth first: a missing step becomes the step of the longest proper suffix, which is already complete. */
  private link(): void {
    const suffixes = new Int32Array(this.depths.length)
    const order = [ByteAutomaton.ROOT]
    for (const state of order) {
      for (let column = 0; column < this.columns; column++) {
        const index = state * this.columns + column
        const target = this.next[index]!
        const fallback =
          state === ByteAutomaton.ROOT ? 0 : this.next[suffixes[state]! * this.columns + column]!
        if (target === -1) {
          this.next[index] = fallback
        } else {
          suffixes[target] = fallback
          this.matches[target] = Math.max(this.matches[target]!, this.matches[fallback]!)
          order.push(target)
        }
      }
    }
  }
}
