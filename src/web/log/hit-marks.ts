/** Places along the scroll bar that look different. */
const PLACES = 200

/**
 * Where hits are along the scroll bar, in percent of its height, each place once.
 * @param rows of the hits, in order
 */
export function hitMarks(rows: readonly number[], count: number): number[] {
  const places = new Set(rows.map((row) => Math.floor((row / Math.max(1, count)) * PLACES)))
  return [...places].map((place) => (place / PLACES) * 100)
}

/** Number of hits in the lines from `first` to `last`, both included; the lines of the hits are in order. */
export function hitsWithin(lines: readonly number[], first: number, last: number): number {
  return placeOf(lines, last + 1) - placeOf(lines, first)
}

/** Number of values below `value`. */
function placeOf(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}
