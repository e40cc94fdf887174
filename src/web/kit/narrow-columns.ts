/** The properties of a column that determine its position. */
export interface PlacedColumn {
  hidesTitle?: boolean
  isMain?: boolean
  isDetail?: boolean
  isNumber?: boolean
}

/** The columns of a row of two lines, in the order in which they are read. */
export interface NarrowColumns<Column> {
  /** On the first line, from its start: those to select by, then the main ones. */
  first: Column[]
  /** At the end of the first line: buttons. */
  actions: Column[]
  /** On the second line. */
  second: Column[]
  /** Shown when the reader opens the row. */
  details: Column[]
}

/** Number of columns on the second line if no column is marked as a detail. */
const SECOND = 2
/** As `SECOND`, if all of these columns are numbers. */
const SECOND_OF_NUMBERS = 4

/**
 * Places the columns of a table in rows of two lines. A column without a title selects the row if it is before the main
 * columns, and has the buttons of the row if it is after them.
 */
export function narrowColumns<Column extends PlacedColumn>(
  columns: readonly Column[],
): NarrowColumns<Column> {
  const main = columns.findLastIndex(({ isMain }) => isMain)
  const others = columns.filter(({ isMain, hidesTitle }) => !isMain && !hidesTitle)
  const isMarked = others.some(({ isDetail }) => isDetail)
  const most = others.every(({ isNumber }) => isNumber) ? SECOND_OF_NUMBERS : SECOND
  const second = isMarked ? others.filter(({ isDetail }) => !isDetail) : others.slice(0, most)
  return {
    first: columns.filter(({ isMain, hidesTitle }, index) => isMain || (hidesTitle && index < main)),
    actions: columns.filter(({ isMain, hidesTitle }, index) => !isMain && hidesTitle && index > main),
    second,
    details: others.filter((column) => !second.includes(column)),
  }
}
