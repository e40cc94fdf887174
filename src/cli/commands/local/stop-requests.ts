const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What a shell reports for a program that Ctrl-C ended. */
export const INTERRUPTED = 130

export interface StopRequests {
  /** Aborts with the first request: jobs are canceled, and clean up after themselves. */
  readonly cancel: AbortSignal
  /** Aborts with the second: jobs end at once. What was made for them is removed even so. */
  readonly shutdown: AbortSignal
  /** As a signal does. */
  request(): void
  /** Gives the signals back their usual meaning. */
  release(): void
}

/** Listens for what asks the program to stop. The third request ends it on the spot, whatever is left then. */
export function catchStops(say: (line: string) => void): StopRequests {
  const cancel = new AbortController()
  const shutdown = new AbortController()
  const request = () => {
    if (shutdown.signal.aborted) process.exit(INTERRUPTED)
    if (cancel.signal.aborted) {
      say('Stopping at once.')
      shutdown.abort('interrupt')
    } else {
      say('Canceling: jobs may clean up after themselves. Once more stops them at once.')
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
