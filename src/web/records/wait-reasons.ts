/** A column that says why jobs wait, as text. */
interface WaitReasons<Row> {
  title: string
  /** The reason, with the position in the queue; undefined for a job that does not wait. */
  reasonOf: (row: Row) => string | undefined
}

/** The column of a list; none if no job of it waits. */
export function waitReasons<Row>(
  rows: readonly Row[],
  reasonOf: (row: Row) => string | undefined,
): WaitReasons<Row>[] {
  return rows.some((row) => reasonOf(row) !== undefined) ? [{ title: 'Why it waits', reasonOf }] : []
}
