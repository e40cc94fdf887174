/** Random numbers that are the same in each run, so that each demo shows the same. */
export class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0
  }

  /** From 0 to below 1 (mulberry32). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /**
   * @param {number} low
   * @param {number} high
   */
  between(low, high) {
    return low + this.next() * (high - low)
  }

  /**
   * A whole number from `low` to `high`, both included.
   * @param {number} low
   * @param {number} high
   */
  whole(low, high) {
    return Math.floor(this.between(low, high + 1))
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability
  }

  /**
   * @template T
   * @param {readonly T[]} values
   * @returns {T}
   */
  pick(values) {
    return /** @type {T} */ (values[this.whole(0, values.length - 1)])
  }
}
