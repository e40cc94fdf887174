import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

import type { LinkedPipeline } from '../../coordinator/ci/pipelines/graph/schema.js'
import { StatusIcon } from '../kit/status.js'
import { toggled } from '../kit/toggled.js'
import { useNarrow } from '../kit/use-narrow.js'
import { activeColumn } from './active-column.js'
import { GraphBlock, isCurrent, type JobProps } from './graph-block.js'
import styles from './graph-view.module.css'
import type { JobGroup } from './job-groups.js'
import { BOX_GAP, edgePath, layOutGraph } from './layout.js'
import type { OpenPipeline } from './open-pipeline.js'
import { relatedTo, type Relations } from './relations.js'
import { type GraphZoom, useZoomedScroll } from './zoomed-scroll.js'

/** The pipelines above and below one, which open inside its graph. */
export interface LinkedPipelines {
  /** ID of the pipeline itself. */
  id: number
  /** The pipeline that started it, shown before the first column. */
  upstream: LinkedPipeline | null
  /** Those that are open, by their IDs. */
  pipelines: ReadonlyMap<number, OpenPipeline>
  toggle: (pipeline: LinkedPipeline) => void
}

interface GraphViewProps extends JobProps {
  linked?: LinkedPipelines
  zoom?: GraphZoom
  columns: readonly (readonly JobGroup[])[]
  /** Headings of the columns: stages, with their statuses; none where columns are no stages. */
  headings?: readonly { name: string; status: string }[]
  relations: Relations
  /** Lines between all boxes; otherwise only between those that are in focus. */
  showsAllEdges: boolean
  /** Key of the group that is in focus: what has nothing to do with it steps back. */
  focus: string | undefined
  onFocus: (key: string | undefined) => void
}

/** The jobs of a pipeline as boxes in columns, with lines from what they need; on narrow screens as a list by column. */
export function GraphView({
  linked,
  zoom,
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
  const isList = useNarrow()
  const { id, upstream, pipelines } = linked ?? {}
  const graph = useMemo(
    () => layOutGraph({ columns, open, unfolded, isList, id, upstream, pipelines }),
    [columns, open, unfolded, isList, id, upstream, pipelines],
  )
  // The set of another change of a pipeline is the same one, so that not all boxes are drawn again.
  const openIds = [...(pipelines?.keys() ?? [])].join()
  const openPipelines = useMemo(
    () => new Set(openIds === '' ? [] : openIds.split(',').map(Number)),
    [openIds],
  )
  const inFocus = useMemo(
    () => (focus === undefined ? undefined : relatedTo(focus, relations)),
    [focus, relations],
  )
  const edges = useMemo(
    () => (!isList && (showsAllEdges || inFocus) ? edgePath(graph, relations, inFocus) : ''),
    [graph, relations, inFocus, showsAllEdges, isList],
  )
  // Only the block of the current job gets its ID, so that the other blocks are not drawn again.
  const currentBlocks = useMemo(
    () =>
      new Set(
        graph.columns.flatMap(({ blocks }) =>
          blocks.filter(({ boxes }) => boxes.some((one) => isCurrent(one, current))),
        ),
      ),
    [graph, current],
  )
  const box = useRef<HTMLDivElement>(null)
  // With the space around it and the shadows of the boxes at its end.
  const scroll = useZoomedScroll(zoom, isList ? undefined : graph.width + 2 * BOX_GAP)
  /** Number of the first column of the pipeline itself. */
  const first = upstream ? 1 : 0
  // Once, when the graph opens: where it runs.
  useLayoutEffect(() => {
    const wanted = graph.columns[activeColumn(columns) + first]
    const element = scroll.current
    if (isList || !wanted || !element) return
    const scale = zoom?.scale ?? 1
    if ((wanted.x + wanted.width) * scale > element.clientWidth)
      element.scrollLeft = wanted.x * scale - element.clientWidth / 3
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: later, the reader scrolls
  }, [])

  const toggle = useCallback((key: string) => setOpen((before) => toggled(before, key)), [])
  const unfold = useCallback(
    (column: number) => setUnfolded((before) => new Set([...before, column - first])),
    [first],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const here = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-box]') : null
    if (!here) return
    if (event.key === ' ' && event.target instanceof HTMLAnchorElement) {
      event.preventDefault()
      const { key } = here.dataset
      onFocus(key === focus ? undefined : key)
    } else if (event.key === 'Escape' && focus !== undefined) {
      event.preventDefault()
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
      ref={scroll}
      class={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label="Graph of the jobs"
      onKeyDown={onKeyDown}
    >
      <div
        ref={box}
        class={styles['graph']}
        style={{
          width: isList ? '100%' : `${graph.width}px`,
          height: `${graph.height}px`,
          ...(zoom && zoom.scale !== 1 && { zoom: zoom.scale, '--scale': zoom.scale }),
        }}
      >
        {!isList && (
          <svg class={styles['edges']} width={graph.width} height={graph.height} aria-hidden="true">
            <path d={edges} class={inFocus ? styles['focusEdge'] : styles['edge']} />
          </svg>
        )}
        <ol class={styles['columns']}>
          {graph.columns.map(({ x, y, width, blocks }, number) => (
            <li key={number}>
              <Heading
                {...{ x, y, width, isList }}
                {...(number < first
                  ? { name: 'Upstream' }
                  : (headings?.[number - first] ?? { name: isList && `Step ${number - first + 1}` }))}
              />
              <div role="list">
                {blocks.map((block, index) => (
                  <GraphBlock
                    key={index}
                    {...{ block, focus, inFocus, matches, open, toggle, unfold }}
                    {...{ addressOfJob, actionOf, onOpen, openPipelines }}
                    togglePipeline={linked?.toggle}
                    column={number}
                    isList={isList}
                    current={currentBlocks.has(block) ? current : undefined}
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

interface HeadingProps {
  x: number
  y: number
  width: number
  isList: boolean
  /** No heading without one. */
  name: string | false
  status?: string
}

function Heading({ x, y, width, isList, name, status }: HeadingProps) {
  if (name === false) return null
  return (
    <h2
      class={styles['heading']}
      style={{ left: `${x}px`, top: `${y}px`, width: isList ? '100%' : `${width}px` }}
      title={name}
    >
      {status !== undefined && <StatusIcon status={status} size={14} />}
      <span>{name}</span>
    </h2>
  )
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
