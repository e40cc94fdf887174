/**
 * Does work for one value at a time. Of the values that arrive while it works, only the last one follows.
 * @template Value
 */
export class LatestOnly {
  /** @type {{ value: Value } | undefined} */
  #next
  /** @type {Promise<void> | undefined} */
  #work

  /** @param {(value: Value) => Promise<void>} work must not throw */
  constructor(work) {
    this.work = work
  }

  /** @param {Value} value */
  add(value) {
    this.#next = { value }
    this.#work ??= this.#workOff()
  }

  /** Forgets what has not begun, and waits for the rest. */
  async stop() {
    this.#next = undefined
    await this.#work
  }

  async #workOff() {
    for (let current = this.#next; current; current = this.#next) {
      this.#next = undefined
      await this.work(current.value)
    }
    this.#work = undefined
  }
}
