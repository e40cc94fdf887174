import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'

import type { ClusterSettings } from '../../../src/runner/executor/kubernetes/settings.js'
import { onFinished } from '../lifetime.js'
import { readPath, respondWithObject, type SecretObject, selects, type ServerParts } from './api-routes.js'
import type { ContainerProcess } from './container-process.js'
import { type EventObject, EventRecorder } from './event-objects.js'
import { ExecSockets } from './exec-sockets.js'
import { Kubelet } from './kubelet.js'
import { serveLog } from './log-responses.js'
import { Misbehaviour } from './misbehaviour.js'
import { NodeFailures } from './node-failures.js'
import { ObjectStore } from './object-store.js'
import type { PodObject } from './pod-objects.js'
import { badRequest, notFound, refusal, RefusedRequest, unauthorized } from './statuses.js'
import { WatchResponses } from './watch-responses.js'

export interface ApiServerOptions {
  /** Undefined for HTTP. With `ca`, certificates of clients are accepted. */
  tls?: { cert: Buffer; key: Buffer; ca?: Buffer }
  /** Undefined if nobody needs one. */
  tokens?: Set<string>
  namespaces?: string[]
}

/**
 * A small API server of Kubernetes with one node, in this process, for tests of the logic of its clients. Containers are
 * processes of this machine, which see its files: the tests choose temporary folders for mount paths.
 *
 * What it cannot show:
 * - Isolation: images, file systems, users, process, network and mount namespaces, security contexts, limits of
 *   resources. Every container shares the machine with this process, and all pods have the address 127.0.0.1.
 *   The end of a container kills its processes, except for those that have left both its tree and its process group.
 * - Volumes: paths are used as they are, nothing is mounted, created or removed.
 * - Pulling: whether an image exists is what a test says. Image credentials are not read.
 * - Admission and defaults: what a real API server refuses in a pod (it checks names, fields and references), pod
 *   security standards, service accounts and their rights. Only rights that a test forbids are missing.
 * - Scheduling by node selectors, tolerations, affinity, priorities and requests; preemption; more than one node.
 * - Evictions, memory kills and lost nodes as they come about: a test says when they happen. Memory kills look like those
 *   of a cluster of version 1.21, evictions and lost nodes as the sources of Kubernetes write them.
 * - Repeated attempts to pull an image: there is one, and another when a test accepts the image.
 * - Restarts of containers, probes, lifecycle hooks, ephemeral containers; log rotation.
 * - The paths of exec and logs through a kubelet and a container runtime, with their buffers and their timeouts, and
 *   proxies between.
 * - Events: only those that a test records. API priority and fairness (429), conversion between versions.
 * - The speed of a cluster: pods start at once.
 */
export class ApiServer {
  readonly misbehaviour = new Misbehaviour()
  readonly pods = new ObjectStore<PodObject>('Pod', 'pods')
  readonly secrets = new ObjectStore<SecretObject>('Secret', 'secrets')
  readonly events = new ObjectStore<EventObject>('Event', 'events')
  readonly recorder = new EventRecorder(this.events)
  readonly kubelet = new Kubelet(this.pods, this.misbehaviour)
  readonly node = new NodeFailures(this.pods, this.kubelet)
  readonly watches = new WatchResponses()
  readonly execs = new ExecSockets()
  /** Requests so far, as `GET /version`. */
  readonly requests: string[] = []
  /** Those that are accepted. If there are none in the options, nobody needs one. */
  readonly tokens: Set<string>
  private readonly server: Server
  private readonly sockets = new Set<Socket>()
  private readonly parts: ServerParts
  private port = 0

