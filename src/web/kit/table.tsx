import { ChevronDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'

import { IconButton } from './button.js'
import { classNames } from './class-names.js'
import { narrowColumns } from './narrow-columns.js'
import styles from './table.module.css'
import { toggled } from './toggled.js'
import { useNarrow } from './use-narrow.js'

export interface Column<Row> {
  title: string
  /** The title is only read by screen readers. */
  hidesTitle?: boolean
  cell: (row: Row) => ComponentChildren
  /** On narrow screens, the column is on the first line of the row, without its title. */
  isMain?: boolean
  /** On narrow screens, the column is shown when the row is opened. */
  isDetail?: boolean
  isNumber?: boolean
  /** A word or two, which stay on one line. */
  isShort?: boolean
}

interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
}

/**
 * A table; below 700 px each row becomes two lines, and a button shows the columns that do not fit on them. The cells
 * then have the order in which they are shown, so that the focus moves in that order.
 */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const id = useId()
  const narrow = useNarrow(700)
  const [open, setOpen] = useState<ReadonlySet<string | number>>(new Set())
  const { first, actions, second, details } = narrow
    ? narrowColumns(columns)
    : { first: [...columns], actions: [], second: [], details: [] }
  const name = narrow ? first.at(-1) : undefined
  const toggle = (key: string | number) => setOpen(toggled(open, key))
  return (
    <table class={classNames(styles['table'], narrow && styles['narrow'])} aria-label={label}>
      <thead>
        <tr>
          {[...first, ...actions].map((column) => heading(column))}
          {details.length > 0 && heading({ title: 'Details', hidesTitle: true })}
          {[...second, ...details].map((column) => heading(column))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row)
          const isOpen = open.has(key)
          const nameId = `${id}-${key}`
          return (
            <tr key={key}>
              {first.map((column) => (
                <td
                  key={column.title}
                  id={column === name ? nameId : undefined}
                  class={classNames(columnClass(column), column === name && styles['name'])}
                >
                  {column.cell(row)}
                </td>
              ))}
              {actions.map(({ title, cell }) => (
                <td key={title} class={styles['buttons']}>
                  {cell(row)}
                </td>
              ))}
              {details.length > 0 && (
                <td key="Details" class={styles['toggle']}>
                  <IconButton
                    icon={ChevronDown}
                    size="small"
                    label="Details"
                    id={`${nameId}-details`}
                    aria-labelledby={`${nameId}-details ${nameId}`}
                    aria-expanded={isOpen}
                    onClick={() => toggle(key)}
                  />
                </td>
              )}
              {second.map(({ title, cell }) => (
                <td key={title} data-title={title}>
                  {cell(row)}
                </td>
              ))}
              {details.map(({ title, cell }) => (
                <td
                  key={title}
                  data-title={title}
                  class={classNames(styles['detail'], !isOpen && styles['closed'])}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function heading({ title, hidesTitle, isNumber }: Pick<Column<never>, 'title' | 'hidesTitle' | 'isNumber'>) {
  return (
    <th key={title} scope="col" class={isNumber ? styles['number'] : undefined}>
      {hidesTitle ? <span class="visually-hidden">{title}</span> : title}
    </th>
  )
}

function columnClass({ hidesTitle, isNumber, isShort }: Column<never>): string | undefined {
  if (hidesTitle) return styles['untitled']
  return isNumber ? styles['number'] : isShort ? styles['short'] : undefined
}
