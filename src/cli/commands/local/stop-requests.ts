import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export interface StopRequests {
  /** Aborts with the first request: jobs are canceled, and clean up. */
  readonly cancel: AbortSignal
  /** Aborts with the second request: jobs end at once. Their containers are removed nevertheless. */
  readonly shutdown: AbortSignal
  /** Has the same effect as a signal. */
  request(): void
  /** Restores the default handling of signals. */
  release(): void
}

/** Listens for requests to stop the program. The third request ends it immediately, without any cleanup. */
export function catchStops(say: (line: string) => void): StopRequests {
  const cancel = new AbortController()
  const shutdown = new AbortController()
  const request = () => {
    if (shutdown.signal.aborted) process.exit(EXIT_CODES.interrupted.code)
    if (cancel.signal.aborted) {
      say('Stopping at once.')
      shutdown.abort('interrupt')
    } else {
      say('Canceling: jobs may clean up. Repeat to stop them at once.')
      cancel.abort()
    }
  }
  for (const signal of SIGNALS) process.on(signal, request)
  return {
    cancel: cancel.signal,
    shutdown: shutdown.signal,
    request,
    release: () => SIGNALS.forEach((signal) => process.off(signal, request)),
  }
}
