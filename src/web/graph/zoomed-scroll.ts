import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

export interface GraphZoom {
  /** Size of the graph; 1 is its own. */
  scale: number
  isFit: boolean
  /** Makes it larger (1) or smaller (−1) by one step. */
  step: (direction: 1 | -1) => void
  fit: () => void
  reset: () => void
  /** Receives the widths of the box and of the graph at scale 1, in pixels. */
  measure: (box: number, graph: number) => void
}

/**
 * The box in which a graph scrolls: follows `Ctrl` with the wheel, and keeps its middle where it is while the scale changes.
 * @param width of the graph at scale 1, in pixels; undefined if it is as wide as the box
 */
export function useZoomedScroll(zoom: GraphZoom | undefined, width: number | undefined) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef(zoom)
  latest.current = zoom
  const scale = zoom?.scale ?? 1
  const before = useRef(scale)
  useLayoutEffect(() => {
    const element = box.current
    if (!element || before.current === scale) return
    const middle = element.clientWidth / 2
    element.scrollLeft = ((element.scrollLeft + middle) * scale) / before.current - middle
    before.current = scale
  }, [scale])
  const isFit = zoom?.isFit === true
  useLayoutEffect(() => {
    const element = box.current
    if (!element || !isFit) return undefined
    const measure = () => latest.current?.measure(element.clientWidth, width ?? element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [isFit, width])
  useEffect(() => {
    const element = box.current
    const onWheel = (event: WheelEvent) => {
      if (!latest.current || !event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      latest.current.step(event.deltaY < 0 ? 1 : -1)
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [])
  return box
}
