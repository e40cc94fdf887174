import { setMaxListeners } from 'node:events'

export interface LinkedSignal {
  readonly signal: AbortSignal
  /** Removes the listeners. The signal no longer follows the sources. */
  release(): void
}

/**
 * A signal that aborts when one of `sources` does, with its reason. For sources that live as long as the process:
 * `AbortSignal.any` leaks memory in them at every call (Node.js 20), and this one can be released.
 */
export function linkSignals(...sources: AbortSignal[]): LinkedSignal {
  const controller = new AbortController()
  const onAbort = (event: Event) => controller.abort((event.target as AbortSignal).reason)
  for (const source of sources) {
    // Many calls may be under way at once: Node.js would warn of a leak from the eleventh on.
    setMaxListeners(0, source)
    if (source.aborted) controller.abort(source.reason)
    else source.addEventListener('abort', onAbort, { once: true })
  }
  return {
    signal: controller.signal,
    release: () => sources.forEach((source) => source.removeEventListener('abort', onAbort)),
  }
}
