import type { RowHeights } from './row-heights.js'

/** Browsers stop laying out at some 33 million pixels, and some count in less precise numbers long before. */
const MAX_PIXELS = 8_000_000
/** Rows that are drawn above and below those in sight, so that scrolling shows no gap. */
const OVERSCAN = 12

export interface RowGeometry {
  count: number
  /** Height of a row, in pixels; the least one, where rows differ. */
  rowHeight: number
  /** Height of the visible part, in pixels. */
  viewHeight: number
  /** For rows of different heights. */
  heights?: RowHeights | undefined
}

/** Height of all rows together, in pixels, as far as a browser can scroll. */
export function contentHeight(geometry: RowGeometry): number {
  return Math.min(heightOfAll(geometry), MAX_PIXELS)
}

/** Whether a pixel of the scroll bar stands for more than one pixel of rows. */
export function isScaled(geometry: RowGeometry): boolean {
  return heightOfAll(geometry) > MAX_PIXELS
}

/** The row at the top of the visible part, with its fraction that is scrolled out, for a position of the scroll bar. */
export function positionAt(scrollTop: number, geometry: RowGeometry): number {
  if (!isScaled(geometry)) return positionOf(scrollTop, geometry)
  const range = contentHeight(geometry) - geometry.viewHeight
  return range <= 0 ? 0 : (Math.min(scrollTop, range) / range) * lastPosition(geometry)
}

/** The position of the scroll bar that shows `position` at the top; the opposite of `positionAt`. */
export function scrollTopFor(position: number, geometry: RowGeometry): number {
  const within = clampPosition(position, geometry)
  if (!isScaled(geometry)) return offsetOf(within, geometry)
  const last = lastPosition(geometry)
  return last === 0 ? 0 : (within / last) * (contentHeight(geometry) - geometry.viewHeight)
}

export function clampPosition(position: number, geometry: RowGeometry): number {
  return Math.max(0, Math.min(position, lastPosition(geometry)))
}

/** Pixels of the rows before a position. */
export function offsetOf(position: number, { rowHeight, heights }: RowGeometry): number {
  const row = Math.floor(position)
  if (!heights) return position * rowHeight
  return row * rowHeight + heights.extraBefore(row) + (position - row) * heights.heightOf(row)
}

/** The position that has so many pixels of rows before it; the opposite of `offsetOf`. */
export function positionOf(offset: number, geometry: RowGeometry): number {
  const { count, rowHeight, heights } = geometry
  if (!heights) return offset / rowHeight
  let low = 0
  let high = Math.min(count, Math.max(0, Math.floor(offset / rowHeight)))
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (offsetOf(middle, geometry) <= offset) low = middle
    else high = middle - 1
  }
  return low + (offset - offsetOf(low, geometry)) / heights.heightOf(low)
}

/** The first row to draw, the one after the last, and the offset of the first one from the top of all rows, in pixels. */
export function rowsToDraw(
  position: number,
  scrollTop: number,
  geometry: RowGeometry,
): { first: number; end: number; top: number } {
  const first = Math.max(0, Math.floor(position) - OVERSCAN)
  const end = Math.min(geometry.count, endInSight(position, geometry) + OVERSCAN)
  const above = offsetOf(first, geometry)
  const top = isScaled(geometry) ? scrollTop - (offsetOf(position, geometry) - above) : above
  return { first, end, top }
}

/** The row after the last one in sight. */
export function endInSight(position: number, geometry: RowGeometry): number {
  const { count, rowHeight, viewHeight, heights } = geometry
  if (!heights) return Math.min(count, Math.ceil(position + viewHeight / rowHeight))
  let row = Math.floor(position)
  let left = viewHeight + (position - row) * heights.heightOf(row)
  for (; row < count && left > 0; row += 1) left -= heights.heightOf(row)
  return row
}

/** The position at which the last row is at the bottom. */
export function lastPosition(geometry: RowGeometry): number {
  return Math.max(0, positionOf(heightOfAll(geometry) - geometry.viewHeight, geometry))
}

/** The position that shows a row at the top, in the middle or at the bottom. */
export function positionToShow(
  row: number,
  align: 'top' | 'middle' | 'bottom',
  geometry: RowGeometry,
): number {
  const { rowHeight, viewHeight, heights } = geometry
  const free = viewHeight - (heights?.heightOf(row) ?? rowHeight)
  const above = { top: 0, middle: free / 2, bottom: free }[align]
  return clampPosition(positionOf(offsetOf(row, geometry) - above, geometry), geometry)
}

function heightOfAll({ count, rowHeight, heights }: RowGeometry): number {
  return count * rowHeight + (heights?.total ?? 0)
}
