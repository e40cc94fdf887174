import { useRef } from 'preact/hooks'

/** A pointer that moves less than this, in pixels, clicks. */
const LEAST_PIXELS = 5

/**
 * Selects a range of a time axis by dragging over it, or over the bars below it. Touches scroll instead.
 * @param onSelect with the begin and the end of the range, as parts of the axis from 0 to 1
 * @returns handlers for the element around the axis (`[data-axis]`), and the element that marks the range
 */
export function useDraggedRange(onSelect: (from: number, to: number) => void) {
  const mark = useRef<HTMLDivElement>(null)
  const drag = useRef<{ pointer: number; left: number; width: number; start: number } | undefined>(undefined)

  /** The range up to a position of the pointer, in pixels from the begin of the axis. */
  const rangeTo = (clientX: number) => {
    const { left, width, start } = drag.current ?? { left: 0, width: 1, start: 0 }
    const position = Math.min(width, Math.max(0, clientX - left))
    return { from: Math.min(start, position), to: Math.max(start, position), width }
  }
  const onPointerDown = (event: PointerEvent) => {
    const axis =
      event.currentTarget instanceof Element ? event.currentTarget.querySelector('[data-axis]') : null
    const { left, width } = axis?.getBoundingClientRect() ?? new DOMRect()
    const isOnName = event.target instanceof Element && event.target.closest('a, button')
    if (event.button !== 0 || event.pointerType === 'touch' || isOnName || event.clientX < left) return
    drag.current = { pointer: event.pointerId, left, width, start: event.clientX - left }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current?.pointer !== event.pointerId || !mark.current) return
    const { from, to } = rangeTo(event.clientX)
    if (mark.current.hidden) {
      if (to - from < LEAST_PIXELS) return
      // Captured only now, so that a click still reaches the bar below it.
      if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId)
      mark.current.hidden = false
    }
    mark.current.style.setProperty('--from', `${from}px`)
    mark.current.style.setProperty('--range', `${to - from}px`)
  }
  const end = () => {
    drag.current = undefined
    if (mark.current) mark.current.hidden = true
  }
  const onPointerUp = (event: PointerEvent) => {
    if (drag.current?.pointer !== event.pointerId) return
    const { from, to, width } = rangeTo(event.clientX)
    const isRange = mark.current?.hidden === false && to - from >= LEAST_PIXELS
    end()
    if (isRange) onSelect(from / width, to / width)
  }
  return { mark, handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: end } }
}
