/** Returns the new lines of a growing log. */
export class LogFollower {
  /** Number of bytes of the log that were returned. */
  private seen = 0

  /**
   * The new complete lines of `log`, which is the whole log so far. With `isComplete`, also a last line without an
   * end.
   */
  newLines(log: Buffer, isComplete: boolean): string[] {
    const end = isComplete ? log.length : log.lastIndexOf('\n') + 1
    if (end <= this.seen) return []
    const text = log.toString('utf8', this.seen, end)
    this.seen = end
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines
  }
}
