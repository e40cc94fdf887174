import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import type { TraceLines, TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { requestJson } from '../api/client.js'
import { usePlace } from '../frame/location.js'
import { notify } from '../frame/notices.js'
import { usePreferences } from '../frame/use-preferences.js'
import { Button } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { classNames } from '../kit/class-names.js'
import { copyText } from '../kit/copy-button.js'
import { useKeys } from '../kit/keys.js'
import { lineHash, type LineRange, readLineRange } from '../kit/line-range.js'
import { Rows, type RowsHandle } from '../kit/rows.js'
import { toggled } from '../kit/toggled.js'
import { useLive } from '../live/use-live.js'
import { GrowingHiddenWarning } from '../text/hidden-warning.js'
import type { FileAddress } from './file-address.js'
import { RowMap } from './folds.js'
import { hitMarks, hitsWithin } from './hit-marks.js'
import { LogBar } from './log-bar.js'
import { LogMenu } from './log-menu.js'
import { LogRow } from './log-row.js'
import { LogSource } from './log-source.js'
import styles from './log-view.module.css'
import { NewLines } from './new-lines.js'
import { sectionAround, SectionHeading, type SectionHeadingHandle } from './section-heading.js'
import { TIME_KINDS } from './time-kinds.js'
import { useCopyLines } from './use-copy-lines.js'
import { useLogSearch } from './use-log-search.js'
import { useSelectAllKeys } from './use-select-all-keys.js'

/** Rows that the heading of the section in sight covers. */
const ROWS_UNDER_HEADING = 1

/** Pixels between the lines of a log. */
const LEADING = 8

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
  const [version, setVersion] = useState(0)
  const onErrorNow = useRef(onError)
  onErrorNow.current = onError
  const source = useMemo(() => {
    const made = new LogSource(
      {
        lines: (query) => requestJson<TraceLines>(`${path}/lines${queryOf(query)}`),
        outline: () => requestJson<TraceOutline>(`${path}/outline`),
      },
      () => setVersion((count) => count + 1),
      (error) => onErrorNow.current(error),
    )
    made.open(outline)
    return made
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the effect below gives it later outlines
  }, [path])
  useEffect(() => source.open(outline), [source, outline])
  // A source changes in place.
  const { lines, sections } = source

  const { hash } = usePlace()
  const [selection, setSelection] = useState<LineRange | undefined>(() => readLineRange(hash))
  const [preferences, change] = usePreferences()
  const { wrapsLogs: wraps, logTextSize: size, logTimes: times } = preferences
  const [closed, setClosed] = useState<ReadonlySet<number>>(() =>
    closedAtFirst(outline, hasFailed && preferences.foldsPassedSections),
  )
  const [follows, setFollows] = useState(isRunning && selection === undefined)
  const [seenLines, setSeenLines] = useState(0)
  const [isFull, setFull] = useState(false)
  const [readsAloud, setReadsAloud] = useState(false)
  const root = useRef<HTMLElement>(null)
  const rows = useRef<RowsHandle>(null)
  const heading = useRef<SectionHeadingHandle>(null)
  const field = useRef<HTMLInputElement>(null)

  const map = useMemo(() => {
    const folds = sections
      .filter(({ first_line: line }) => closed.has(line))
      .map(({ first_line: line, last_line: last }) => ({ first: line + 1, last: last ?? lines }))
    return new RowMap(lines, folds)
  }, [lines, sections, closed])
  const sectionAt = useMemo(
    () => new Map(sections.map((section) => [section.first_line, section])),
    [sections],
  )

  const reveal = (line: number) => {
    const hiding = source.sections.filter(
      ({ first_line: first, last_line: last }) =>
        closed.has(first) && line > first && line <= (last ?? source.lines),
    )
    if (hiding.length > 0)
      setClosed(
        new Set([...closed].filter((first) => !hiding.some((section) => section.first_line === first))),
      )
  }
  const wanted = useRef<number | undefined>(undefined)
  const goTo = (line: number) => {
    setFollows(false)
    reveal(line)
    wanted.current = line
    setVersion((count) => count + 1)
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

  useLive(
    isRunning || !source.isComplete ? [`trace/${jobId}/${outline.bytes}`] : [],
    {
      trace: ({ job_id: id }) => {
        if (id === jobId) source.grow()
      },
      'trace-end': ({ job_id: id }) => {
        if (id === jobId) source.grow()
      },
    },
    () => source.grow(),
  )
  useEffect(() => {
    if (follows) {
      rows.current?.scrollToRow(map.count, 'bottom')
      setSeenLines(lines)
    }
  }, [follows, lines, map.count, version])
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
  const toggle = (line: number) => setClosed(toggled(closed, line))
  const allClosed =
    source.sections.length > 0 && source.sections.every(({ first_line: line }) => closed.has(line))
  const toggleAll = () =>
    setClosed(allClosed ? new Set() : new Set(source.sections.map(({ first_line: line }) => line)))
  const start = times === 'elapsed' ? source.lineAt(1)?.time : undefined
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
  const hitLines = useMemo(() => search.hits.map(({ line }) => line), [search.hits])

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
      if (section) toggle(section.first_line)
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
  useEffect(() => {
    if (!isFull) return undefined
    // In the capture phase, before the handlers that close what contains the log.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector(':popover-open')) return
      event.preventDefault()
      setFull(false)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [isFull])
  const newLines = source.lines - seenLines
  const onClick = (event: MouseEvent) => {
    const target =
      event.target instanceof Element
        ? event.target.closest<HTMLElement>('[data-line], [data-fold], [data-whole]')
        : null
    if (!target) return
    const { line, fold, whole } = target.dataset
    if (whole !== undefined) source.readWhole(Number(whole)).catch(onError)
    if (line !== undefined) select(Number(line), event.shiftKey)
    if (fold !== undefined) toggle(Number(fold))
  }
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
      {/* The lines act by pointer here; the bar and the keyboard reach the same. */}
      <div class={styles['lines']} onClick={onClick}>
        <SectionHeading
          handle={heading}
          sections={source.sections}
          onOpen={({ first_line: line }) => goTo(line)}
        />
        <Rows
          handle={rows}
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
            heading.current?.show(map.lineOf((rows.current?.visible().first ?? 0) + ROWS_UNDER_HEADING))
          }
          onScroll={(isAtEnd) => {
            if (isAtEnd !== follows && (isRunning || !isAtEnd)) setFollows(isAtEnd)
            if (isAtEnd) setSeenLines(source.lines)
          }}
          render={(row) => {
            const number = map.lineOf(row)
            const section = sectionAt.get(number)
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
                    isClosed: closed.has(number),
                    duration: section.duration,
                    hits: closed.has(number)
                      ? hitsWithin(hitLines, number + 1, section.last_line ?? source.lines)
                      : 0,
                  }
                }
                fileAddress={fileAddress}
              />
            )
          }}
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
      {readsAloud && <NewLines source={source} lines={source.lines} />}
      {!follows && isRunning && newLines > 0 && (
        <Button class={styles['new']} kind="primary" size="small" onClick={() => setFollows(true)}>
          ↓ {formatCount(newLines)} new lines
        </Button>
      )}
    </section>
  )
}

/** `Ctrl F` leads to the search of the log, which covers all of it, and a second time to that of the browser. */
function useSearchKey(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'f' || event.altKey || event.shiftKey) return
      if (document.documentElement.dataset['keys'] === 'off' || document.activeElement === field.current)
        return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      field.current?.select()
      field.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field])
}

/** Sections that the runner collapses; of a failed job also those that have ended before the last one. */
function closedAtFirst(outline: TraceOutline, hasFailed: boolean): Set<number> {
  const { sections, is_complete: isComplete } = outline
  const script = failedSection(outline)
  return new Set(
    sections
      .filter(
        (section) =>
          section.collapsed ||
          (hasFailed &&
            isComplete &&
            script !== undefined &&
            section.depth === 0 &&
            section.first_line < script.first_line),
      )
      .map(({ first_line: line }) => line),
  )
}

/** The section in which a job fails: that of its script, or the last one. */
function failedSection({ sections }: TraceOutline): TraceOutline['sections'][number] | undefined {
  return (
    sections.findLast(({ name }) => name === 'step_script') ??
    sections.filter(({ depth }) => depth === 0).at(-1)
  )
}
