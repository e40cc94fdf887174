import { deferred } from '../lib/deferred.js'

export interface StopRequest {
  /** Resolves with the first signal. */
  promise: Promise<void>
  /** Aborts with the first signal. */
  signal: AbortSignal
  /** Restores the default handling of signals. */
  release(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const

/** Listens for the signals that ask a program to stop. The second one ends it at once, as by default. */
export function untilStopped(): StopRequest {
  const asked = deferred()
  const controller = new AbortController()
  const receive = (): void => {
    release()
    controller.abort()
    asked.resolve()
  }
  const release = (): void => {
    for (const signal of SIGNALS) process.off(signal, receive)
  }
  for (const signal of SIGNALS) process.on(signal, receive)
  return { promise: asked.promise, signal: controller.signal, release }
}
