import type { V1Pod, V1Secret } from '@kubernetes/client-node'

import { isRecord } from '../../../../lib/is-record.js'
import type { Logger } from '../../../../lib/logger.js'
import { MINUTE, SECOND } from '../../../../lib/time-units.js'
import type { Shell, ShellRequest } from '../../executor.js'
import { ApiClient, type ApiRequest } from './api/api-client.js'
import { networkError } from './api/api-errors.js'
import { isPod, isSecret, type ObjectList, readList } from './api/api-objects.js'
import {
  type ApiRight,
  type Cluster,
  ClusterError,
  type ContainerPlace,
  type PodListener,
} from './cluster.js'
import type { Credentials } from './credentials/credentials.js'
import { dialExec } from './exec/dial-exec.js'
import { ExecShell } from './exec/exec-shell.js'
import { HEARTBEAT, type HeartbeatTimes } from './exec/heartbeat.js'
import { PodWatch } from './watch/pod-watch.js'
import { watchStream } from './watch/watch-stream.js'

const NOT_FOUND = 404
const CONFLICT = 409

/** Milliseconds. */
export interface ClusterTimes {
  /** Until the response of a call. */
  call: number
  /** After which the API server ends a watch. */
  watch: number
  /** See `WatchRequest`. */
  watchSilence: number
  heartbeat: HeartbeatTimes
}

