import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

import { classNames } from './class-names.js'
import { RowHeights } from './row-heights.js'
import {
  clampPosition,
  contentHeight,
  endInSight,
  isScaled,
  lastPosition,
  offsetOf,
  positionAt,
  positionOf,
  positionToShow,
  rowsToDraw,
  scrollTopFor,
} from './row-window.js'
import styles from './rows.module.css'

type Align = 'top' | 'middle' | 'bottom'

export interface RowsHandle {
  /** Scrolls until a row is at the top, in the middle or at the bottom. */
  scrollToRow: (index: number, align?: Align) => void
  /** The row at the top of the visible part, and the one at its bottom. */
  visible: () => { first: number; last: number }
  element: () => HTMLElement | null
}

interface RowsProps {
  count: number
  /** Height of each row, in pixels; the least one if `measuredBy` is set. */
  rowHeight: number
  /**
   * For rows of different heights: those that are drawn are measured, and the row at the top stays where it is. The rows
   * are measured again when this changes, and when the box is wider or narrower.
   */
  measuredBy?: string | undefined
  label: string
  role?: string
  /** Whether screen readers announce changes; undefined: as the role says. */
  announces?: boolean
  render: (index: number) => ComponentChildren
  /** Called with the rows that are drawn, the end not included, whenever they or the row at the top change. */
  onWindow?: (first: number, end: number) => void
  /** Called when the reader scrolls, not when the page does. */
  onScroll?: (isAtEnd: boolean) => void
  handle?: Ref<RowsHandle>
  class?: string | undefined
  /** Width of the content, for rows that scroll sideways. */
  contentWidth?: string | undefined
}

/**
 * A box that scrolls over any number of rows and draws only those in sight. Where all rows together are higher than a
 * browser can scroll, the thumb of the scroll bar moves in proportion, and wheel and keys move by rows.
 *
 * What is shown is known by the row at the top, never by the position of the scroll bar, which follows it.
 */
export function Rows({
  count,
  rowHeight,
  measuredBy,
  label,
  role,
  announces,
  render,
  onWindow,
  onScroll,
  handle,
  class: className,
  contentWidth,
}: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const [{ viewHeight, viewWidth }, setView] = useState({ viewHeight: 600, viewWidth: 0 })
  const [position, setPosition] = useState(0)
  const [, setMeasured] = useState(0)
  /** A position of the scroll bar that the page has set itself, whose event does not count as scrolling. */
  const ownScroll = useRef<number | undefined>(undefined)
  /** What the page has scrolled to last; heights that are measured afterwards do not move it out of sight. */
  const target = useRef<{ row: number; align: Align } | undefined>(undefined)
  const heights = useMemo(
    () => (measuredBy === undefined ? undefined : new RowHeights(rowHeight)),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- rows have other heights in another width
    [measuredBy, rowHeight, viewWidth],
  )
  const geometry = { count, rowHeight, viewHeight, heights }
  const current = useRef(geometry)
  current.current = geometry

  const moveTo = (wanted: number) => {
    const element = box.current
    const within = clampPosition(wanted, current.current)
    setPosition(within)
    positionRef.current = within
    if (!element) return
    const scrollTop = Math.round(scrollTopFor(within, current.current))
    if (Math.round(element.scrollTop) === scrollTop) return
    ownScroll.current = scrollTop
    element.scrollTop = scrollTop
  }

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () => setView({ viewHeight: element.clientHeight, viewWidth: element.clientWidth })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const onWheel = (event: WheelEvent) => {
      if (!isScaled(current.current) || event.deltaY === 0 || event.ctrlKey) return
      event.preventDefault()
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * rowHeight : event.deltaY
      scrollBy(pixels)
    }
    // Not passive: a wheel that moves by rows must not scroll the box as well.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  })

  const positionRef = useRef(position)
  positionRef.current = position
  /** Moves as the reader asks for. */
  const scrollBy = (pixels: number) => {
    const next = positionOf(offsetOf(positionRef.current, current.current) + pixels, current.current)
    target.current = undefined
    moveTo(next)
    report(clampPosition(next, current.current))
  }
  const report = (at: number) => {
    const { heights: known, viewHeight: height } = current.current
    const isAtEnd = known
      ? at >= lastPosition(current.current) - 0.1
      : at + height / rowHeight >= current.current.count - 1
    onScroll?.(isAtEnd)
  }
  const onScrolled = () => {
    const element = box.current
    if (!element) return
    if (ownScroll.current !== undefined && Math.abs(element.scrollTop - ownScroll.current) <= 1) {
      ownScroll.current = undefined
      return
    }
    ownScroll.current = undefined
    target.current = undefined
    const at = positionAt(element.scrollTop, current.current)
    setPosition(at)
    report(at)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isScaled(geometry)) return
    const page = viewHeight - rowHeight
    const step = {
      ArrowDown: rowHeight,
      ArrowUp: -rowHeight,
      PageDown: page,
      PageUp: -page,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    }[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (Number.isFinite(step)) scrollBy(step)
    else {
      target.current = step > 0 ? { row: count - 1, align: 'bottom' } : undefined
      moveTo(step > 0 ? lastPosition(geometry) : 0)
      report(positionRef.current)
    }
  }

  useImperativeHandle(handle ?? null, () => ({
    scrollToRow: (index, align = 'top') => {
      const row = Math.max(0, Math.min(index, current.current.count - 1))
      target.current = { row, align }
      moveTo(positionToShow(row, align, current.current))
    },
    visible: () => {
      const first = Math.floor(positionRef.current)
      return { first, last: Math.max(first, endInSight(positionRef.current, current.current) - 1) }
    },
    element: () => box.current,
  }))

  const scrollTop = box.current?.scrollTop ?? 0
  const shown = clampPosition(position, geometry)
  const { first, end, top } = rowsToDraw(shown, scrollTop, geometry)
  const firstInSight = Math.floor(shown)
  useEffect(() => onWindow?.(first, end), [first, end, firstInSight, onWindow])

  const drawn = useRef<HTMLDivElement>(null)
  const isMoved = useRef(false)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- any render may change heights; it ends when none has changed
  useLayoutEffect(() => {
    if (!heights || !drawn.current) return
    let hasChanged = false
    for (const [index, row] of [...drawn.current.children].entries())
      if (row instanceof HTMLElement) hasChanged = heights.set(first + index, row.offsetHeight) || hasChanged
    if (!hasChanged) {
      // Now that the content has its new height, the scroll bar can follow.
      if (isMoved.current) moveTo(positionRef.current)
      isMoved.current = false
      return
    }
    const { current: wanted } = target
    if (wanted) setPosition(positionToShow(wanted.row, wanted.align, geometry))
    isMoved.current = true
    setMeasured((times) => times + 1)
  })

  const rows = []
  for (let index = first; index < end; index += 1) rows.push(render(index))
  return (
    <div
      ref={box}
      class={classNames(styles['rows'], heights && styles['measured'], className)}
      onScroll={onScrolled}
      onKeyDown={onKeyDown}
      role={(role ?? 'region') as 'region'}
      aria-label={label}
      aria-live={announces === false ? 'off' : undefined}
      tabIndex={0}
    >
      <div
        class={styles['content']}
        style={{ height: `${contentHeight(geometry)}px`, width: contentWidth ?? '100%' }}
      >
        <div ref={drawn} class={styles['window']} style={{ transform: `translateY(${top}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  )
}
