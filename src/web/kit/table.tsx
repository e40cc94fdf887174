import type { ComponentChildren } from 'preact'

import { classNames } from './class-names.js'
import styles from './table.module.css'

export interface Column<Row> {
  title: string
  /** The title is only read by screen readers. */
  hidesTitle?: boolean
  cell: (row: Row) => ComponentChildren
  /** On narrow screens, cells are stacked; this one is left out of the label. */
  isMain?: boolean
  isNumber?: boolean
  /** A word or two, which stay on one line. */
  isShort?: boolean
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** For long lists: on narrow screens, the values of a row follow each other on few lines. */
  isDense?: boolean
}

/** A table; below 700 px each row becomes a block with the titles of the columns beside the values. */
export function Table<Row>({ label, columns, rows, keyOf, isDense = false }: TableProps<Row>) {
  return (
    <table class={classNames(styles['table'], isDense && styles['dense'])} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, hidesTitle, isNumber }) => (
            <th key={title} scope="col" class={isNumber ? styles['number'] : undefined}>
              {hidesTitle ? <span class="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, hidesTitle, cell, isMain, isNumber, isShort }) => (
              <td
                key={title}
                data-title={hidesTitle || isMain ? undefined : title}
                class={isNumber ? styles['number'] : isShort ? styles['short'] : undefined}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
