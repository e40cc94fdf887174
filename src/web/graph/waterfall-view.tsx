import { ChevronDown, ChevronRight, ZoomIn, ZoomOut } from 'lucide'
import { Component, type ComponentChildren } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'
import { Button, IconButton } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { formatClock, formatDuration } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import { useKeys } from '../kit/keys.js'
import { opensElsewhere } from '../kit/opens-elsewhere.js'
import { shownStatus, StatusIcon, statusLook } from '../kit/status.js'
import { toggled } from '../kit/toggled.js'
import tones from '../kit/tones.module.css'
import { useDraggedRange } from './dragged-range.js'
import styles from './waterfall-view.module.css'
import type { Span, Waterfall, WaterfallGroup, WaterfallRow } from './waterfall.js'

interface WaterfallViewProps {
  waterfall: Waterfall
  /** IDs of the jobs on the critical path. */
  critical: ReadonlySet<number>
  addressOfJob: (job: GraphJob) => string
  /** Handles a click on a job, unless it opens another tab. The link is followed if the default is not prevented. */
  onOpen: (job: GraphJob, event: MouseEvent) => void
  /** A click on a bar, with the ID of its attempt. */
  onShow: (id: number) => void
  /** ID of the job that is shown beside the waterfall. */
  current: number | undefined
}

/** Steps of the axis, in seconds; the first that gives at most this many marks is taken. */
const STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 14_400, 86_400]
const MAX_MARKS = 8

const MAX_ZOOM = 32
const ZOOM_STEP = 1.5

const KINDS: Record<Span['kind'], { name: string; verb: string }> = {
  manual: { name: 'to be started by hand', verb: 'to be started by hand for' },
  delay: { name: 'delayed', verb: 'delayed for' },
  wait: { name: 'in the queue', verb: 'waited' },
  start: { name: 'starting', verb: 'was starting for' },
  run: { name: 'runs', verb: 'ran' },
  rest: { name: 'expected', verb: 'expected to run' },
}

/** The jobs of each stage, one row for each: hatched while it waited, filled while it ran. */
export function WaterfallView(props: WaterfallViewProps) {
  const { stages, length } = props.waterfall
  const { zoom, change, show, scroll } = useZoom()
  const range = useDraggedRange((from, to) => show(from, to))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback((key: string) => setOpen((before) => toggled(before, key)), [])
  const step = STEPS.find((seconds) => length / seconds <= MAX_MARKS * zoom) ?? 604_800
  const marks = Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
  const { critical, current, addressOfJob, onOpen, onShow } = props
  const kinds = new Set(
    stages.flatMap(({ groups }) => groups.flatMap(({ spans }) => spans.map(({ kind }) => kind))),
  )
  return (
    <>
      <div class={styles['tools']}>
        <ul class={styles['legend']} aria-label="Legend">
          {(Object.keys(KINDS) as Span['kind'][])
            .filter((kind) => kinds.has(kind))
            .map((kind) => (
              <li key={kind}>
                <i class={classNames(styles['sample'], styles[kind], tones['neutral'])} />
                {KINDS[kind].name}
              </li>
            ))}
        </ul>
        <IconButton
          size="small"
          icon={ZoomOut}
          label="Zoom out (−)"
          disabled={zoom === 1}
          onClick={() => change(1 / ZOOM_STEP)}
        />
        <Button size="small" kind="ghost" title="Show all (0)" onClick={() => change(0)}>
          {Math.round(zoom * 100)} %
        </Button>
        <IconButton
          size="small"
          icon={ZoomIn}
          label="Zoom in (+)"
          disabled={zoom === MAX_ZOOM}
          onClick={() => change(ZOOM_STEP)}
        />
      </div>
      {/* It scrolls sideways on narrow screens and when it is zoomed, so the keyboard must reach it. */}
      <div ref={scroll} class={styles['scroll']} tabIndex={0} role="region" aria-label="Waterfall">
        <div
          class={styles['chart']}
          style={{ '--zoom': zoom, '--step': formatPercent(step, length) }}
          {...range.handlers}
        >
          <div ref={range.mark} class={styles['range']} hidden />
          <div class={styles['axis']} data-axis="" aria-hidden="true">
            {marks.map((seconds) => (
              <span key={seconds} style={{ left: formatPercent(seconds, length) }}>
                {formatClock(seconds)}
              </span>
            ))}
          </div>
          <ol class={styles['rows']}>
            {stages.map(({ name, groups }) => (
              <li key={name}>
                <h3 class={styles['stage']}>{name}</h3>
                <ol class={styles['rows']}>
                  {groups.map((group) => {
                    const isParallel = group.rows.length > 1
                    const isOpen = !isParallel || open.has(group.key)
                    return [
                      isParallel && (
                        <GroupRow
                          key={group.key}
                          {...{ group, length, isOpen, toggle }}
                          isCritical={group.rows.some(({ job }) => critical.has(job.id))}
                          isCurrent={!isOpen && group.rows.some(({ job }) => job.id === current)}
                        />
                      ),
                      isOpen &&
                        group.rows.map((row) => (
                          <Row
                            key={row.job.name}
                            {...{ row, length, addressOfJob, onOpen, onShow }}
                            isInside={isParallel}
                            isCritical={critical.has(row.job.id)}
                            isCurrent={row.job.id === current}
                          />
                        )),
                    ]
                  })}
                </ol>
              </li>
            ))}
          </ol>
        </div>
      </div>
    </>
  )
}

