import type { Column } from '../kit/table.js'
import styles from './wait-column.module.css'
import { waitReasons } from './wait-reasons.js'

/** A column that says why jobs wait, with their position in the queue; none if no job of the list waits. */
export function waitColumns<Row>(
  rows: readonly Row[],
  reasonOf: (row: Row) => string | undefined,
): Column<Row>[] {
  return waitReasons(rows, reasonOf).map((column) => ({
    title: column.title,
    cell: (row) => {
      const reason = column.reasonOf(row)
      return reason === undefined ? '–' : <span class={styles['reason']}>{reason}</span>
    },
  }))
}
