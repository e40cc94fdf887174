import { useEffect, useRef, useState } from 'preact/hooks'

import type { TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { useLocation } from '../frame/location.js'
import { notify } from '../frame/notices.js'
import { usePreferences } from '../frame/use-preferences.js'
import { Button } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { classNames } from '../kit/class-names.js'
import { copyText } from '../kit/copy-button.js'
import { useKeys } from '../kit/keys.js'
import { lineHash, type LineRange, readLineRange } from '../kit/line-range.js'
import type { RowsHandle } from '../kit/rows.js'
import { GrowingHiddenWarning } from '../text/hidden-warning.js'
import type { FileAddress } from './file-address.js'
import { LogBar } from './log-bar.js'
import { LEADING, LogLines } from './log-lines.js'
import { LogMenu } from './log-menu.js'
import styles from './log-view.module.css'
import { NewLines } from './new-lines.js'
import { sectionAround } from './section-heading.js'
import { TIME_KINDS } from './time-kinds.js'
import { useCopyLines } from './use-copy-lines.js'
import { useFolds } from './use-folds.js'
import { useFollow } from './use-follow.js'
import { useLogSearch } from './use-log-search.js'
import { useLogSource } from './use-log-source.js'
import { useEscapeFromFull, useSearchKey } from './use-log-window-keys.js'
import { useSelectAllKeys } from './use-select-all-keys.js'

interface LogViewProps {
  /** The log in the API, such as `/projects/5/jobs/9/trace`. */
  path: string
  jobId: number
  outline: TraceOutline
  isRunning: boolean
  /** The job has failed: sections before the one that failed may be folded. */
  hasFailed: boolean
  rawAddress: string
  /** The address of a file that the log names. */
  fileAddress?: FileAddress | undefined
  onError: (error: Error) => void
}

/** A log: lines with colors, sections that fold, search over all of it, and its end while it grows. */
export function LogView(props: LogViewProps) {
  const { path, jobId, outline, isRunning, hasFailed, rawAddress, fileAddress, onError } = props
  const { source, version, redraw } = useLogSource(props)
  const { hash } = useLocation()
  const [selection, setSelection] = useState<LineRange | undefined>(() => readLineRange(hash))
  const [preferences, change] = usePreferences()
  const { wrapsLogs: wraps, logTextSize: size, logTimes: times } = preferences
  const [isFull, setFull] = useState(false)
  const [readsAloud, setReadsAloud] = useState(false)
  const root = useRef<HTMLElement>(null)
  const rows = useRef<RowsHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const folds = useFolds(source, outline, hasFailed && preferences.foldsPassedSections)
  const { map, allClosed, toggleAll } = folds
  const { follows, setFollows, newLines, onScroll } = useFollow({
    rows,
    startsAtEnd: isRunning && selection === undefined,
    isRunning,
    count: map.count,
    lines: source.lines,
    version,
  })

  const wanted = useRef<number | undefined>(undefined)
  const goTo = (line: number) => {
    setFollows(false)
    folds.reveal(line)
    wanted.current = line
    redraw()
  }
  // After the rows have been counted with what was unfolded.
  useEffect(() => {
    const line = wanted.current
    if (line === undefined || map.isFolded(line)) return
    wanted.current = undefined
    rows.current?.scrollToRow(map.rowOf(line), 'middle')
  })

  const search = useLogSearch(path, goTo)
  /** The error that was shown last. */
  const shownError = useRef<number | undefined>(undefined)
  useEffect(() => {
    const range = readLineRange(hash)
    if (!range) return
    setSelection(range)
    goTo(range.first)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it goes there when the address changes, not when a section is unfolded
  }, [hash])
  useEffect(() => {
    if (selection || outline.failing_line === null) return
    shownError.current = outline.failing_line
    goTo(outline.failing_line)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: later, the reader scrolls
  }, [])

  const select = (line: number, extends_: boolean) => {
    const range =
      extends_ && selection
        ? { first: Math.min(selection.first, line), last: Math.max(selection.last, line) }
        : { first: line, last: line }
    setSelection(range)
    history.replaceState(history.state, '', lineHash(range))
  }
  const topLine = () => map.lineOf(rows.current?.visible().first ?? 0)
  /** That of the selected line or of the match that is shown; else of the line in the middle. */
  const sectionInSight = () => {
    const { first, last } = rows.current?.visible() ?? { first: 0, last: 0 }
    const middle = map.lineOf(Math.floor((first + last) / 2))
    const line = selection?.first ?? search.hits[search.current]?.line ?? middle
    return source.sections.findLast(({ first_line: title }) => title <= line)
  }
  const nextTimes = () => {
    const kinds = TIME_KINDS.map(([kind]) => kind)
    change({ logTimes: kinds[(kinds.indexOf(times) + 1) % kinds.length] ?? 'off' })
  }
  const nextError = async () => {
    const { first, last } = rows.current?.visible() ?? { first: 0, last: 0 }
    const shown = shownError.current
    const isInSight = shown !== undefined && shown >= map.lineOf(first) && shown <= map.lineOf(last)
    // From the error in sight, which is in the middle; else from what is in sight.
    const after = isInSight ? shown : map.lineOf(first) - 1
    shownError.current = await search.nextError(after, outline.failing_line)
  }

  useKeys({
    '/': () => field.current?.focus(),
    y: () => {
      const range = selection ?? { first: topLine(), last: topLine() }
      void copyText(location.href.replace(/#.*$/, '') + lineHash(range)).then(() =>
        notify('The address of the line was copied'),
      )
    },
    f: () => setFollows(true),
    t: nextTimes,
    w: () => change({ wrapsLogs: !wraps }),
    n: () => search.move(1),
    N: () => search.move(-1),
    e: () => void nextError(),
    Z: toggleAll,
    z: () => {
      const section = sectionAround(source.sections, topLine() + 1)
      if (section) folds.toggle(section.first_line)
    },
    Home: () => goTo(1),
    End: () => setFollows(true),
  })
  useSearchKey(field)
  const copyLines = useCopyLines(path)
  useSelectAllKeys(root, {
    lines: source.lines,
    selection,
    selectAll: setSelection,
    copy: copyLines,
  })
  useEscapeFromFull(isFull, () => setFull(false))
  return (
    <section
      ref={root}
      class={classNames(styles['log'], isFull && styles['full'])}
      data-full={isFull ? '' : undefined}
      style={{ '--log-size': `${size}px`, '--log-row': `${size + LEADING}px` }}
      aria-label="Job log"
    >
      <LogBar
        field={field}
        search={search}
        lastLine={source.lines}
        onNextError={() => void nextError()}
        times={times}
        onTimes={nextTimes}
        wraps={wraps}
        onWrap={() => change({ wrapsLogs: !wraps })}
        sections={source.sections}
        onSection={goTo}
        allClosed={allClosed}
        onFoldAll={toggleAll}
        follows={follows}
        onFollow={() => setFollows(!follows)}
        isFull={isFull}
        onFull={() => setFull(!isFull)}
        menu={
          <LogMenu
            path={path}
            jobId={jobId}
            lines={source.lines}
            rawAddress={rawAddress}
            preferences={preferences}
            change={change}
            selection={selection}
            section={sectionInSight}
            searched={search.text}
            readsAloud={readsAloud}
            onReadAloud={setReadsAloud}
          />
        }
      />
      <GrowingHiddenWarning
        of="This log"
        takeSuspects={() => source.takeSuspects()}
        hasSuspects={source.suspects.size > 0}
        onShow={goTo}
      />
      <LogLines
        handle={rows}
        source={source}
        folds={folds}
        search={search}
        selection={selection}
        preferences={preferences}
        fileAddress={fileAddress}
        onScroll={onScroll}
        onSelect={select}
        goTo={goTo}
        onError={onError}
      />
      {readsAloud && <NewLines source={source} lines={source.lines} />}
      {!follows && isRunning && newLines > 0 && (
        <Button class={styles['new']} kind="primary" size="small" onClick={() => setFollows(true)}>
          ↓ {formatCount(newLines)} new lines
        </Button>
      )}
    </section>
  )
}