interface LineProps {
  /** Seconds of the whole axis. */
  length: number
  isCritical: boolean
  isCurrent: boolean
}

interface RowProps extends LineProps, Pick<WaterfallViewProps, 'addressOfJob' | 'onOpen' | 'onShow'> {
  row: WaterfallRow
  /** It is an instance of a parallel job. */
  isInside: boolean
}

/** Drawing thousands of rows again stalls a page: a row is drawn only when it has changed. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps) {
    return (Object.keys(next) as (keyof RowProps)[]).some((name) => next[name] !== this.props[name])
  }

  override render() {
    return <RowContent {...this.props} />
  }
}

function RowContent({ row: { job, spans }, isInside, addressOfJob, onOpen, onShow, ...line }: RowProps) {
  return (
    <Line {...line} name={job.name} spans={spans} onShow={job.kind === 'job' ? onShow : undefined}>
      <a
        href={addressOfJob(job)}
        class={classNames(styles['name'], isInside && styles['inside'])}
        title={job.name}
        aria-current={line.isCurrent ? 'true' : undefined}
        onClick={(event) => {
          if (!opensElsewhere(event)) onOpen(job, event)
        }}
      >
        <StatusIcon status={shownStatus(job)} size={14} isDecoration />
        <span>{job.name}</span>
        <span class="visually-hidden">
          , {statusLook(shownStatus(job)).label}
          {spans.map(describe).join('')}
          {line.isCritical && ', on the critical path'}
        </span>
      </a>
    </Line>
  )
}

interface GroupRowProps extends LineProps {
  group: WaterfallGroup
  isOpen: boolean
  toggle: (key: string) => void
}

/** The instances of a parallel job in one row, which shows a row for each of them when it is open. */
function GroupRow({ group: { key, name, status, rows, spans }, isOpen, toggle, ...line }: GroupRowProps) {
  const ended = rows.filter(({ job }) => job.finished_at !== null).length
  return (
    <Line {...line} name={name} spans={spans} onShow={() => toggle(key)}>
      <button
        type="button"
        class={styles['name']}
        title={name}
        aria-expanded={isOpen}
        onClick={() => toggle(key)}
      >
        <StatusIcon status={status} size={14} isDecoration />
        <span>{name}</span>
        <span class={styles['count']}>
          {ended < rows.length && `${ended} of `}
          {rows.length}
        </span>
        <Icon icon={isOpen ? ChevronDown : ChevronRight} size={14} />
        <span class="visually-hidden">
          {' '}
          jobs, {statusLook(status).label}
          {spans.map(describe).join('')}
          {line.isCritical && ', on the critical path'}
        </span>
      </button>
    </Line>
  )
}