export const CLUSTER_TIMES: ClusterTimes = {
  call: 30 * SECOND,
  watch: 8 * MINUTE,
  watchSilence: 2.5 * MINUTE,
  heartbeat: HEARTBEAT,
}

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
  private readonly watches = new Map<string, PodWatch>()
  private readonly cutListeners = new Set<() => void>()

  constructor(private readonly options: ApiClusterOptions) {
    const { credentials, times } = options
    this.client = new ApiClient({ credentials, timeout: times.call })
  }

  get defaultNamespace(): string {
    return this.options.credentials.namespace
  }

  async version(signal?: AbortSignal): Promise<string> {
    const version = await this.client.call({ method: 'GET', path: '/version' }, signal)
    if (isRecord(version) && typeof version['gitVersion'] === 'string') return version['gitVersion']
    throw this.unexpected()
  }

  async createPod(namespace: string, pod: V1Pod): Promise<V1Pod> {
    const body = { apiVersion: 'v1', kind: 'Pod', ...pod }
    return this.checked(
      await this.client.call({ method: 'POST', path: pathOf(namespace, 'pods'), body }),
      isPod,
    )
  }

  async readPod(namespace: string, name: string): Promise<V1Pod | undefined> {
    return await this.findPod(namespace, name)
  }

  async listPods(namespace: string | undefined, labelSelector: string): Promise<V1Pod[]> {
    return (await this.list(namespace, 'pods', labelSelector, isPod)).items
  }

  async deletePod(
    namespace: string,
    name: string,
    { uid, graceSeconds }: { uid?: string | undefined; graceSeconds?: number | undefined },
  ): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
      ...(uid !== undefined && { preconditions: { uid } }),
    }
    // With another uid, the pod that was meant is gone.
    await this.deleteUnless([NOT_FOUND, CONFLICT], {
      method: 'DELETE',
      path: pathOf(namespace, 'pods', name),
      body,
    })
  }

  async createSecret(namespace: string, secret: V1Secret): Promise<V1Secret> {
    const body = { apiVersion: 'v1', kind: 'Secret', ...secret }
    const path = pathOf(namespace, 'secrets')
    return this.checked(await this.client.call({ method: 'POST', path, body }), isSecret)
  }

  async listSecrets(namespace: string, labelSelector: string): Promise<V1Secret[]> {
    return (await this.list(namespace, 'secrets', labelSelector, isSecret)).items
  }

  async deleteSecret(namespace: string, name: string): Promise<void> {
    await this.deleteUnless([NOT_FOUND], { method: 'DELETE', path: pathOf(namespace, 'secrets', name) })
  }

  follow(namespace: string, name: string, listener: PodListener): () => void {
    return this.watchOf(namespace).follow(name, listener)
  }

  async exec(place: ContainerPlace, request: ShellRequest, signal: AbortSignal): Promise<Shell> {
    const socket = await dialExec(this.client, place, request, signal)
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
    const path = `${pathOf(namespace, 'pods', pod)}/log`
    const sinceTime = since && `${since.toISOString().slice(0, 19)}Z`
    const query = { container, follow: 'true', ...(sinceTime && { sinceTime }) }
    const request: ApiRequest = { method: 'GET', path, query }
    return bodyOf(await this.client.stream(request, signal), this.client.server, signal)
  }

  async missingRights(rights: readonly ApiRight[]): Promise<ApiRight[]> {
    const have = await Promise.all(rights.map((right) => this.hasRight(right)))
    return rights.filter((_, index) => !have[index])
  }

  async disconnected(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
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
    for (const watch of this.watches.values()) watch.close()
    this.client.close()
  }

  private async hasRight({ namespace, verb, resource: named }: ApiRight): Promise<boolean> {
    const [resource, subresource] = named.split('/')
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { namespace, verb, resource, ...(subresource && { subresource }) } },
    }
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    const review = await this.client.call({ method: 'POST', path, body })
    const status = isRecord(review) ? review['status'] : undefined
    if (isRecord(status) && typeof status['allowed'] === 'boolean') return status['allowed']
    throw this.unexpected()
  }

  private watchOf(namespace: string): PodWatch {
    const known = this.watches.get(namespace)
    if (known) return known
    const { labelSelector, logger, times } = this.options
    const source = {
      list: (signal: AbortSignal) => this.list(namespace, 'pods', labelSelector, isPod, signal),
      read: (name: string, signal: AbortSignal) => this.findPod(namespace, name, signal),
      watch: (resourceVersion: string, signal: AbortSignal) => {
        const query = {
          watch: 'true',
          allowWatchBookmarks: 'true',
          labelSelector,
          resourceVersion,
          timeoutSeconds: String(Math.ceil(times.watch / SECOND)),
        }
        const path = pathOf(namespace, 'pods')
        return watchStream(this.client, { method: 'GET', path, query, silence: times.watchSilence }, signal)
      },
    }
    const watch = new PodWatch(namespace, source, { cut: () => this.reportCut(), logger })
    this.watches.set(namespace, watch)
    return watch
  }

  private reportCut(): void {
    for (const listener of [...this.cutListeners]) listener()
  }

  private async findPod(namespace: string, name: string, signal?: AbortSignal): Promise<V1Pod | undefined> {
    try {
      return this.checked(
        await this.client.call({ method: 'GET', path: pathOf(namespace, 'pods', name) }, signal),
        isPod,
      )
    } catch (error) {
      if (hasStatus(error, [NOT_FOUND])) return undefined
      throw error
    }
  }

  private async list<T>(
    namespace: string | undefined,
    resource: string,
    labelSelector: string,
    isItem: (item: unknown) => item is T,
    signal?: AbortSignal,
  ): Promise<ObjectList<T>> {
    const path = pathOf(namespace, resource)
    const list = readList(
      await this.client.call({ method: 'GET', path, query: { labelSelector } }, signal),
      isItem,
    )
    if (!list) throw this.unexpected()
    return list
  }

  private async deleteUnless(goneStatuses: number[], request: ApiRequest): Promise<void> {
    try {
      await this.client.call(request)
    } catch (error) {
      if (!hasStatus(error, goneStatuses)) throw error
    }
  }

  private checked<T>(value: unknown, isExpected: (value: unknown) => value is T): T {
    if (isExpected(value)) return value
    throw this.unexpected()
  }

  private unexpected(): ClusterError {
    return new ClusterError(
      `The server at ${this.client.server.origin} sent what no API server of Kubernetes sends: check its address`,
      undefined,
      undefined,
    )
  }
}

function pathOf(namespace: string | undefined, resource: string, name?: string): string {
  const scope = namespace === undefined ? [] : ['namespaces', encodeURIComponent(namespace)]
  const parts = ['/api/v1', ...scope, resource]
  return [...parts, ...(name === undefined ? [] : [encodeURIComponent(name)])].join('/')
}

function hasStatus(error: unknown, statuses: number[]): boolean {
  return error instanceof ClusterError && error.status !== undefined && statuses.includes(error.status)
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
