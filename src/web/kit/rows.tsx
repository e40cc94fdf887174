import type { ComponentChildren, Ref } from 'preact'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'preact/hooks'

import { classNames } from './class-names.js'
import { clampPosition, contentHeight, isScaled, positionAt, rowsToDraw, scrollTopFor } from './row-window.js'
import styles from './rows.module.css'

export interface RowsHandle {
  /** Scrolls until a row is at the top, in the middle or at the bottom. */
  scrollToRow: (index: number, align?: 'top' | 'middle' | 'bottom') => void
  /** The row at the top of the visible part, and the one at its bottom. */
  visible: () => { first: number; last: number }
  element: () => HTMLElement | null
}

interface RowsProps {
  count: number
  /** Height of each row, in pixels. */
  rowHeight: number
  label: string
  role?: string
  render: (index: number) => ComponentChildren
  /** Called with the rows that are drawn, the end not included, whenever they change. */
  onWindow?: (first: number, end: number) => void
  /** Called when the reader scrolls, not when the page does. */
  onScroll?: (isAtEnd: boolean) => void
  handle?: Ref<RowsHandle>
  class?: string | undefined
  /** Width of the content, for rows that scroll sideways. */
  contentWidth?: string
}

/**
 * A box that scrolls over any number of rows and draws only those in sight. Where all rows together are higher than a
 * browser can scroll, the thumb of the scroll bar moves in proportion, and wheel and keys move by rows.
 */
export function Rows({
  count,
  rowHeight,
  label,
  role,
  render,
  onWindow,
  onScroll,
  handle,
  class: className,
  contentWidth,
}: RowsProps) {
  const box = useRef<HTMLDivElement>(null)
  const [viewHeight, setViewHeight] = useState(600)
  const [position, setPosition] = useState(0)
  /** A position of the scroll bar that the page has set itself, whose event does not count as scrolling. */
  const ownScroll = useRef<number | undefined>(undefined)
  const geometry = { count, rowHeight, viewHeight }
  const current = useRef(geometry)
  current.current = geometry

  const moveTo = (target: number) => {
    const element = box.current
    const within = clampPosition(target, current.current)
    setPosition(within)
    if (!element) return
    const scrollTop = Math.round(scrollTopFor(within, current.current))
    if (Math.round(element.scrollTop) === scrollTop) return
    ownScroll.current = scrollTop
    element.scrollTop = scrollTop
  }

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () => setViewHeight(element.clientHeight)
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
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY : event.deltaY / rowHeight
      const next = clampPosition(positionNow() + lines, current.current)
      moveTo(next)
      report(next)
    }
    // Not passive: a wheel that moves by rows must not scroll the box as well.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  })

  const positionRef = useRef(position)
  positionRef.current = position
  const positionNow = () => positionRef.current
  const report = (at: number) => {
    const { count: rows, viewHeight: height } = current.current
    onScroll?.(at + height / rowHeight >= rows - 1)
  }
  const onScrolled = () => {
    const element = box.current
    if (!element) return
    if (ownScroll.current !== undefined && Math.abs(element.scrollTop - ownScroll.current) <= 1) {
      ownScroll.current = undefined
      return
    }
    ownScroll.current = undefined
    const at = positionAt(element.scrollTop, current.current)
    setPosition(at)
    report(at)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isScaled(geometry)) return
    const pageRows = viewHeight / rowHeight - 1
    const step = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: pageRows,
      PageUp: -pageRows,
      Home: -count,
      End: count,
    }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = clampPosition(position + step, geometry)
    moveTo(next)
    report(next)
  }

  useImperativeHandle(handle ?? null, () => ({
    scrollToRow: (index, align = 'top') => {
      const rows = current.current.viewHeight / rowHeight
      const offset = { top: 0, middle: (rows - 1) / 2, bottom: rows - 1 }[align]
      moveTo(index - offset)
    },
    visible: () => {
      const first = Math.floor(positionRef.current)
      const last = Math.min(
        current.current.count,
        Math.ceil(positionRef.current + current.current.viewHeight / rowHeight),
      )
      return { first, last: Math.max(first, last - 1) }
    },
    element: () => box.current,
  }))

  const scrollTop = box.current?.scrollTop ?? 0
  const { first, end, top } = rowsToDraw(clampPosition(position, geometry), scrollTop, geometry)
  useEffect(() => onWindow?.(first, end), [first, end, onWindow])
  const rows = []
  for (let index = first; index < end; index += 1) rows.push(render(index))
  return (
    <div
      ref={box}
      class={classNames(styles['rows'], className)}
      onScroll={onScrolled}
      onKeyDown={onKeyDown}
      role={(role ?? 'region') as 'region'}
      aria-label={label}
      tabIndex={0}
    >
      <div
        class={styles['content']}
        style={{ height: `${contentHeight(geometry)}px`, width: contentWidth ?? '100%' }}
      >
        <div class={styles['window']} style={{ transform: `translateY(${top}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  )
}
