import type { CoreV1Event, V1Pod, V1Secret } from '@kubernetes/client-node'

import { SwitchyardError } from '../../../../lib/errors.js'
import type { Shell, ShellRequest } from '../../executor.js'

/**
 * The API of a cluster, as far as jobs need it. Every call throws a `ClusterError`, also if the API server is away, does not respond
 * within 30 seconds, or if there are no credentials for it now. Calls are not repeated, except for the watches behind `follow` and
 * `followWarnings`, each of which is one connection for each namespace, whatever the number of pods. The times in objects are of the
 * type `Date`.
 */
export interface Cluster {
  /** The namespace of the credentials. */
  readonly defaultNamespace: string
  /** `signal`: ends the call. */
  version(signal?: AbortSignal): Promise<string>
  createPod(namespace: string, pod: V1Pod): Promise<V1Pod>
  /** Undefined if it does not exist. */
  readPod(namespace: string, name: string): Promise<V1Pod | undefined>
  /** Those of all namespaces if `namespace` is undefined, for which few credentials have the right. */
  listPods(namespace: string | undefined, labelSelector: string): Promise<V1Pod[]>
  /** Resolves when the API server has accepted the deletion, also if there is no such pod. With `uid`, deletes no other pod of the name. */
  deletePod(
    namespace: string,
    name: string,
    options: { uid?: string | undefined; graceSeconds?: number | undefined },
  ): Promise<void>
  /** It must be owned by a pod, with which the cluster deletes it. */
  createSecret(namespace: string, secret: V1Secret): Promise<V1Secret>
  /**
   * Calls the listener with the current state of a pod and with each later one, until the returned function is called or the pod is
   * deleted. A pod that does not exist counts as deleted, so it must be created before. The pod must have the labels of the watch.
   */
  follow(namespace: string, name: string, listener: PodListener): () => void
  /**
   * Calls the listener with each warning of the cluster about a pod that was just created, until the returned function is called. Begins
   * when the pod has waited for some seconds, and then includes those before. A warning may be repeated, with the same or a similar
   * sentence. Without the right to read events, it is never called, and the log of the runner says so once for each namespace. All pods of
   * a namespace that wait share one connection.
   */
  followWarnings(namespace: string, uid: string, listener: EventListener): () => void
  /** Runs a command in a container. `signal` ends the connection, and the command continues: Kubernetes does not end it. */
  exec(place: ContainerPlace, request: ShellRequest, signal: AbortSignal): Promise<ClusterShell>
  /** The output of a container until it ends or `signal` aborts, from its beginning or from a given second. */
  logs(place: ContainerPlace, signal: AbortSignal, since?: Date): Promise<AsyncIterable<Buffer>>
  /** Which of these rights the credentials lack. */
  missingRights(rights: readonly ApiRight[]): Promise<ApiRight[]>
  /** Resolves when the connection of a watch is cut or not established, after `close`, and when `signal` aborts. */
  disconnected(signal: AbortSignal): Promise<void>
  /** Ends all connections at once: calls, watches, logs and commands, of which those in containers continue. Later calls are refused. */
  close(): void
}

export interface ClusterShell extends Shell {
  /**
   * Whether the end of the input reaches the command: if the API server speaks the protocol v5 (Kubernetes 1.30 and later). With v4, its
   * input stays open.
   */
  readonly passesEndOfInput: boolean
}

/** Must not throw. */
export interface PodListener {
  /** Also called after a gap in the watch, with the state after it. */
  changed(pod: V1Pod): void
  /** The pod no longer exists. */
  deleted(): void
}

/** What is read of an event: other fields say who reports it, and when. */
export type PodEvent = Pick<CoreV1Event, 'metadata' | 'involvedObject' | 'reason' | 'message'>

/** Must not throw. */
export type EventListener = (event: PodEvent) => void

export interface ContainerPlace {
  namespace: string
  pod: string
  container: string
}

/** For example `{ namespace: 'ci', verb: 'create', resource: 'pods/exec' }`. */
export interface ApiRight {
  namespace: string
  verb: string
  resource: string
}

/** A call to the API of a cluster failed. */
export class ClusterError extends SwitchyardError {
  readonly name = 'ClusterError'
  readonly code = 'CLUSTER_FAILED'

  constructor(
    message: string,
    /** HTTP status of the response. Undefined if there was none. */
    readonly status: number | undefined,
    /** `reason` of the response, such as `Forbidden`. */
    readonly reason: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }

  /** Whether the API server did not respond, or could not for the time being. A later call may succeed. */
  get isAway(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500
  }
}