interface SpansProps extends LineProps {
  name: string
  spans: readonly Span[]
  /** A click on a bar; the link or button before the bars does the same for the keyboard. */
  onShow: ((id: number) => void) | undefined
  children: ComponentChildren
}

/** A row: its name, and its bars along the axis. */
function Line({ name, spans, length, isCritical, isCurrent, onShow, children }: SpansProps) {
  const percent = (seconds: number) => formatPercent(seconds, length)
  return (
    <li
      data-current={isCurrent ? '' : undefined}
      class={classNames(styles['row'], isCritical && styles['critical'], isCurrent && styles['current'])}
    >
      {children}
      <div class={styles['track']}>
        {spans.map((span) => (
          <i
            key={`${span.id} ${span.kind}`}
            class={classNames(styles['span'], styles[span.kind], tones[statusLook(span.status).tone])}
            style={{ left: percent(span.start), width: percent(span.end - span.start) }}
            onClick={onShow && (() => onShow(span.id))}
            title={`${name}:${describe(span).slice(1)}`}
          />
        ))}
      </div>
    </li>
  )
}

function formatPercent(seconds: number, length: number): string {
  return `${(seconds / length) * 100}%`
}

function describe({ kind, start, end }: Span): string {
  return `, ${KINDS[kind].verb} ${formatDuration(end - start)} from ${formatClock(start)}`
}

/** How many times wider than its box the time axis is. The time under the pointer, or in the middle, keeps its place. */
function useZoom() {
  const [zoom, setZoom] = useState(1)
  const scroll = useRef<HTMLDivElement>(null)
  const anchor = useRef<{ part: number; x: number } | undefined>(undefined)

  /** @param factor 0 shows all */
  const change = (factor: number, clientX?: number) => {
    const { box, axis } = measured(scroll.current)
    const x = clientX ?? (axis.visibleLeft + box.right) / 2
    anchor.current = { part: (x - axis.left) / axis.width, x }
    setZoom((before) => limited(before * factor))
  }
  /** Makes a part of the axis, from 0 to 1, as wide as its box. */
  const show = (from: number, to: number) => {
    const { box, axis } = measured(scroll.current)
    const visible = box.right - axis.visibleLeft
    anchor.current = { part: from, x: axis.visibleLeft }
    setZoom((before) => limited((before * visible) / (axis.width * (to - from))))
  }
  const latest = useRef(change)
  latest.current = change
  useLayoutEffect(() => {
    if (!anchor.current) return
    const { part, x } = anchor.current
    const { axis } = measured(scroll.current)
    scroll.current?.scrollBy({ left: axis.left + part * axis.width - x, behavior: 'instant' })
    anchor.current = undefined
  }, [zoom])
  useEffect(() => {
    const element = scroll.current
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      latest.current(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, event.clientX)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])
  useKeys({
    '+': () => change(ZOOM_STEP),
    '=': () => change(ZOOM_STEP),
    '-': () => change(1 / ZOOM_STEP),
    '0': () => change(0),
  })
  return { zoom, change, show, scroll }
}

function limited(zoom: number): number {
  return Math.min(MAX_ZOOM, Math.max(1, zoom))
}

function measured(element: HTMLElement | null) {
  const box = element?.getBoundingClientRect() ?? new DOMRect()
  const axis = element?.querySelector('[data-axis]')?.getBoundingClientRect() ?? new DOMRect()
  // The names of the jobs cover the left part.
  const names = axis.left - box.left + (element?.scrollLeft ?? 0)
  return { box, axis: { left: axis.left, width: axis.width, visibleLeft: box.left + names } }
}
