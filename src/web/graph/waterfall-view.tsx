import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'
import { classNames } from '../kit/class-names.js'
import { formatClock, formatDuration } from '../kit/durations.js'
import { shownStatus, StatusIcon, statusLook } from '../kit/status.js'
import styles from './waterfall-view.module.css'
import type { Span, Waterfall } from './waterfall.js'

interface WaterfallViewProps {
  waterfall: Waterfall
  /** IDs of the jobs on the critical path. */
  critical: ReadonlySet<number>
  addressOfJob: (job: GraphJob) => string
  /** A click on the link of a job, with no key for another tab; unless it prevents the default, the link is followed. */
  onOpen: (job: GraphJob, event: MouseEvent) => void
  /** A click on a bar, with the ID of its attempt. */
  onShow: (id: number) => void
  /** ID of the job that is shown beside the waterfall. */
  current: number | undefined
}

/** Steps of the axis, in seconds; the first that gives at most this many marks is taken. */
const STEPS = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 14_400, 86_400]
const MOST_MARKS = 8

/** One row for each job: hatched while it waited, filled while it ran. */
export function WaterfallView({
  waterfall: { rows, length },
  critical,
  addressOfJob,
  onOpen,
  onShow,
  current,
}: WaterfallViewProps) {
  const step = STEPS.find((seconds) => length / seconds <= MOST_MARKS) ?? 604_800
  const marks = Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step)
  const percent = (seconds: number) => `${(seconds / length) * 100}%`
  return (
    // It scrolls sideways on narrow screens, so the keyboard must reach it.
    <div class={styles['scroll']} tabIndex={0} role="region" aria-label="Waterfall">
      <div class={styles['chart']}>
        <div class={styles['axis']} aria-hidden="true">
          {marks.map((seconds) => (
            <span key={seconds} style={{ left: percent(seconds) }}>
              {formatClock(seconds)}
            </span>
          ))}
        </div>
        <ol class={styles['rows']}>
          {rows.map(({ job, spans }) => (
            <li
              key={job.name}
              data-current={job.id === current ? '' : undefined}
              class={classNames(
                styles['row'],
                critical.has(job.id) && styles['critical'],
                job.id === current && styles['current'],
              )}
            >
              <a
                href={addressOfJob(job)}
                class={styles['name']}
                title={job.name}
                aria-current={job.id === current ? 'true' : undefined}
                onClick={(event) => {
                  if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onOpen(job, event)
                }}
              >
                <StatusIcon status={shownStatus(job)} size={14} isDecoration />
                <span>{job.name}</span>
                <span class="visually-hidden">
                  , {statusLook(shownStatus(job)).label}
                  {spans.map(describe).join('')}
                  {critical.has(job.id) && ', on the critical path'}
                </span>
              </a>
              <div class={styles['track']}>
                {marks.map((seconds) => (
                  <i key={seconds} class={styles['grid']} style={{ left: percent(seconds) }} />
                ))}
                {spans.map((span) => (
                  <i
                    key={`${span.id} ${span.kind}`}
                    class={classNames(
                      styles['span'],
                      styles[span.kind],
                      styles[statusLook(span.status).tone],
                    )}
                    style={{ left: percent(span.start), width: percent(span.end - span.start) }}
                    // By pointer alone: the link before it reaches the same.
                    onClick={job.kind === 'job' ? () => onShow(span.id) : undefined}
                    title={`${job.name}:${describe(span).slice(1)}`}
                  />
                ))}
              </div>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function describe({ kind, start, end }: Span): string {
  return `, ${kind === 'wait' ? 'waited' : 'ran'} ${formatDuration(end - start)} from ${formatClock(start)}`
}
