/** Positions along the scroll bar that look different. */
const POSITIONS = 200

/**
 * Where hits are along the scroll bar, in percent of its height, each position once.
 * @param rows of the hits, in order
 */
export function hitMarks(rows: readonly number[], count: number): number[] {
  const positions = new Set(rows.map((row) => Math.floor((row / Math.max(1, count)) * POSITIONS)))
  return [...positions].map((position) => (position / POSITIONS) * 100)
}

/** Number of hits in the lines from `first` to `last`, both included; the lines of the hits are in order. */
export function hitsWithin(lines: readonly number[], first: number, last: number): number {
  return countBelow(lines, last + 1) - countBelow(lines, first)
}

/** Number of values below `value`. */
function countBelow(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
