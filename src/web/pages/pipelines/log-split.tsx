import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

import { changePreferences, readPreferences } from '../../frame/preferences.js'
import { useLoaded } from '../../frame/use-loaded.js'
import { Skeleton } from '../../kit/skeleton.js'
import { useModal } from '../../kit/use-modal.js'
import { useNarrow } from '../../kit/use-narrow.js'
import styles from './log-split.module.css'
import type { LogPaneState } from './use-log-pane.js'
import type { ShownPipeline } from './use-pipeline.js'

const LEAST_PERCENT = 25
const MAX_PERCENT = 75
const STEP_PERCENT = 3
const LEAST_HEIGHT = 320
/** Pixels between the pane and what is above and below it. */
const GAP = 12

interface LogSplitProps extends Pick<ShownPipeline, 'project' | 'graph'> {
  pane: LogPaneState
  children: ComponentChildren
}

/** The jobs of a pipeline, and beside them the log of one; on narrow screens, the log covers them. */
export function LogSplit({ project, graph, pane, children }: LogSplitProps) {
  const split = useRef<HTMLDivElement>(null)
  const { current, isOpen } = pane
  useEffect(() => {
    if (current !== undefined)
      split.current?.querySelector('[data-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div ref={split} class={isOpen ? styles['split'] : undefined}>
      <div class={styles['jobs']}>{children}</div>
      {isOpen && (
        <Pane split={split} close={pane.close}>
          <Content project={project} graph={graph} pane={pane} />
        </Pane>
      )}
    </div>
  )
}

interface PaneProps {
  split: { current: HTMLDivElement | null }
  close: () => void
  children: ComponentChildren
}

function Pane({ split, close, children }: PaneProps) {
  const isNarrow = useNarrow()
  const pane = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = pane.current
    if (!element || isNarrow) return undefined
    // As high as the rest of the window, at any scroll position of the page.
    const fit = () => {
      const bar = Number.parseFloat(getComputedStyle(element).top)
      const top = Math.max(bar, split.current?.getBoundingClientRect().top ?? 0)
      const height = Math.max(LEAST_HEIGHT, window.innerHeight - top - GAP)
      split.current?.style.setProperty('--pane-height', `${Math.round(height)}px`)
    }
    fit()
    window.addEventListener('scroll', fit, { passive: true })
    window.addEventListener('resize', fit)
    return () => {
      window.removeEventListener('scroll', fit)
      window.removeEventListener('resize', fit)
    }
  }, [isNarrow, split])
  if (isNarrow) return <Cover close={close}>{children}</Cover>
  return (
    <>
      <Separator split={split} />
      <section ref={pane} class={styles['pane']} aria-label="Log of a job">
        {children}
      </section>
    </>
  )
}

/** The pane over the whole window. The focus returns to where it was. */
function Cover({ close, children }: Omit<PaneProps, 'split'>) {
  const dialog = useModal({ preventScroll: true })
  return (
    <dialog
      ref={dialog}
      class={styles['cover']}
      aria-label="Log of a job"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      {children}
    </dialog>
  )
}

/** Between the jobs and the log: dragged by the pointer, moved by the arrow keys. */
function Separator({ split }: Pick<PaneProps, 'split'>) {
  const line = useRef<HTMLDivElement>(null)
  const width = useRef(readPreferences().logPaneWidth)
  // The jobs are not drawn again while it moves.
  const apply = (percent: number) => {
    width.current = Math.min(MAX_PERCENT, Math.max(LEAST_PERCENT, Math.round(percent)))
    split.current?.style.setProperty('--pane-width', `${width.current}%`)
    line.current?.setAttribute('aria-valuenow', String(width.current))
  }
  const keep = () => changePreferences({ logPaneWidth: width.current })
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: the width that the preferences have
  useLayoutEffect(() => apply(width.current), [])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = widthAfter(event.key, width.current)
    if (next === undefined) return
    event.preventDefault()
    apply(next)
    keep()
  }
  const onPointerMove = (event: PointerEvent) => {
    const box = split.current?.getBoundingClientRect()
    if (!box || !line.current?.hasPointerCapture(event.pointerId)) return
    apply(((box.right - event.clientX) / box.width) * 100)
  }
  return (
    <div
      ref={line}
      class={styles['separator']}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the log"
      aria-valuemin={LEAST_PERCENT}
      aria-valuemax={MAX_PERCENT}
      aria-valuenow={width.current}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={keep}
    />
  )
}

function widthAfter(key: string, width: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return width + STEP_PERCENT
    case 'ArrowRight':
      return width - STEP_PERCENT
    case 'Home':
      return MAX_PERCENT
    case 'End':
      return LEAST_PERCENT
    default:
      return undefined
  }
}

/** The code of logs is loaded when the first log is opened. */
function Content(props: Pick<LogSplitProps, 'project' | 'graph' | 'pane'>) {
  const module = useLoaded(() => import('./log-pane.js'))
  return module ? <module.LogPane {...props} /> : <Skeleton />
}
