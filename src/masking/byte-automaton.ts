/** Where a walk over some bytes has stopped. */
export interface Progress {
  /** Index of the first byte that was not looked at. */
  index: number
  state: number
  /** A pattern ends right before `index`; else the bytes are at their end. */
  isMatch: boolean
}

/** States with a row of their own: nearly all that ordinary text comes by. A row has a cell for each column. */
const MAX_ROWS = 2048
const NONE = 0

/**
 * Aho-Corasick over bytes: tells, for any number of patterns, which of them ends here and how much of the text so far
 * could still become one. Bytes that occur in no pattern share a column.
 *
 * States are numbered breadth first. The first ones, near the root, have a row that holds every next state, so that
 * most bytes cost one look-up; the others, deep inside a pattern, have only their children and the state of the longest
 * proper suffix to fall back to. A long secret thus costs some twenty bytes for each of its own.
 */
export class ByteAutomaton {
  static readonly ROOT = 0

  /** Number of columns, the shared one included. */
  private readonly columns: number
  private readonly columnOf = new Uint16Array(256)
  private readonly trie: Trie
  private readonly suffixes: Int32Array
  private readonly rows: Int32Array
  private readonly rowCount: number
  /** Whether a pattern begins with the byte: from the root, all others are passed over by this alone. */
  private readonly begins = new Uint8Array(256)

  /** `maxRows` bounds the memory that fast states take: fewer rows make text that resembles a pattern slower. */
  constructor(patterns: readonly Buffer[], { ignoreCase = false, maxRows = MAX_ROWS } = {}) {
    this.columns = this.assignColumns(patterns)
    if (ignoreCase) this.joinCases()
    this.trie = breadthFirst(this.plant(patterns))
    this.suffixes = new Int32Array(this.trie.size)
    this.rowCount = Math.min(this.trie.size, maxRows)
    this.rows = new Int32Array(this.rowCount * this.columns)
    this.link()
    for (let byte = 0; byte < 256; byte++) this.begins[byte] = this.rows[this.columnOf[byte]!] === 0 ? 0 : 1
  }

  /** Goes on at `index` from `state` until a pattern ends or the bytes do. Each byte of every log passes here. */
  scan(bytes: Uint8Array, index: number, state: number): Progress {
    const { rows, rowCount, columns, columnOf, begins } = this
    const { matches } = this.trie
    for (let at = index; at < bytes.length; at++) {
      if (state === ByteAutomaton.ROOT) {
        while (at < bytes.length && begins[bytes[at]!] === 0) at++
        if (at === bytes.length) break
      }
      const column = columnOf[bytes[at]!]!
      state = state < rowCount ? rows[state * columns + column]! : this.step(state, column)
      if (matches[state]! > 0) return { index: at + 1, state, isMatch: true }
    }
    return { index: bytes.length, state, isMatch: false }
  }

  /** Length of the longest suffix of the text that is the beginning of a pattern. */
  depth(state: number): number {
    return this.trie.depths[state]!
  }

  /** Length of the longest pattern that ends in this state, 0 for none. */
  matchLength(state: number): number {
    return this.trie.matches[state]!
  }

  /** Bytes of memory that this takes, about. */
  get byteSize(): number {
    return this.rows.byteLength + this.suffixes.byteLength + this.trie.byteSize
  }

  /** Falls back until a state goes on with the column; one that has a row always does. */
  private step(from: number, column: number): number {
    let state = from
    while (state >= this.rowCount) {
      const child = this.trie.child(state, column)
      if (child !== NONE) return child
      state = this.suffixes[state]!
    }
    return this.rows[state * this.columns + column]!
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

  private plant(patterns: readonly Buffer[]): Trie {
    const trie = new Trie(patterns.reduce((sum, pattern) => sum + pattern.length, 1))
    for (const pattern of patterns) {
      let state = ByteAutomaton.ROOT
      for (const byte of pattern) state = trie.childOrNew(state, this.columnOf[byte]!)
      trie.matches[state] = pattern.length
    }
    return trie
  }

  /** In the order of the states: the suffix of a state is shorter, so that it is complete already. */
  private link(): void {
    const { trie, suffixes, rows, columns } = this
    for (let state = 0; state < trie.size; state++) {
      const suffix = suffixes[state]!
      trie.matches[state] = Math.max(trie.matches[state]!, trie.matches[suffix]!)
      if (state < this.rowCount && state > 0) {
        rows.copyWithin(state * columns, suffix * columns, (suffix + 1) * columns)
      }
      for (let child = trie.firsts[state]!; child !== NONE; child = trie.siblings[child]!) {
        const column = trie.columns[child]!
        if (state !== ByteAutomaton.ROOT) suffixes[child] = this.step(suffix, column)
        if (state < this.rowCount) rows[state * columns + column] = child
      }
    }
  }
}

/** The patterns as a tree: each state has a first child, and each child the next one of the same parent. */
class Trie {
  size = 1
  readonly firsts: Int32Array
  readonly siblings: Int32Array
  /** Column of the byte that leads into the state. */
  readonly columns: Uint16Array
  readonly depths: Int32Array
  readonly matches: Int32Array

  constructor(capacity: number) {
    this.firsts = new Int32Array(capacity)
    this.siblings = new Int32Array(capacity)
    this.columns = new Uint16Array(capacity)
    this.depths = new Int32Array(capacity)
    this.matches = new Int32Array(capacity)
  }

  get byteSize(): number {
    const arrays = [this.firsts, this.siblings, this.columns, this.depths, this.matches]
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  child(state: number, column: number): number {
    let child = this.firsts[state]!
    while (child !== NONE && this.columns[child] !== column) child = this.siblings[child]!
    return child
  }

  childOrNew(state: number, column: number): number {
    return this.child(state, column) || this.add(state, column)
  }

  add(state: number, column: number): number {
    const child = this.size++
    this.columns[child] = column
    this.depths[child] = this.depths[state]! + 1
    this.siblings[child] = this.firsts[state]!
    this.firsts[state] = child
    return child
  }
}

/** The same tree with its states numbered level by level. */
function breadthFirst(trie: Trie): Trie {
  const ordered = new Trie(trie.size)
  const originals = new Int32Array(trie.size)
  for (let state = 0; state < ordered.size; state++) {
    const original = originals[state]!
    ordered.matches[state] = trie.matches[original]!
    for (let child = trie.firsts[original]!; child !== NONE; child = trie.siblings[child]!) {
      originals[ordered.add(state, trie.columns[child]!)] = child
    }
  }
  return ordered
}
