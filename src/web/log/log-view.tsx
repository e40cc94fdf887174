import {
  ArrowDownToLine,
  ChevronDown,
  ChevronsDownUp,
  ChevronUp,
  CircleAlert,
  Clock,
  ListTree,
  Maximize2,
  ScrollText,
  Search,
  X,
} from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { usePlace } from '../frame/location.js'
import { notify } from '../frame/notices.js'
import { Button, IconButton, LinkButton } from '../kit/button.js'
import { formatCount } from '../kit/bytes.js'
import { classNames } from '../kit/class-names.js'
import { copyText } from '../kit/copy-button.js'
import { Icon } from '../kit/icon.js'
import { useKeys } from '../kit/keys.js'
import { lineHash, type LineRange, readLineRange } from '../kit/line-range.js'
import { Menu, MenuItem } from '../kit/menu.js'
import { Rows, type RowsHandle } from '../kit/rows.js'
import { useLive } from '../live/use-live.js'
import { RowMap } from './folds.js'
import { LogRow, ROW_HEIGHT, type TimeKind } from './log-row.js'
import { LogSource } from './log-source.js'
import styles from './log-view.module.css'
import { useLogSearch } from './use-log-search.js'

interface LogViewProps {
  /** The log in the API, such as `/projects/5/jobs/9/trace`. */
  path: string
  jobId: number
  outline: TraceOutline
  isRunning: boolean
  /** The job has failed: the log opens at the first error. */
  hasFailed: boolean
  rawAddress: string
  onError: (error: Error) => void
}

const TIME_KINDS: readonly TimeKind[] = ['off', 'clock', 'elapsed']

