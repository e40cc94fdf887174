const [TILDE, DOT] = [...Buffer.from('~.')]
const LINE_ENDS = [...Buffer.from('\r\n')]

/**
 * The keys with which a person leaves a shell that does not respond, as in ssh: `~.` at the beginning of a line. `~~`
 * there is one `~`.
 */
export class LineEscape {
  private state: 'start' | 'tilde' | 'inside' = 'start'

  /** The keys that go to the shell, and whether the person leaves after them. A `~` may wait for the next key. */
  take(keys: Uint8Array): { passed: Buffer; leaves: boolean } {
    const passed: number[] = []
    for (const key of keys) {
      if (this.state === 'tilde' && key === DOT) return { passed: Buffer.from(passed), leaves: true }
      if (this.state === 'start' && key === TILDE) {
        this.state = 'tilde'
        continue
      }
      if (this.state === 'tilde' && key !== TILDE) passed.push(...Buffer.from('~'))
      passed.push(key)
      this.state = LINE_ENDS.includes(key) ? 'start' : 'inside'
    }
    return { passed: Buffer.from(passed), leaves: false }
  }
}
