import { useState } from 'preact/hooks'

import { navigate } from '../frame/location.js'
import { leaveFocus, useKeys } from '../kit/keys.js'

/** The row that the keys `j` and `k` have led to, whose address `Enter` opens. */
export function useCurrentRow<Row>(
  rows: readonly Row[],
  hrefOf: (row: Row) => string,
  /** Further keys, which act on the row. */
  keys: Record<string, (row: Row) => void> = {},
): number | undefined {
  const [current, setCurrent] = useState<number>()
  const move = (step: number) => {
    leaveFocus()
    setCurrent(Math.max(0, Math.min(rows.length - 1, (current ?? (step > 0 ? -1 : rows.length)) + step)))
  }
  const onRow = (act: (row: Row) => void) => () => {
    const row = current === undefined ? undefined : rows[current]
    if (row !== undefined) act(row)
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: onRow((row) => navigate(hrefOf(row))),
    ...Object.fromEntries(Object.entries(keys).map(([key, act]) => [key, onRow(act)])),
  })
  return current
}