  constructor(private readonly options: ApiServerOptions) {
    const { tls, namespaces = ['default', 'ci'], tokens = new Set() } = options
    this.tokens = tokens
    const handler = (request: IncomingMessage, response: ServerResponse) =>
      void this.respond(request, response)
    this.server = tls
      ? createHttpsServer({ ...tls, requestCert: true, rejectUnauthorized: false }, handler)
      : createHttpServer(handler)
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.upgrade(request, socket, head),
    )
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket)
      socket.once('close', () => this.sockets.delete(socket))
    })
    const { pods, secrets, events, kubelet, misbehaviour } = this
    const user = 'system:serviceaccount:ci:runner'
    this.parts = { pods, secrets, events, kubelet, misbehaviour, namespaces: new Set(namespaces), user }
  }

  get url(): string {
    return `${this.options.tls ? 'https' : 'http'}://127.0.0.1:${this.port}`
  }

  /** For a client without certificates. */
  get settings(): ClusterSettings {
    const [bearerToken] = this.tokens
    return { host: this.url, bearerToken }
  }

  async listen(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    this.port = (this.server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    this.goAway('refuses')
    this.execs.cut()
    await this.kubelet.close()
  }

  /** The API server is away until `comeBack`. Its node continues. All connections are cut, unless it `hangs`. */
  goAway(absence: 'refuses' | 'hangs'): void {
    this.misbehaviour.absence = absence
    if (absence === 'hangs') return
    this.server.close()
    this.cutConnections()
  }

  async comeBack(): Promise<void> {
    this.misbehaviour.absence = undefined
    if (!this.server.listening) await this.listen()
  }

  /** Of clients, whatever they are for. */
  get connections(): number {
    return this.sockets.size
  }

  cutConnections(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    this.requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (this.misbehaviour.absence === 'hangs') return
    try {
      this.authenticate(request)
      const place = readPath(url.pathname)
      if (place && url.searchParams.get('watch') === 'true') {
        this.checkRight({ ...place, verb: 'watch' })
        const { namespace, resource } = place
        const isSelected = selects(namespace, url)
        if (resource === 'pods') this.watches.serve(response, url, this.pods, isSelected)
        else if (resource === 'events') this.watches.serve(response, url, this.events, isSelected)
        else this.watches.serve(response, url, this.secrets, isSelected)
      } else if (place?.subresource === 'log') {
        this.checkRight({ ...place, verb: 'get' })
        serveLog(response, url, this.containerOf(url))
      } else {
        const { code, body } = await respondWithObject(this.parts, request, url)
        sendJson(response, code, body)
      }
    } catch (error) {
      const { status } =
        error instanceof RefusedRequest ? error : refusal(500, 'InternalError', String(error))
      sendJson(response, status.code, status)
    }
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', this.url)
    this.requests.push(`${request.method} ${url.pathname}${url.search}`)
    socket.on('error', () => socket.destroy())
    if (this.misbehaviour.absence === 'hangs') {
      // Otherwise the end of the client is not noticed.
      socket.resume().once('end', () => socket.destroy())
      return
    }
    try {
      this.authenticate(request)
      const place = readPath(url.pathname)
      if (place?.subresource !== 'exec') throw notFound('path', url.pathname)
      // Older servers check the right to get, newer ones that to create.
      for (const verb of ['get', 'create']) this.checkRight({ ...place, verb })
      this.execs.accept(request, socket, head, url, this.containerOf(url))
    } catch (error) {
      const { status } =
        error instanceof RefusedRequest ? error : refusal(500, 'InternalError', String(error))
      const body = JSON.stringify(status)
      const lines = [
        `HTTP/1.1 ${status.code} Refused`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
      ]
      socket.end(`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
    }
  }

  private authenticate({ headers, socket }: IncomingMessage): void {
    if (!this.options.tokens) return
    if (socket instanceof TLSSocket && hasCertificate(socket)) return
    const [, token = ''] = /^Bearer (.*)$/.exec(headers.authorization ?? '') ?? []
    if (!this.tokens.has(token)) throw unauthorized()
  }

  private checkRight({ namespace, resource, name, subresource, verb }: RightCheck): void {
    const full = subresource === undefined ? resource : `${resource}/${subresource}`
    this.misbehaviour.checkRight({ namespace, verb, resource: full }, name, this.parts.user)
  }

  /** The container of a request for its log or for a command in it. Throws as the API server refuses. */
  private containerOf(url: URL): ContainerProcess {
    const { namespace = '', name = '' } = readPath(url.pathname) ?? {}
    const pod = this.pods.get(namespace, name)
    const container = url.searchParams.get('container') ?? ''
    const specs = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])]
    if (!specs.some((each) => each.name === container)) {
      throw badRequest(`container ${container} is not valid for pod ${name}`)
    }
    if (pod.spec.nodeName === undefined) throw badRequest(`pod ${name} does not have a host assigned`)
    const process = this.kubelet.find(pod.metadata.uid, container)
    if (!process) {
      throw badRequest(`container "${container}" in pod "${name}" is waiting to start: ContainerCreating`)
    }
    return process
  }
}

/** A session that is continued counts as authorized, also without a certificate. */
function hasCertificate(socket: TLSSocket): boolean {
  return socket.authorized && Object.keys(socket.getPeerCertificate()).length > 0
}

type RightCheck = NonNullable<ReturnType<typeof readPath>> & { verb: string }

function sendJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Starts a server that is closed when the running test has finished. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = new ApiServer(options)
  await server.listen()
  onFinished(() => server.close())
  return server
}
