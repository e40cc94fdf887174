import { useCallback, useMemo, useRef, useState } from 'preact/hooks'

import { StatusIcon } from '../kit/status.js'
import { toggled } from '../kit/toggled.js'
import { useNarrow } from '../kit/use-narrow.js'
import { GraphBlock, isCurrent, type JobProps } from './graph-block.js'
import styles from './graph-view.module.css'
import type { JobGroup } from './job-groups.js'
import { BOX_WIDTH, edgePath, placeGraph } from './place.js'
import { relatedTo, type Relations } from './relations.js'

interface GraphViewProps extends JobProps {
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
  const graph = useMemo(() => placeGraph(columns, open, unfolded, isList), [columns, open, unfolded, isList])
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

  const toggle = useCallback((key: string) => setOpen((before) => toggled(before, key)), [])
  const unfold = useCallback((column: number) => setUnfolded((before) => new Set([...before, column])), [])
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
      class={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label="Graph of the jobs"
      onKeyDown={onKeyDown}
    >
      <div
        ref={box}
        class={styles['graph']}
        style={{ width: isList ? '100%' : `${graph.width}px`, height: `${graph.height}px` }}
      >
        {!isList && (
          <svg class={styles['edges']} width={graph.width} height={graph.height} aria-hidden="true">
            <path d={edges} class={inFocus ? styles['focusEdge'] : styles['edge']} />
          </svg>
        )}
        <ol class={styles['columns']}>
          {graph.columns.map(({ x, y, blocks }, number) => (
            <li key={number}>
              {headings?.[number] && (
                <h2
                  class={styles['heading']}
                  style={{
                    left: `${x}px`,
                    top: `${y}px`,
                    width: isList ? '100%' : `${BOX_WIDTH}px`,
                  }}
                >
                  <StatusIcon status={headings[number].status} size={14} />
                  <span>{headings[number].name}</span>
                </h2>
              )}
              {isList && !headings && (
                <h2 class={styles['heading']} style={{ top: `${y}px` }}>
                  Step {number + 1}
                </h2>
              )}
              <div role="list">
                {blocks.map((block, index) => (
                  <GraphBlock
                    key={index}
                    {...{ block, focus, inFocus, matches, open, toggle, unfold }}
                    {...{ addressOfJob, actionOf, onOpen }}
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
