import type { V1Pod, V1Secret } from '@kubernetes/client-node'

import { isRecord } from '../../../../lib/is-record.js'
import type { Logger } from '../../../../lib/logger.js'
import type { ShellRequest } from '../../executor.js'
import { hasRight } from './access-review.js'
import { ApiClient, type ApiRequest } from './api/api-client.js'
import { networkError, unexpectedResponse } from './api/api-errors.js'
import { isPod, isPodEvent, isSecret } from './api/api-objects.js'
import { ApiResource, type DeleteOptions } from './api/api-resource.js'
import type { ClusterTimes } from './cluster-times.js'
import type {
  ApiRight,
  Cluster,
  ClusterShell,
  ContainerPlace,
  EventListener,
  PodEvent,
  PodListener,
} from './cluster.js'
import type { Credentials } from './credentials/credentials.js'
import { dialExec } from './exec/dial-exec.js'
import { ExecShell } from './exec/exec-shell.js'
import { EventWatch } from './watch/event-watch.js'
import { podSource } from './watch/pod-source.js'
import { PodWatch } from './watch/pod-watch.js'

export interface ApiClusterOptions {
  credentials: Credentials
  /** Which pods the watches are about. */
  labelSelector: string
  logger: Logger
  times: ClusterTimes
}

/** A cluster by the API of its server. */
export class ApiCluster implements Cluster {
  private readonly client: ApiClient
  private readonly pods: ApiResource<V1Pod>
  private readonly secrets: ApiResource<V1Secret>
  private readonly events: ApiResource<PodEvent>
  private readonly watches = new Map<string, PodWatch>()
  private readonly eventWatches = new Map<string, EventWatch>()
  private readonly cutListeners = new Set<() => void>()

  constructor(private readonly options: ApiClusterOptions) {
    const { credentials, times } = options
    this.client = new ApiClient({ credentials, timeout: times.call })
    this.pods = new ApiResource(this.client, { kind: 'Pod', resource: 'pods', isObject: isPod })
    this.secrets = new ApiResource(this.client, { kind: 'Secret', resource: 'secrets', isObject: isSecret })
    this.events = new ApiResource(this.client, { kind: 'Event', resource: 'events', isObject: isPodEvent })
  }

  get defaultNamespace(): string {
    return this.options.credentials.namespace
  }

  async version(signal?: AbortSignal): Promise<string> {
    const version = await this.client.call({ method: 'GET', path: '/version' }, signal)
    if (isRecord(version) && typeof version['gitVersion'] === 'string') return version['gitVersion']
    throw unexpectedResponse(this.client.server)
  }

  async createPod(namespace: string, { metadata, spec }: V1Pod): Promise<V1Pod> {
    return await this.pods.create(namespace, { metadata, spec })
  }

  async readPod(namespace: string, name: string): Promise<V1Pod | undefined> {
    return await this.pods.find(namespace, name)
  }

  async listPods(namespace: string | undefined, labelSelector: string): Promise<V1Pod[]> {
    return (await this.pods.list(namespace, labelSelector)).items
  }

  async deletePod(namespace: string, name: string, options: DeleteOptions): Promise<void> {
    await this.pods.remove(namespace, name, options)
  }

  async createSecret(namespace: string, { metadata, type, data, stringData }: V1Secret): Promise<V1Secret> {
    return await this.secrets.create(namespace, { metadata, type, data, stringData })
  }

  follow(namespace: string, name: string, listener: PodListener): () => void {
    return this.watchOf(namespace).follow(name, listener)
  }

  followWarnings(namespace: string, uid: string, listener: EventListener): () => void {
    return this.eventWatchOf(namespace).follow(uid, listener)
  }

  async exec(place: ContainerPlace, request: ShellRequest, signal: AbortSignal): Promise<ClusterShell> {
    const path = this.pods.pathOf(place.namespace, place.pod, 'exec')
    const socket = await dialExec(this.client, { path, container: place.container, ...request }, signal)
    const shell = new ExecShell({
      socket,
      place: `the container "${place.container}" of the pod "${place.pod}"`,
      server: this.client.server,
      heartbeat: this.options.times.heartbeat,
      signal,
    })
    if (request.size) await shell.resize(request.size)
    return shell
  }

  async logs(
    { namespace, pod, container }: ContainerPlace,
    signal: AbortSignal,
    since?: Date,
  ): Promise<AsyncIterable<Buffer>> {
    const path = this.pods.pathOf(namespace, pod, 'log')
    // The API server refuses fractions of seconds in some versions.
    const sinceTime = since && `${since.toISOString().slice(0, 19)}Z`
    const request: ApiRequest = { method: 'GET', path, query: { container, follow: 'true', sinceTime } }
    return bodyOf(await this.client.stream(request, signal), this.client.server, signal)
  }

  async missingRights(rights: readonly ApiRight[]): Promise<ApiRight[]> {
    const have = await Promise.all(rights.map((right) => hasRight(this.client, right)))
    return rights.filter((_, index) => !have[index])
  }

  async disconnected(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.client.closed.aborted) return
    await new Promise<void>((resolve) => {
      const end = () => {
        this.cutListeners.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      this.cutListeners.add(end)
      signal.addEventListener('abort', end)
    })
  }

  close(): void {
    for (const watch of [...this.watches.values(), ...this.eventWatches.values()]) watch.close()
    this.client.close()
    for (const listener of [...this.cutListeners]) listener()
  }

  private watchOf(namespace: string): PodWatch {
    const known = this.watches.get(namespace)
    if (known) return known
    const { pods } = this
    const { labelSelector, logger, times } = this.options
    const source = podSource({ pods, namespace, labelSelector, times })
    const cut = () => [...this.cutListeners].forEach((listener) => listener())
    const watch = new PodWatch(namespace, source, { firstPause: times.watchPause, cut, logger })
    this.watches.set(namespace, watch)
    return watch
  }

  private eventWatchOf(namespace: string): EventWatch {
    const known = this.eventWatches.get(namespace)
    if (known) return known
    const { logger, times } = this.options
    const watch = new EventWatch({ events: this.events, namespace, times, logger })
    this.eventWatches.set(namespace, watch)
    return watch
  }
}

/** Ends when `signal` aborts. */
async function* bodyOf(
  body: AsyncIterable<Buffer>,
  server: URL,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    if (!signal.aborted) throw networkError(error, server)
  }
}
