import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { useLocation } from '../frame/location.js'
import { classNames } from '../kit/class-names.js'
import { lineHash, type LineRange, readLineRange } from '../kit/line-range.js'
import { Rows, type RowsHandle } from '../kit/rows.js'
import { HiddenWarning } from '../text/hidden-warning.js'
import { MarkedText } from '../text/marked-text.js'
import styles from './code-lines.module.css'
import code from './code-rows.module.css'
import type { CodePiece } from './highlight.js'
import { Pieces } from './pieces.js'
import { widestLine } from './text-lines.js'

const ROW_HEIGHT = 20

interface CodeLinesProps {
  label: string
  lines: readonly string[]
  /** The lines in colors, once they are known. */
  colored: readonly CodePiece[][] | undefined
  /** Long lines are wrapped. */
  wraps?: boolean
  /** The address names lines of this file; false where several files are shown. */
  hasLinks?: boolean
}

/**
 * The lines of a file, of which only those in sight are drawn. The numbers act by `data-line`: a click selects a line, and
 * one with the shift key a range; the address names it.
 */
export function CodeLines({ label, lines, colored, wraps = false, hasLinks = true }: CodeLinesProps) {
  const { hash: given } = useLocation()
  const hash = hasLinks ? given : ''
  const [selection, setSelection] = useState<LineRange | undefined>(() => readLineRange(hash))
  const handle = useRef<RowsHandle>(null)
  const widest = useMemo(() => widestLine(lines), [lines])
  useEffect(() => {
    const range = readLineRange(hash)
    setSelection(range)
    if (range) handle.current?.scrollToRow(range.first - 1, 'middle')
  }, [hash])

  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line]') : null
    if (!target) return
    const line = Number(target.dataset['line'])
    const range =
      event.shiftKey && selection
        ? { first: Math.min(selection.first, line), last: Math.max(selection.last, line) }
        : { first: line, last: line }
    setSelection(range)
    // Without an event: the page does not scroll to a line that was clicked.
    if (hasLinks) history.replaceState(history.state, '', lineHash(range))
  }
  const digits = String(lines.length).length
  return (
    <>
      <HiddenWarning
        of="This file"
        lines={lines}
        onShow={(index) => handle.current?.scrollToRow(index, 'middle')}
      />
      <div class={styles['box']} onClick={onClick}>
        <Rows
          handle={handle}
          label={label}
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          measuredBy={wraps ? 'wrapped' : undefined}
          class={code['rows']}
          contentWidth={wraps ? undefined : `max(100%, calc(${widest + digits}ch + 60px))`}
          render={(index) => {
            const number = index + 1
            const pieces = colored?.[index]
            return (
              <div
                key={number}
                class={classNames(
                  code['row'],
                  styles['row'],
                  wraps && styles['wraps'],
                  selection && number >= selection.first && number <= selection.last && styles['selected'],
                )}
              >
                <span class={styles['number']} data-line={number} aria-hidden="true">
                  {number}
                </span>
                <span class={styles['text']}>
                  {pieces ? <Pieces pieces={pieces} /> : <MarkedText text={lines[index] ?? ''} />}
                </span>
              </div>
            )
          }}
        />
      </div>
    </>
  )
}
