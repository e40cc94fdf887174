import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

/**
 * The present time in milliseconds, which changes every second while `isTicking`. One timer serves all components of the
 * page, and none runs while the page is hidden.
 */
export function useNow(isTicking = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isTicking) return undefined
    setNow(Date.now())
    listeners.add(setNow)
    timer ??= setInterval(tick, 1000)
    return () => {
      listeners.delete(setNow)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [isTicking])
  return now
}

function tick(): void {
  if (document.hidden) return
  const now = Date.now()
  for (const listener of listeners) listener(now)
}
