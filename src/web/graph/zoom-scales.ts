/** Sizes of a graph that readers choose; 1 is its own. */
export const SCALES: readonly number[] = [0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2]

/** A graph that fits its box is no smaller than this: nobody could find a box of it. */
const SMALLEST_FIT = 0.25

/** The next larger (1) or smaller (−1) size; the same one at the end. */
export function nextScale(scale: number, direction: 1 | -1): number {
  const next = direction === 1 ? SCALES.find((each) => each > scale) : SCALES.findLast((each) => each < scale)
  return next ?? scale
}

/**
 * The size at which a graph is as wide as its box, but not larger than its own.
 * @param box width of the box, in pixels
 * @param graph width of the graph at size 1, in pixels
 */
export function fitScale(box: number, graph: number): number {
  if (box <= 0 || graph <= box) return 1
  // Rounded down, so that no scroll bar appears.
  return Math.max(SMALLEST_FIT, Math.floor((box / graph) * 1000) / 1000)
}
