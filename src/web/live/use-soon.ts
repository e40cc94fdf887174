import { useCallback, useEffect, useRef } from 'preact/hooks'

/** Changes within this time are read together, in milliseconds. */
const GATHERED = 400
/** Minimum time between two reads, in milliseconds: many changes are no reason for many requests. */
const SPACING = 2000

/** A function that calls `read` soon, once for all calls within a short time, and not more often than every 2 seconds. */
export function useSoon(read: () => void): () => void {
  const current = useRef(read)
  current.current = read
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const nextAt = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    timer.current ??= setTimeout(
      () => {
        timer.current = undefined
        nextAt.current = performance.now() + SPACING
        current.current()
      },
      Math.max(GATHERED, nextAt.current - performance.now()),
    )
  }, [])
}
