import type { V1Pod } from '@kubernetes/client-node'

import type { ObjectList } from '../api/api-objects.js'
import type { ApiResource } from '../api/api-resource.js'
import type { ClusterTimes } from '../cluster-times.js'
import type { WatchEvent } from './watch-events.js'
import { watchObjects } from './watch-objects.js'

/** What a watch needs of the API of a namespace. All methods throw a `ClusterError`, or the reason of `signal`. */
export interface PodSource {
  list(signal: AbortSignal): Promise<ObjectList<V1Pod>>
  /** Undefined if the pod does not exist. */
  read(name: string, signal: AbortSignal): Promise<V1Pod | undefined>
  /** The events after a version, until the API server ends the watch. */
  watch(resourceVersion: string, signal: AbortSignal): AsyncIterable<WatchEvent<V1Pod>>
}

export interface PodSourceOptions {
  pods: ApiResource<V1Pod>
  namespace: string
  labelSelector: string
  times: Pick<ClusterTimes, 'watch' | 'watchSilence'>
}

/** The pods of a namespace that have the labels. */
export function podSource({ pods, namespace, labelSelector, times }: PodSourceOptions): PodSource {
  return {
    // Not from the cache of the API server, which could lack a pod that was just created.
    list: (signal) => pods.list(namespace, labelSelector, signal),
    read: (name, signal) => pods.find(namespace, name, signal),
    watch: (resourceVersion, signal) =>
      watchObjects(pods, { namespace, labelSelector }, { resourceVersion, times }, signal),
  }
}
