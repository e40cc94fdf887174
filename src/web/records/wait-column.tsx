import type { Column } from '../kit/table.js'
import styles from './wait-column.module.css'

/** A column that says why jobs wait, with their place in the queue; none if no job of the list waits. */
export function waitColumns<Row>(
  rows: readonly Row[],
  reasonOf: (row: Row) => string | undefined,
): Column<Row>[] {
  if (!rows.some((row) => reasonOf(row) !== undefined)) return []
  return [
    {
      title: 'Why it waits',
      cell: (row) => {
        const reason = reasonOf(row)
        return reason === undefined ? '–' : <span class={styles['reason']}>{reason}</span>
      },
    },
  ]
}
