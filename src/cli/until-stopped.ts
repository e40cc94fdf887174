import { deferred } from '../lib/deferred.js'

export interface StopRequest {
  /** Resolves with the first signal. */
  promise: Promise<void>
  /** Aborts with it. */
  signal: AbortSignal
  /** Gives the signals back their usual meaning. */
  release(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const

/** Listens for the signals that ask a program to stop; the second one ends it at once, as it would any other. */
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
