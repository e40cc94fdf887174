export interface LinkedSignal {
  readonly signal: AbortSignal
  /** Lets the sources go; the signal does not follow them any more. */
  release(): void
}

/**
 * A signal that aborts when one of `sources` does, with its reason. For sources that live as long as the process:
 * `AbortSignal.any` leaves something behind in them at every call (Node.js 20), this is let go with `release`.
 */
export function linkSignals(...sources: AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  const onAbort = (event: Event) => controller.abort((event.target as AbortSignal).reason)
  for (const source of sources) {
    if (source.aborted) controller.abort(source.reason)
    else source.addEventListener('abort', onAbort, { once: true })
  }
  return {
    signal: controller.signal,
    release: () => sources.forEach((source) => source.removeEventListener('abort', onAbort)),
  }
}
