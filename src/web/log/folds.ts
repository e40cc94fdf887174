/** A range of lines below the title of a section: from `first` to `last`, both included. */
export interface Fold {
  first: number
  last: number
}

/**
 * Maps the rows that are shown to the lines of the log, of which some are folded away.
 *
 * Lines count from 1, rows from 0.
 */
export class RowMap {
  /** Disjoint folded ranges in order, and the number of lines that are folded before each. */
  private readonly folds: readonly (Fold & { before: number })[]
  readonly count: number

  constructor(
    readonly lines: number,
    folds: readonly Fold[],
  ) {
    let before = 0
    this.folds = outermost(folds, lines).map((fold) => {
      const placed = { ...fold, before }
      before += fold.last - fold.first + 1
      return placed
    })
    this.count = lines - before
  }

  /** The line of a row. */
  lineOf(row: number): number {
    const fold = this.lastWhere(({ first, before }) => first - 1 - before <= row)
    return row + 1 + (fold ? fold.before + fold.last - fold.first + 1 : 0)
  }

  /** The row of a line; for a folded line, the row of the title above it. */
  rowOf(line: number): number {
    const fold = this.lastWhere(({ first }) => first <= line)
    if (!fold) return line - 1
    if (line <= fold.last) return fold.first - 2 - fold.before
    return line - 1 - fold.before - (fold.last - fold.first + 1)
  }

  isFolded(line: number): boolean {
    const fold = this.lastWhere(({ first }) => first <= line)
    return fold !== undefined && line <= fold.last
  }

  /** The last fold that fulfills a condition, which all before it fulfill too. */
  private lastWhere(condition: (fold: Fold & { before: number }) => boolean) {
    let low = 0
    let high = this.folds.length
    while (low < high) {
      const middle = (low + high) >> 1
      const fold = this.folds[middle]
      if (fold && condition(fold)) low = middle + 1
      else high = middle
    }
    return this.folds[low - 1]
  }
}

/** The ranges that are in no other one, within the lines of the log, in order. */
function outermost(folds: readonly Fold[], lines: number): Fold[] {
  const result: Fold[] = []
  const ordered = folds
    .map(({ first, last }) => ({ first, last: Math.min(last, lines) }))
    .filter(({ first, last }) => first <= last)
    .toSorted((a, b) => a.first - b.first || b.last - a.last)
  for (const fold of ordered) {
    const previous = result.at(-1)
    if (!previous || fold.first > previous.last) result.push(fold)
    else if (fold.last > previous.last) previous.last = fold.last
  }
  return result
}
