import { SECOND } from '../../../../../lib/time-units.js'
import type { ApiResource, Selection } from '../api/api-resource.js'
import type { ClusterTimes } from '../cluster-times.js'
import type { WatchEvent } from './watch-events.js'
import { watchStream } from './watch-stream.js'

export interface WatchBegin {
  /** The version after which events are reported. */
  resourceVersion: string
  times: Pick<ClusterTimes, 'watch' | 'watchSilence'>
}

/** The changes of objects of a namespace, until the API server ends the watch. Throws a `ClusterError`, or the reason of `signal`. */
export function watchObjects<T>(
  resource: ApiResource<T>,
  { namespace, ...selection }: Selection & { namespace: string },
  { resourceVersion, times }: WatchBegin,
  signal: AbortSignal,
): AsyncIterable<WatchEvent<T>> {
  const query = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    ...selection,
    timeoutSeconds: String(Math.ceil(times.watch / SECOND)),
    resourceVersion,
  }
  const { client, kind } = resource
  const request = {
    method: 'GET',
    path: resource.pathOf(namespace),
    query,
    silence: times.watchSilence,
  } as const
  return watchStream(client, { ...request, isObject: kind.isObject }, signal)
}
