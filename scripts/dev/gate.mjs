/** Lets callers wait while it is closed. It begins closed. */
export class Gate {
  #isSettled = false
  /** @type {() => void} */
  #resolve = () => undefined
  /** @type {(reason: Error) => void} */
  #reject = () => undefined
  /** @type {Promise<void>} */
  #passage = this.#newPassage()

  /** Resolves when the gate opens, rejects when it fails. */
  passage() {
    return this.#passage
  }

  close() {
    if (this.#isSettled) this.#passage = this.#newPassage()
  }

  open() {
    this.close()
    this.#isSettled = true
    this.#resolve()
  }

  /** @param {Error} reason for all callers until it is closed or opens */
  fail(reason) {
    this.close()
    this.#isSettled = true
    this.#reject(reason)
  }

  /** @returns {Promise<void>} */
  #newPassage() {
    this.#isSettled = false
    /** @type {Promise<void>} */
    const passage = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A failure is for callers; perhaps there are none.
    passage.catch(() => undefined)
    return passage
  }
}
