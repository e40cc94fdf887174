/** Rows whose heights are added up together. */
const CHUNK = 256

/** The heights of rows that have been measured, in pixels. All others count with the least height. */
export class RowHeights {
  /** Pixels of all rows beyond the least height. */
  total = 0
  private readonly extras = new Map<number, number>()
  private readonly sums = new Map<number, number>()

  constructor(private readonly least: number) {}

  /** Returns whether the height differs from what was known. */
  set(row: number, height: number): boolean {
    const extra = Math.max(0, height - this.least)
    const change = extra - (this.extras.get(row) ?? 0)
    if (change === 0) return false
    if (extra === 0) this.extras.delete(row)
    else this.extras.set(row, extra)
    const chunk = Math.floor(row / CHUNK)
    this.sums.set(chunk, (this.sums.get(chunk) ?? 0) + change)
    this.total += change
    return true
  }

  heightOf(row: number): number {
    return this.least + (this.extras.get(row) ?? 0)
  }

  /** Pixels of the rows before this one beyond the least height. */
  extraBefore(row: number): number {
    const chunk = Math.floor(row / CHUNK)
    let extra = 0
    for (const [number, sum] of this.sums) if (number < chunk) extra += sum
    if (this.sums.has(chunk))
      for (let before = chunk * CHUNK; before < row; before += 1) extra += this.extras.get(before) ?? 0
    return extra
  }

  clear(): void {
    this.extras.clear()
    this.sums.clear()
    this.total = 0
  }
}
