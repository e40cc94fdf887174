/** Waits `milliseconds`, or until `signal` aborts; never throws for the abort. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  // The timer of Node.js that takes a signal makes an error with a stack for each abort: many, where waits are cut short.
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

/** Spreads a waiting time over ±20 % so that many clients do not come back at the same moment. */
export function withJitter(milliseconds: number): number {
  return milliseconds * (0.8 + Math.random() * 0.4)
}
