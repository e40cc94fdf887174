import { linesOf } from '../../../../../lib/lines-of.js'
import { linkSignals } from '../../../../../lib/link-signals.js'
import type { ApiClient, ApiRequest } from '../api/api-client.js'
import { networkError } from '../api/api-errors.js'
import { readWatchEvent, type WatchEvent } from './watch-events.js'

/** An object of Kubernetes has at most 1.5 MB where it is stored. */
const MAX_LINE = 16 * 1024 * 1024

export interface WatchRequest<T> extends ApiRequest {
  /** See `ClusterTimes.watchSilence`. */
  silence: number
  isObject: (value: unknown) => value is T
}

/** The events of a watch, until the API server ends it or its connection is too silent. Throws a `ClusterError`, or the reason of `signal`. */
export async function* watchStream<T>(
  client: ApiClient,
  { silence, isObject, ...request }: WatchRequest<T>,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>> {
  const tooSilent = new AbortController()
  const ends = linkSignals(signal, tooSilent.signal)
  const timer = setTimeout(() => tooSilent.abort(), silence)
  try {
    const body = await client.stream(request, ends.signal)
    for await (const line of linesOf(refreshing(timer, body), MAX_LINE))
      yield readWatchEvent(line, client.server, isObject)
  } catch (error) {
    signal.throwIfAborted()
    // The next attempt shows whether the API server is away.
    if (tooSilent.signal.aborted) return
    throw networkError(error, client.server)
  } finally {
    clearTimeout(timer)
    ends.release()
  }
}

/** Starts the timer again at each chunk. */
async function* refreshing(timer: NodeJS.Timeout, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    timer.refresh()
    yield chunk
  }
}
