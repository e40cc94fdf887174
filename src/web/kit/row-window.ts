/** Browsers stop laying out at some 33 million pixels, and some count in less precise numbers long before. */
const MOST_PIXELS = 8_000_000
/** Rows that are drawn above and below those in sight, so that scrolling shows no gap. */
const OVERSCAN = 12

export interface RowGeometry {
  count: number
  /** Height of a row, in pixels. */
  rowHeight: number
  /** Height of the visible part, in pixels. */
  viewHeight: number
}

/** Height of all rows together, in pixels, as far as a browser can scroll. */
export function contentHeight({ count, rowHeight }: RowGeometry): number {
  return Math.min(count * rowHeight, MOST_PIXELS)
}

/** Whether a pixel of the scroll bar stands for more than one pixel of rows. */
export function isScaled({ count, rowHeight }: RowGeometry): boolean {
  return count * rowHeight > MOST_PIXELS
}

/** The row at the top of the visible part, with its fraction that is scrolled out, for a position of the scroll bar. */
export function positionAt(scrollTop: number, geometry: RowGeometry): number {
  const { rowHeight, viewHeight } = geometry
  if (!isScaled(geometry)) return scrollTop / rowHeight
  const range = contentHeight(geometry) - viewHeight
  return range <= 0 ? 0 : (Math.min(scrollTop, range) / range) * lastPosition(geometry)
}

/** The position of the scroll bar that shows `position` at the top; the opposite of `positionAt`. */
export function scrollTopFor(position: number, geometry: RowGeometry): number {
  const within = clampPosition(position, geometry)
  if (!isScaled(geometry)) return within * geometry.rowHeight
  const last = lastPosition(geometry)
  return last === 0 ? 0 : (within / last) * (contentHeight(geometry) - geometry.viewHeight)
}

export function clampPosition(position: number, geometry: RowGeometry): number {
  return Math.max(0, Math.min(position, lastPosition(geometry)))
}

/** The first row to draw, the one after the last, and the offset of the first one from the top of all rows, in pixels. */
export function rowsToDraw(
  position: number,
  scrollTop: number,
  geometry: RowGeometry,
): { first: number; end: number; top: number } {
  const { count, rowHeight, viewHeight } = geometry
  const first = Math.max(0, Math.floor(position) - OVERSCAN)
  const end = Math.min(count, Math.ceil(position + viewHeight / rowHeight) + OVERSCAN)
  const top = isScaled(geometry) ? scrollTop - (position - first) * rowHeight : first * rowHeight
  return { first, end, top }
}

/** The position at which the last row is at the bottom. */
function lastPosition({ count, rowHeight, viewHeight }: RowGeometry): number {
  return Math.max(0, count - viewHeight / rowHeight)
}
