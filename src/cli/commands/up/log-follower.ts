/** Cuts a log that grows into the lines that have not been seen yet. */
export class LogFollower {
  /** Bytes of the log that have been handed out. */
  private seen = 0

  /** The new whole lines of `log`, which is all of it so far; with `isComplete` also a last line without an end. */
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
