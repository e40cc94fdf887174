import { useEffect, useState } from 'preact/hooks'

/** Milliseconds to wait where a refusal does not say how long. */
const USUAL_WAIT = 10_000

/** Reads that the server has refused because of too many requests, with the time of their next attempt. */
const waits = new Map<object, number>()
const listeners = new Set<() => void>()

/**
 * Resolves when a refused read may be sent again.
 * @param read identifies the read until `endWait`
 * @param retryAfter in seconds, from the header `Retry-After`
 * @throws what the signal was aborted with
 */
export async function waitToRead(
  read: object,
  retryAfter: number | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const milliseconds = retryAfter === undefined ? USUAL_WAIT : retryAfter * 1000
  waits.set(read, Date.now() + milliseconds)
  report()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The read has been served, or is not wanted any more. */
export function endWait(read: object): void {
  if (waits.delete(read)) report()
}

function report(): void {
  for (const listener of listeners) listener()
}

/** When the last of the reads that wait is sent again, in milliseconds since 1970; undefined if none waits. */
export function useWaitingUntil(): number | undefined {
  const [until, setUntil] = useState(waitingUntil)
  useEffect(() => {
    const listener = () => setUntil(waitingUntil())
    listeners.add(listener)
    listener()
    return () => void listeners.delete(listener)
  }, [])
  return until
}

function waitingUntil(): number | undefined {
  return waits.size === 0 ? undefined : Math.max(...waits.values())
}
