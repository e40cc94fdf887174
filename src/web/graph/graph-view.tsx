import { ChevronDown, ChevronRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'

import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'
import { Button } from '../kit/button.js'
import { classNames } from '../kit/class-names.js'
import { useNow } from '../kit/clock.js'
import { formatDuration, secondsBetween } from '../kit/durations.js'
import { Icon } from '../kit/icon.js'
import { shownStatus, StatusIcon, statusLook } from '../kit/status.js'
import styles from './graph-view.module.css'
import { countByStatus, type JobGroup } from './job-groups.js'
import { type Box, BOX_WIDTH, edgePath, placeGraph } from './place.js'
import { relatedTo, type Relations } from './relations.js'

interface GraphViewProps {
  columns: readonly (readonly JobGroup[])[]
  /** Headings of the columns: stages, with their statuses; none where columns are no stages. */
  headings?: readonly { name: string; status: string }[]
  relations: Relations
  /** Lines between all boxes; otherwise only between those that are in focus. */
  showsAllEdges: boolean
  /** Key of the group that is in focus: what has nothing to do with it steps back. */
  focus: string | undefined
  onFocus: (key: string | undefined) => void
  /** Jobs that do not match the filter step back. */
  matches?: (job: GraphJob) => boolean
  addressOfJob: (job: GraphJob) => string
  /** The button of a job, such as "Retry". */
  actionOf: (job: GraphJob) => ComponentChildren
  /** A click on a job; without it, the link is followed. */
  onOpen?: (job: GraphJob) => void
  current?: number | undefined
}

/** The jobs of a pipeline as boxes in columns, with lines from what they need. */
export function GraphView({
  columns,
  headings,
  relations,
  showsAllEdges,
  focus,
  onFocus,
  matches,
  addressOfJob,
  actionOf,
  onOpen,
  current,
}: GraphViewProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const graph = useMemo(() => placeGraph(columns, open, unfolded), [columns, open, unfolded])
  const inFocus = useMemo(
    () => (focus === undefined ? undefined : relatedTo(focus, relations)),
    [focus, relations],
  )
  const edges = useMemo(
    () => (showsAllEdges || inFocus ? edgePath(graph, relations, inFocus) : ''),
    [graph, relations, inFocus, showsAllEdges],
  )
  const box = useRef<HTMLDivElement>(null)

  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const here = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-box]') : null
    if (!here) return
    if (event.key === ' ' && event.target instanceof HTMLAnchorElement) {
      event.preventDefault()
      const { key } = here.dataset
      onFocus(key === focus ? undefined : key)
    } else if (event.key === 'Escape' && focus !== undefined) {
      onFocus(undefined)
    } else if (event.key.startsWith('Arrow')) {
      const next = neighbor(box.current, here, event.key)
      if (!next) return
      event.preventDefault()
      next.querySelector<HTMLElement>('a, button')?.focus()
    }
  }
  return (
    // It scrolls in both directions, so the keyboard must reach it.
    <div
      class={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label="Graph of the jobs"
      onKeyDown={onKeyDown}
    >
      <div
        ref={box}
        class={styles['graph']}
        style={{ width: `${graph.width}px`, height: `${graph.height}px` }}
      >
        <svg class={styles['edges']} width={graph.width} height={graph.height} aria-hidden="true">
          <path d={edges} class={inFocus ? styles['focusEdge'] : styles['edge']} />
        </svg>
        <ol class={styles['columns']}>
          {graph.columns.map(({ x, boxes }, number) => (
            <li key={number}>
              {headings?.[number] && (
                <h2 class={styles['heading']} style={{ left: `${x}px`, width: `${BOX_WIDTH}px` }}>
                  <StatusIcon status={headings[number].status} size={14} />
                  <span>{headings[number].name}</span>
                </h2>
              )}
              <ul class={styles['column']}>
                {boxes.map((placed) => (
                  <li
                    key={placed.key}
                    data-box=""
                    data-key={placed.group?.key}
                    data-column={number}
                    class={classNames(
                      styles['box'],
                      placed.kind === 'job' && styles['instance'],
                      placed.group?.key === focus && styles['focused'],
                      isQuiet(placed, inFocus, matches) && styles['quiet'],
                      placed.job !== undefined && placed.job.id === current && styles['current'],
                    )}
                    style={{
                      transform: `translate(${placed.x}px, ${placed.y}px)`,
                      width: `${BOX_WIDTH}px`,
                      height: `${placed.height}px`,
                    }}
                  >
                    {placed.kind === 'folded' ? (
                      <Button
                        kind="ghost"
                        class={styles['folded']}
                        onClick={() => setUnfolded(new Set([...unfolded, number]))}
                      >
                        {placed.count} more that passed
                      </Button>
                    ) : placed.job ? (
                      <JobBox
                        job={placed.job}
                        isInstance={placed.kind === 'job'}
                        {...{ addressOfJob, actionOf, onOpen }}
                      />
                    ) : (
                      placed.group && (
                        <GroupBox
                          group={placed.group}
                          isOpen={open.has(placed.key)}
                          toggle={() => toggle(placed.key)}
                        />
                      )
                    )}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

function JobBox({
  job,
  isInstance,
  addressOfJob,
  actionOf,
  onOpen,
}: Pick<GraphViewProps, 'addressOfJob' | 'actionOf' | 'onOpen'> & { job: GraphJob; isInstance: boolean }) {
  const status = shownStatus(job)
  const name = isInstance && job.index !== null ? instanceName(job) : job.name
  return (
    <>
      <a
        class={styles['link']}
        href={addressOfJob(job)}
        title={job.name}
        onClick={(event) => {
          if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onOpen(job)
        }}
      >
        <StatusIcon status={status} isDecoration />
        <span class={styles['text']}>
          <span class={styles['name']}>{name}</span>
          {job.waiting !== null && <span class={styles['waiting']}>{job.waiting}</span>}
        </span>
        <RunTime job={job} />
        <span class="visually-hidden">
          , {statusLook(status).label}
          {job.needs.length > 0 && `, needs ${job.needs.join(', ')}`}
        </span>
      </a>
      {actionOf(job)}
    </>
  )
}

/** `rspec 3/10` has the heading `rspec`; its instances show the rest of their names. */
function instanceName({ name, group, index, total }: GraphJob): string {
  const rest =
    group !== null && name.startsWith(group) ? name.slice(group.length).replace(/^[:\s]+/, '') : name
  return rest === '' ? `${index}/${total}` : rest
}

function RunTime({ job }: { job: GraphJob }) {
  const isRunning = job.started_at !== null && job.finished_at === null
  const now = useNow(isRunning)
  // Whole seconds while it grows, so that its width stays the same.
  const running = isRunning ? Math.round(secondsBetween(job.started_at, null, now) ?? 0) : undefined
  const seconds = job.duration ?? running
  return seconds === undefined ? null : <span class={styles['time']}>{formatDuration(seconds)}</span>
}

function GroupBox({ group, isOpen, toggle }: { group: JobGroup; isOpen: boolean; toggle: () => void }) {
  const counts = countByStatus(group.jobs)
  return (
    <button type="button" class={styles['group']} aria-expanded={isOpen} onClick={toggle} title={group.name}>
      <StatusIcon status={group.status} />
      <span class={styles['name']}>{group.name}</span>
      <span class={styles['counts']}>
        {counts.map(({ status, count }) => (
          <span key={status} class={styles['count']}>
            <StatusIcon status={status} size={12} />
            {count}
          </span>
        ))}
      </span>
      <Icon icon={isOpen ? ChevronDown : ChevronRight} size={14} />
    </button>
  )
}

function isQuiet(
  { group, job }: Box,
  inFocus: ReadonlySet<string> | undefined,
  matches: ((job: GraphJob) => boolean) | undefined,
): boolean {
  if (!group) return inFocus !== undefined
  if (inFocus && !inFocus.has(group.key)) return true
  if (!matches) return false
  return job ? !matches(job) : !group.jobs.some(matches)
}

/** The box in the direction of an arrow key. */
function neighbor(graph: HTMLElement | null, here: HTMLElement, key: string): HTMLElement | undefined {
  const boxes = [...(graph?.querySelectorAll<HTMLElement>('[data-box]') ?? [])]
  const column = Number(here.dataset['column'])
  const inColumn = (number: number) => boxes.filter((box) => Number(box.dataset['column']) === number)
  const own = inColumn(column)
  const index = own.indexOf(here)
  switch (key) {
    case 'ArrowDown':
      return own[index + 1]
    case 'ArrowUp':
      return own[index - 1]
    default: {
      const other = inColumn(column + (key === 'ArrowRight' ? 1 : -1))
      return other[Math.min(index, other.length - 1)]
    }
  }
}
