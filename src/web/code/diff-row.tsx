import type { ComponentChildren } from 'preact'

import { classNames } from '../kit/class-names.js'
import { MarkedText } from '../text/marked-text.js'
import code from './code-rows.module.css'
import styles from './diff-row.module.css'
import type { DiffRow, Gap, ShownLine } from './diff-rows.js'
import { type LinePosition, positionKey } from './line-positions.js'

const SIGNS = { same: ' ', added: '+', removed: '−' }

interface DiffRowProps {
  file: number
  row: DiffRow
  /** Where a note on a line is made; undefined for lines that take none. */
  locate: (line: ShownLine) => LinePosition | undefined
  /** What is shown before the text of a line after the change. */
  mark: (line: ShownLine) => ComponentChildren
}

/**
 * A row of the content of a changed file. What opens hidden lines and begins notes acts by `data-open` and `data-note`,
 * which the diff listens to: a row is lower than what a finger needs, and the menu of the file offers both.
 */
export function DiffRowView({ file, row, locate, mark }: DiffRowProps) {
  switch (row.kind) {
    case 'gap':
      return <GapRow file={file} gap={row.gap} />
    case 'line':
      return <UnifiedRow line={row.line} position={locate(row.line)} mark={mark(row.line)} />
    default:
      return (
        <div class={code['row']}>
          {/* The note on a line without changes is made on the right. */}
          <Half
            line={row.left}
            number={row.left?.old}
            position={row.left?.kind === 'removed' ? locate(row.left) : undefined}
          />
          <Half
            line={row.right}
            number={row.right?.new}
            position={row.right && locate(row.right)}
            mark={row.right && mark(row.right)}
          />
        </div>
      )
  }
}

interface UnifiedRowProps {
  line: ShownLine
  position: LinePosition | undefined
  mark: ComponentChildren
}

function UnifiedRow({ line, position, mark }: UnifiedRowProps) {
  return (
    <div class={classNames(code['row'], styles[line.kind])}>
      <span class={styles['numbers']} aria-hidden="true" {...noteStart(position)}>
        <span class={styles['number']}>{line.old}</span>
        <span class={styles['number']}>{line.new}</span>
      </span>
      <LineText line={line} mark={mark} />
    </div>
  )
}

/** A click on the numbers of a line begins a note on it. */
function noteStart(position: LinePosition | undefined) {
  return position && { 'data-note': positionKey(position), title: 'Comment on this line' }
}

interface HalfProps {
  line: ShownLine | undefined
  number: number | undefined
  position: LinePosition | undefined
  mark?: ComponentChildren
}

function Half({ line, number, position, mark }: HalfProps) {
  return (
    <div class={classNames(styles['half'], line ? styles[line.kind] : styles['absent'])}>
      <span class={styles['number']} aria-hidden="true" {...noteStart(position)}>
        {number}
      </span>
      {line && <LineText line={line} mark={mark} />}
    </div>
  )
}

interface LineTextProps {
  line: ShownLine
  mark: ComponentChildren
}

function LineText({ line: { kind, text, changed, isWithoutEnd }, mark }: LineTextProps) {
  const [first, end] = changed ?? [0, 0]
  return (
    <>
      <span class={styles['sign']}>
        {mark}
        {SIGNS[kind]}
      </span>
      <span class={styles['text']}>
        {end > first ? (
          <>
            <MarkedText text={text.slice(0, first)} />
            <span class={styles['word']}>
              <MarkedText text={text.slice(first, end)} />
            </span>
            <MarkedText text={text.slice(end)} />
          </>
        ) : (
          <MarkedText text={text} />
        )}
        {isWithoutEnd && <span class={styles['note']}>no newline at the end of the file</span>}
      </span>
    </>
  )
}

/** As many lines open at once, at either end. */
export const STEP = 20

function GapRow({ file, gap }: { file: number; gap: Gap }) {
  const { index, count, heading } = gap
  const open = (end: 'top' | 'bottom' | 'all', text: string) => (
    <span class={styles['open']} data-open={end} data-file={file} data-gap={index}>
      {text}
    </span>
  )
  const isLong = count === undefined || count > STEP
  return (
    <div class={classNames(code['row'], styles['gap'])}>
      <span class={styles['gapContent']}>
        <span class={styles['dots']}>⋯</span>
        {count === undefined ? 'the rest of the file' : `${count} ${count === 1 ? 'line' : 'lines'}`}
        <span aria-hidden="true">
          {isLong && open('top', `↓ ${STEP}`)}
          {open('all', 'all')}
          {isLong && count !== undefined && open('bottom', `↑ ${STEP}`)}
        </span>
        {heading !== '' && <span class={styles['heading']}>{heading}</span>}
      </span>
    </div>
  )
}