/** A log: lines with colors, sections that fold, search over all of it, and its end while it grows. */
export function LogView({ path, jobId, outline, isRunning, hasFailed, rawAddress, onError }: LogViewProps) {
  const [version, setVersion] = useState(0)
  const source = useMemo(() => {
    const made = new LogSource(path, () => setVersion((count) => count + 1), onError)
    made.open(outline)
    return made
  }, [path])
  useEffect(() => source.open(outline), [outline])

  const { hash } = usePlace()
  const [selection, setSelection] = useState<LineRange | undefined>(() => readLineRange(hash))
  const [closed, setClosed] = useState<ReadonlySet<number>>(() => closedAtFirst(outline, hasFailed))
  const [follows, setFollows] = useState(isRunning && selection === undefined)
  const [times, setTimes] = useState<TimeKind>('off')
  const [seenLines, setSeenLines] = useState(0)
  const [isFull, setFull] = useState(false)
  const rows = useRef<RowsHandle>(null)
  const field = useRef<HTMLInputElement>(null)

  const map = useMemo(() => {
    const folds = source.sections
      .filter(({ first_line: line }) => closed.has(line))
      .map(({ first_line: line, last_line: last }) => ({ first: line + 1, last: last ?? source.lines }))
    return new RowMap(source.lines, folds)
  }, [source, source.lines, source.sections, closed])
  const sectionAt = useMemo(
    () => new Map(source.sections.map((section) => [section.first_line, section])),
    [source.sections],
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
      setSeenLines(source.lines)
    }
  }, [follows, map.count, version])
  useEffect(() => {
    if (selection) goTo(selection.first)
    else if (hasFailed && outline.is_complete) void search.firstError()
  }, [])

  const select = (line: number, extends_: boolean) => {
    const range =
      extends_ && selection
        ? { first: Math.min(selection.first, line), last: Math.max(selection.last, line) }
        : { first: line, last: line }
    setSelection(range)
    history.replaceState(history.state, '', lineHash(range))
  }
  const toggle = (line: number) => {
    const next = new Set(closed)
    if (!next.delete(line)) next.add(line)
    setClosed(next)
  }
  const allClosed =
    source.sections.length > 0 && source.sections.every(({ first_line: line }) => closed.has(line))
  const toggleAll = () =>
    setClosed(allClosed ? new Set() : new Set(source.sections.map(({ first_line: line }) => line)))
  const start = source.lineAt(1)?.time

  useKeys({
    '/': () => field.current?.focus(),
    y: () => {
      const range = selection ?? {
        first: map.lineOf(rows.current?.visible().first ?? 0),
        last: map.lineOf(rows.current?.visible().first ?? 0),
      }
      void copyText(location.href.replace(/#.*$/, '') + lineHash(range)).then(() =>
        notify('The address of the line was copied'),
      )
    },
    f: () => setFollows(true),
    t: () => setTimes(TIME_KINDS[(TIME_KINDS.indexOf(times) + 1) % TIME_KINDS.length] ?? 'off'),
    n: () => search.move(1),
    N: () => search.move(-1),
    e: () => void search.nextError(rows.current ? map.lineOf(rows.current.visible().first) : 1),
    Z: toggleAll,
    z: () => {
      const line = rows.current ? map.lineOf(rows.current.visible().first) : 1
      const section = source.sections.findLast(
        ({ first_line: first, last_line: last }) => first <= line && line <= (last ?? source.lines),
      )
      if (section) toggle(section.first_line)
    },
    Home: () => goTo(1),
    End: () => setFollows(true),
  })
  const newLines = source.lines - seenLines
  const onClick = (event: MouseEvent) => {
    const target =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-line], [data-fold]') : null
    if (!target) return
    const { line, fold } = target.dataset
    if (line !== undefined) select(Number(line), event.shiftKey)
    if (fold !== undefined) toggle(Number(fold))
  }
  return (
    <section class={classNames(styles['log'], isFull && styles['full'])} aria-label="Job log">
      <div class={styles['bar']}>
        <label class={styles['search']} data-filter="">
          <Icon icon={Search} size={15} />
          <span class="visually-hidden">Search the log</span>
          <input
            ref={field}
            type="search"
            placeholder="Search the log"
            value={search.text}
            spellcheck={false}
            onInput={({ currentTarget }) => search.setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') search.move(event.shiftKey ? -1 : 1)
              if (event.key === 'Escape') search.setText('')
            }}
          />
          {search.text !== '' && (
            <span class={styles['hits']} role="status">
              {search.isSearching && search.hits.length === 0
                ? '…'
                : search.hits.length === 0
                  ? 'no match'
                  : `${search.current + 1} of ${formatCount(search.hits.length, search.isSearching || search.hasMore)}`}
            </span>
          )}
        </label>
        <IconButton
          icon={ChevronUp}
          label="Previous match (N)"
          onClick={() => search.move(-1)}
          disabled={search.hits.length === 0}
        />
        <IconButton
          icon={ChevronDown}
          label="Next match (n)"
          onClick={() => search.move(1)}
          disabled={search.hits.length === 0}
        />
        <Button
          kind="ghost"
          icon={CircleAlert}
          class={styles['wide']}
          onClick={() => void search.nextError(rows.current ? map.lineOf(rows.current.visible().first) : 1)}
        >
          Next error
        </Button>
        <span class={styles['space']} />
        <IconButton
          icon={Clock}
          label={`Times: ${times} (t)`}
          aria-pressed={times !== 'off'}
          onClick={() => setTimes(TIME_KINDS[(TIME_KINDS.indexOf(times) + 1) % TIME_KINDS.length] ?? 'off')}
        />
        {source.sections.length > 0 && (
          <Menu kind="ghost" icon={ListTree} name="Sections">
            {source.sections.map(({ first_line: line, title, depth }) => (
              <MenuItem key={line} onSelect={() => goTo(line)}>
                {'\u2003'.repeat(depth)}
                {title}
              </MenuItem>
            ))}
          </Menu>
        )}
        {source.sections.length > 0 && (
          <IconButton
            icon={ChevronsDownUp}
            label={allClosed ? 'Unfold all sections (Z)' : 'Fold all sections (Z)'}
            onClick={toggleAll}
          />
        )}
        <IconButton
          icon={ArrowDownToLine}
          label="Follow the end (f)"
          aria-pressed={follows}
          onClick={() => setFollows(!follows)}
        />
        <LinkButton kind="ghost" icon={ScrollText} href={rawAddress} data-reload="" class={styles['wide']}>
          Raw
        </LinkButton>
        <IconButton
          icon={isFull ? X : Maximize2}
          label={isFull ? 'Leave the full window' : 'Full window'}
          onClick={() => setFull(!isFull)}
        />
      </div>
      {/* The lines act by pointer here; the bar and the keyboard reach the same. */}
      <div class={styles['lines']} onClick={onClick}>
        <Rows
          handle={rows}
          label="Log"
          role="log"
          count={map.count}
          rowHeight={ROW_HEIGHT}
          class={styles['rows']}
          contentWidth="max-content"
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
                start={start}
                isSelected={selection !== undefined && number >= selection.first && number <= selection.last}
                hit={search.hitAt(number)}
                isCurrentHit={search.hits[search.current]?.line === number}
                fold={
                  section && {
                    isClosed: closed.has(number),
                    duration: section.duration,
                  }
                }
              />
            )
          }}
        />
      </div>
      {!follows && isRunning && newLines > 0 && (
        <Button class={styles['new']} kind="primary" size="small" onClick={() => setFollows(true)}>
          ↓ {formatCount(newLines)} new lines
        </Button>
      )}
    </section>
  )
}

/** Sections that the runner collapses; of a failed job also those that have ended before the last one. */
function closedAtFirst({ sections, is_complete: isComplete }: TraceOutline, hasFailed: boolean): Set<number> {
  const last = sections.filter(({ depth }) => depth === 0).at(-1)
  const script = sections.findLast(({ name }) => name === 'step_script') ?? last
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
