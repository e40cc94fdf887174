/** Where a walk over some bytes has stopped. */
export interface Progress {
  /** Index of the first byte that was not looked at. */
  index: number
  state: number
  /** A pattern ends right before `index`; else the bytes are at their end. */
  isMatch: boolean
}

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
  /** Whether a pattern begins with the byte: most bytes of a log are passed over by this alone. */
  private readonly begins = new Uint8Array(256)
  /** Length of the longest suffix of the text that is the beginning of a pattern. */
  private readonly depths: number[] = [0]
  /** Length of the longest pattern that ends in this state, 0 for none. */
  private readonly matches: number[] = [0]

  constructor(patterns: readonly Buffer[], { ignoreCase = false } = {}) {
    this.columns = this.assignColumns(patterns)
    if (ignoreCase) this.joinCases()
    const states = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
    this.next = new Int32Array(states * this.columns).fill(-1)
    for (const pattern of patterns) this.add(pattern)
    this.next = this.next.slice(0, this.depths.length * this.columns)
    this.link()
    for (let byte = 0; byte < 256; byte++) this.begins[byte] = this.next[this.columnOf[byte]!] === 0 ? 0 : 1
  }

  /** Goes on at `index` from `state` until a pattern ends or the bytes do. Each byte of every log passes here. */
  scan(bytes: Uint8Array, index: number, state: number): Progress {
    const { next, columns, columnOf, matches, begins } = this
    for (let at = index; at < bytes.length; at++) {
      if (state === ByteAutomaton.ROOT) {
        while (at < bytes.length && begins[bytes[at]!] === 0) at++
        if (at === bytes.length) break
      }
      state = next[state * columns + columnOf[bytes[at]!]!]!
      if (matches[state]! > 0) return { index: at + 1, state, isMatch: true }
    }
    return { index: bytes.length, state, isMatch: false }
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

  /** Patterns are given in lower case then. */
  private joinCases(): void {
    for (let upper = 0x41; upper <= 0x5a; upper++) this.columnOf[upper] = this.columnOf[upper + 0x20]!
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
