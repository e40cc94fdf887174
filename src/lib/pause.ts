/** Waits `milliseconds`, or until `signal` aborts. Does not throw when it aborts. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  // The timer of Node.js with a signal creates an error with a stack for each abort, which is costly if many waits
  // are aborted.
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** Varies a delay by ±20 %, so that many clients do not return at the same moment. */
export function withJitter(milliseconds: number): number {
  return milliseconds * (0.8 + Math.random() * 0.4)
}
