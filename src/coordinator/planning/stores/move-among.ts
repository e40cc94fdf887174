/** A row of a short list with a manual order, such as the issues of an epic. */
export interface PlacedRow {
  id: number
  /** Lower ones come first. */
  position: number
}

/** Distance between two new positions, so that others fit in between. */
const GAP = 1024

/** Position before that of the first row. */
export function positionBefore(first: number | undefined): number {
  return (first ?? 0) - GAP
}

/** Rows between which another one is moved, by their IDs: `before` comes before it. */
export interface MoveTarget {
  before: number | undefined
  after: number | undefined
}

/**
 * The new positions of rows if one of them is moved: of that one, or of all if there is no room. Undefined if the row or a
 * neighbor is not among the rows, or the neighbors are in another order. `rows` are in their order. Pure.
 */
export function moveAmong(
  rows: readonly PlacedRow[],
  id: number,
  { before, after }: MoveTarget,
): PlacedRow[] | undefined {
  const others = rows.filter((row) => row.id !== id)
  const indexOf = (named: number) => others.findIndex((row) => row.id === named)
  const start = before === undefined ? undefined : indexOf(before)
  const end = after === undefined ? undefined : indexOf(after)
  if (others.length === rows.length || start === -1 || end === -1) return undefined
  if (start !== undefined && end !== undefined && start >= end) return undefined
  const index = start === undefined ? (end ?? 0) : start + 1
  const position = between(others[index - 1]?.position, others[index]?.position)
  if (position !== undefined) return [{ id, position }]
  return others
    .toSpliced(index, 0, { id, position: 0 })
    .map((row, place) => ({ id: row.id, position: place * GAP }))
}

function between(low: number | undefined, high: number | undefined): number | undefined {
  if (low === undefined) return positionBefore(high)
  if (high === undefined) return low + GAP
  const middle = Math.floor((low + high) / 2)
  return middle > low && middle < high ? middle : undefined
}
