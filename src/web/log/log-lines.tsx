import { useMemo, useRef } from 'preact/hooks'

import type { Preferences } from '../frame/preferences.js'
import type { LineRange } from '../kit/line-range.js'
import { Rows, type RowsHandle } from '../kit/rows.js'
import type { FileAddress } from './file-address.js'
import { hitMarks, hitsWithin } from './hit-marks.js'
import { LogRow } from './log-row.js'
import type { LogSource } from './log-source.js'
import styles from './log-view.module.css'
import { SectionHeading, type SectionHeadingHandle } from './section-heading.js'
import type { LogFolds } from './use-folds.js'
import type { LogSearch } from './use-log-search.js'

/** Rows that the heading of the section in sight covers. */
const ROWS_UNDER_HEADING = 1

/** Pixels between the lines of a log. */
export const LEADING = 8

interface LogLinesProps {
  handle: { current: RowsHandle | null }
  source: LogSource
  folds: LogFolds
  search: LogSearch
  selection: LineRange | undefined
  preferences: Pick<Preferences, 'wrapsLogs' | 'logTextSize' | 'logTimes'>
  fileAddress: FileAddress | undefined
  onScroll: (isAtEnd: boolean) => void
  /** A line was chosen; `extends_`: together with those up to the selected one. */
  onSelect: (line: number, extends_: boolean) => void
  goTo: (line: number) => void
  onError: (error: Error) => void
}

/** The lines of a log below the heading of their section, and marks of hits along the scroll bar. */
export function LogLines(props: LogLinesProps) {
  const { handle, source, folds, search, selection, preferences, fileAddress, goTo } = props
  const { map, closed } = folds
  const { wrapsLogs: wraps, logTextSize: size, logTimes: times } = preferences
  const heading = useRef<SectionHeadingHandle>(null)
  const { sections } = source
  const sectionAt = useMemo(
    () => new Map(sections.map((section) => [section.first_line, section])),
    [sections],
  )
  const hitLines = useMemo(() => search.hits.map(({ line }) => line), [search.hits])
  const start = times === 'elapsed' ? source.lineAt(1)?.time : undefined
  const onClick = (event: MouseEvent) => {
    const target =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-line], [data-fold], [data-whole]')
        : null
    if (!target) return
    const { line, fold, whole } = target.dataset
    if (whole !== undefined) source.readWhole(Number(whole)).catch(props.onError)
    if (line !== undefined) props.onSelect(Number(line), event.shiftKey)
    if (fold !== undefined) folds.toggle(Number(fold))
  }
  const render = (row: number) => {
    const number = map.lineOf(row)
    const section = sectionAt.get(number)
    const isClosed = closed.has(number)
    return (
      <LogRow
        key={number}
        number={number}
        line={source.lineAt(number)}
        times={times}
        since={times === 'delta' && number > 1 ? source.lineAt(number - 1)?.time : start}
        wraps={wraps}
        isSelected={selection !== undefined && number >= selection.first && number <= selection.last}
        hit={search.hitAt(number)}
        isCurrentHit={search.hits[search.current]?.line === number}
        fold={
          section && {
            isClosed,
            duration: section.duration,
            hits: isClosed ? hitsWithin(hitLines, number + 1, section.last_line ?? source.lines) : 0,
          }
        }
        fileAddress={fileAddress}
      />
    )
  }
  // The lines act by pointer here; the bar and the keyboard reach the same.
  return (
    <div class={styles['lines']} onClick={onClick}>
      <SectionHeading handle={heading} sections={sections} onOpen={({ first_line: line }) => goTo(line)} />
      <Rows
        handle={handle}
        label="Log"
        role="log"
        announces={false}
        count={map.count}
        rowHeight={size + LEADING}
        // What is folded changes which line a row has.
        measuredBy={wraps ? `${size} ${times} ${[...closed].join(' ')}` : undefined}
        class={styles['rows']}
        contentWidth={wraps ? undefined : 'max-content'}
        onWindow={() =>
          heading.current?.show(map.lineOf((handle.current?.visible().first ?? 0) + ROWS_UNDER_HEADING))
        }
        onScroll={props.onScroll}
        render={render}
      />
      {hitLines.length > 0 && (
        <div class={styles['marks']} aria-hidden="true">
          {hitMarks(
            hitLines.map((line) => map.rowOf(line)),
            map.count,
          ).map((top) => (
            <span key={top} style={{ top: `${top}%` }} />
          ))}
        </div>
      )}
    </div>
  )
}
