interface Row {
  id: number
}

interface Shown<Shape extends Row> {
  rows: readonly Shape[]
  /** There are further rows that the reader has not asked for. */
  hasMore: boolean
}

/**
 * What has changed in a list, by its first page as it is now.
 * @param changed IDs of rows that have changed
 * @returns the number of rows of the page that are not shown, without those that have moved up from below the shown ones;
 *   and the shown rows that have changed and are not on the page
 */
export function newsOfList<Shape extends Row>(
  { rows, hasMore }: Shown<Shape>,
  page: readonly Shape[],
  changed: ReadonlySet<number>,
): { unseen: number; elsewhere: Shape[] } {
  const shown = new Set(rows.map(({ id }) => id))
  const isShown = ({ id }: Row) => shown.has(id)
  const end = hasMore ? page.findLastIndex(isShown) : page.length
  const onPage = new Set(page.map(({ id }) => id))
  return {
    unseen: page.slice(0, end === -1 ? page.length : end).filter((row) => !isShown(row)).length,
    elsewhere: rows.filter(({ id }) => changed.has(id) && !onPage.has(id)),
  }
}
