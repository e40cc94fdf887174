/** The result of scanning some bytes. */
export interface Progress {
  /** Index of the first byte that was not examined. */
  index: number
  state: number
  /** Whether a pattern ends directly before `index`. If not, all bytes were examined. */
  isMatch: boolean
}

/**
 * Number of states with a row of their own, which covers nearly all states that ordinary text reaches. A row has a
 * cell for each column.
 */
const MAX_ROWS = 2048
const NONE = 0
const LETTER_CASE = 0x20

/** With shorter patterns, too few bytes are skipped to repay the look-ups. */
const MIN_SKIP_LENGTH = 4
/** Entries of a skip table per pair of bytes in the patterns. Most look-ups in a fuller table skip nothing. */
const ENTRIES_PER_PAIR = 8
const MIN_SKIP_BITS = 12
/** A table of 16 bits has one entry for each pair of bytes. */
const MAX_SKIP_BITS = 16

/**
 * Aho-Corasick over bytes: finds which of any number of patterns end at a position, and how much of the text so far
 * may become one. Bytes that occur in no pattern share a column.
 *
 * States are numbered breadth first. The first ones, near the root, have a row with every next state, so that most
 * bytes cost one look-up. The others, deep inside a pattern, only have their children and the state of their
 * longest proper suffix. A long secret thus costs about twenty bytes per byte.
 */
export class ByteAutomaton {
  static readonly ROOT = 0

  /** Number of columns, including the shared one. */
  private readonly columns: number
  private readonly columnOf = new Uint16Array(256)
  private readonly trie: Trie
  private readonly suffixes: Int32Array
  private readonly rows: Int32Array
  private readonly rowCount: number
  /** Whether a pattern begins with the byte. In the root state, all other bytes are skipped by this table alone. */
  private readonly begins = new Uint8Array(256)
  private readonly skips: SkipTable | undefined

  /** `maxRows` limits the memory of fast states. With fewer rows, text that resembles a pattern is slower. */
  constructor(patterns: readonly Buffer[], { ignoreCase = false, maxRows = MAX_ROWS } = {}) {
    this.columns = this.assignColumns(patterns)
    if (ignoreCase) this.joinCases()
    this.skips = SkipTable.of(patterns, ignoreCase)
    this.trie = breadthFirst(this.plant(patterns))
    this.suffixes = new Int32Array(this.trie.size)
    this.rowCount = Math.min(this.trie.size, maxRows)
    this.rows = new Int32Array(this.rowCount * this.columns)
    this.link()
    for (let byte = 0; byte < 256; byte++) this.begins[byte] = this.rows[this.columnOf[byte]!] === 0 ? 0 : 1
  }

  /**
   * Continues at `index` from `state` until a pattern or the input ends. Each byte of every log passes through
   * here.
   */
  scan(bytes: Uint8Array, index: number, state: number): Progress {
    const { rows, rowCount, columns, columnOf, begins } = this
    const { matches, size } = this.trie
    // Without patterns there is only the root state.
    if (size === 1) return { index: bytes.length, state, isMatch: false }
    for (let at = index; at < bytes.length; at++) {
      if (state === ByteAutomaton.ROOT) {
        at = this.skips?.seek(bytes, at, begins) ?? at
        while (at < bytes.length && begins[bytes[at]!] === 0) at++
        if (at === bytes.length) break
      }
      const column = columnOf[bytes[at]!]!
      state = state < rowCount ? rows[state * columns + column]! : this.step(state, column)
      if (matches[state]! > 0) return { index: at + 1, state, isMatch: true }
    }
    return { index: bytes.length, state, isMatch: false }
  }

  /** Length of the longest suffix of the text that is a prefix of a pattern. */
  depth(state: number): number {
    return this.trie.depths[state]!
  }

  /** Length of the longest pattern that ends in this state. 0 if there is none. */
  matchLength(state: number): number {
    return this.trie.matches[state]!
  }

  /** Approximate size in memory, in bytes. */
  get byteSize(): number {
    const skips = this.skips?.byteSize ?? 0
    return this.rows.byteLength + this.suffixes.byteLength + this.trie.byteSize + skips
  }

  /** Falls back until a state has a transition for the column. A state with a row always has one. */
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

  /** Requires patterns in lower case. */
  private joinCases(): void {
    for (let upper = 0x41; upper <= 0x5a; upper++) this.columnOf[upper] = this.columnOf[upper + LETTER_CASE]!
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

  /** Processes the states in order. The suffix of a state is shorter, so it is already complete. */
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

/**
 * How far a search may jump, by the last two bytes of a window as long as the shortest pattern (the algorithm of Wu
 * and Manber). In most text, this examines a fraction of the bytes.
 *
 *     window ─▶ its last two bytes are in the beginning of no pattern ─▶ jump by the length of the window less one
 *                                  └ in that of some, at the end of a window that starts n bytes later ─▶ jump by n
 *
 * The beginning of a pattern is as long as the window. Pairs of bytes may share an entry, which then has the smaller
 * distance.
 */
class SkipTable {
  private readonly distances: Uint8Array

  /** Undefined if it would not pay. */
  static of(patterns: readonly Buffer[], ignoreCase: boolean): SkipTable | undefined {
    const length = Math.min(...patterns.map((pattern) => pattern.length), 255)
    if (patterns.length === 0 || length < MIN_SKIP_LENGTH) return undefined
    const bits = Math.ceil(Math.log2(patterns.length * (length - 1) * ENTRIES_PER_PAIR))
    if (bits > MAX_SKIP_BITS) return undefined
    return new SkipTable(patterns, length, Math.max(bits, MIN_SKIP_BITS), ignoreCase)
  }

  private constructor(
    patterns: readonly Buffer[],
    private readonly length: number,
    private readonly bits: number,
    ignoreCase: boolean,
  ) {
    this.distances = new Uint8Array(2 ** bits).fill(length - 1)
    const cases = ignoreCase ? bothCases : (byte: number) => [byte]
    for (const pattern of patterns) {
      for (let last = 1; last < length; last++) {
        for (const first of cases(pattern[last - 1]!)) {
          for (const second of cases(pattern[last]!)) this.limit(first, second, length - 1 - last)
        }
      }
    }
  }

  get byteSize(): number {
    return this.distances.byteLength
  }

  /** The first position from `at` at which a pattern may begin, or from which the rest is too short for a window. */
  seek(bytes: Uint8Array, at: number, begins: Uint8Array): number {
    const { distances, length, bits } = this
    const shift = bits - 8
    const mask = distances.length - 1
    const last = bytes.length - length
    let position = at
    while (position <= last) {
      const end = position + length
      const distance = distances[((bytes[end - 2]! << shift) ^ bytes[end - 1]!) & mask]!
      if (distance > 0) position += distance
      else if (begins[bytes[position]!] === 0) position++
      else break
    }
    return position
  }

  private limit(first: number, second: number, distance: number): void {
    const entry = ((first << (this.bits - 8)) ^ second) & (this.distances.length - 1)
    this.distances[entry] = Math.min(this.distances[entry]!, distance)
  }
}

/** A letter in lower case matches both cases. */
function bothCases(byte: number): number[] {
  return byte >= 0x61 && byte <= 0x7a ? [byte, byte - LETTER_CASE] : [byte]
}

/** The patterns as a tree. Each state has a first child, and each child has a next sibling. */
class Trie {
  size = 1
  readonly firsts: Int32Array
  readonly siblings: Int32Array
  /** Column of the byte that leads to the state. */
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

/** Renumbers the states of the tree level by level. */
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
