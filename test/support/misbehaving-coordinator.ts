import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { JobPayload } from '../../src/protocol/job-payload.js'
import type { JobUpdate } from '../../src/protocol/job-update.js'
import { SERVER_HOST } from './server-host.js'

export type Route =
  | 'register'
  | 'verify'
  | 'remove'
  | 'reset'
  | 'request'
  | 'update'
  | 'trace'
  | 'signals'
  | 'upload'
  | 'download'
  | 'release'

/**
 * A fault in place of the correct response. `cut` closes the connection before the call is handled, `done-then-cut`
 * after it.
 */
export type Misbehaviour =
  | 'cut'
  | 'done-then-cut'
  | { status: number; headers?: Record<string, string>; body?: string }

export interface RecordedCall {
  route: Route
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

interface Planned {
  route: Route
  what: Misbehaviour
}

/** A real HTTP server that follows the protocol, except where a test asks for a violation. */
export class MisbehavingCoordinator {
  readonly calls: RecordedCall[] = []
  readonly traces = new Map<number, Buffer>()
  readonly updates: { id: number; update: JobUpdate }[] = []
  /** Archives by job id, for downloads. */
  readonly artifacts = new Map<number, Buffer>()
  /** `Job-Status` by job id. */
  readonly jobStatus = new Map<number, string>()
  /** Responses to held signal requests by job ID; other calls return `jobStatus`. */
  private readonly signaled = new Map<number, string>()
  /** Seconds, sent with every response about a job. */
  traceInterval: number | undefined
  /** Whether somebody reads logs: responds then ask for the short interval. */
  private isWatched = false
  lastUpdate = 'first'
  validTokens = new Set(['glrt-runner-token'])
  /** Of tokens that a reset creates. */
  tokenExpiresAt: string | null = null
  openRequests = 0
  /** Runs before each response. */
  onCall: ((call: RecordedCall) => Promise<void>) | undefined
  private readonly offered: JobPayload[] = []
  private readonly planned: Planned[] = []
  private readonly events = new EventEmitter().setMaxListeners(0)
  private readonly server: Server

  private constructor() {
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  static async start(): Promise<MisbehavingCoordinator> {
    const coordinator = new MisbehavingCoordinator()
    coordinator.server.listen(0, SERVER_HOST)
    await once(coordinator.server, 'listening')
    return coordinator
  }

  get url(): string {
    return `http://${SERVER_HOST}:${(this.server.address() as AddressInfo).port}`
  }

  offer(...jobs: JobPayload[]): void {
    this.offered.push(...jobs)
    this.events.emit('change')
  }

  /** Serves the request that is held for the job. */
  signal(id: number, status: string): void {
    this.signaled.set(id, status)
    this.events.emit('change')
  }

  /** Somebody begins to read logs. */
  watch(): void {
    this.isWatched = true
    this.events.emit('change')
  }

  /** Nobody reads logs any more. */
  unwatch(): void {
    this.isWatched = false
  }

  /** Faults for the next calls of `route`, one each. */
  misbehave(route: Route, ...what: Misbehaviour[]): void {
    this.planned.push(...what.map((each) => ({ route, what: each })))
  }

  /** Clears the planned faults. */
  behaveAgain(): void {
    this.planned.length = 0
  }

  callsOf(route: Route): RecordedCall[] {
    return this.calls.filter((call) => call.route === route)
  }

  trace(id: number): string {
    return this.traces.get(id)?.toString() ?? ''
  }

  finalUpdate(id: number): JobUpdate | undefined {
    return this.updates.find(({ id: job, update }) => job === id && update.state !== 'running')?.update
  }

  /** Resolves when `isTrue` returns true; it is checked after every event. */
  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await once(this.events, 'change')
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    this.server.close()
    await once(this.server, 'close')
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = routeOf(request)
    const body = await readAll(request)
    const call = {
      route,
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body,
    }
    this.calls.push(call)
    this.events.emit('change')
    await this.onCall?.(call)
    const what = this.takePlanned(route)
    if (what === 'cut') response.destroy()
    else if (what === undefined) await this.behave(call, request, response)
    else if (what === 'done-then-cut') {
      await this.behave(call, request, undefined)
      response.destroy()
    } else {
      response.writeHead(what.status, what.headers).end(what.body)
    }
    this.events.emit('change')
  }

  private takePlanned(route: Route): Misbehaviour | undefined {
    const index = this.planned.findIndex((planned) => planned.route === route)
    return index === -1 ? undefined : this.planned.splice(index, 1)[0]?.what
  }

  private async behave(
    call: RecordedCall,
    request: IncomingMessage,
    response?: ServerResponse,
  ): Promise<void> {
    switch (call.route) {
      case 'register': {
        json(response, 201, { id: 1, token: 'glrt-runner-token', token_expires_at: null })
        return
      }
      case 'verify': {
        this.verify(call, response)
        return
      }
      case 'reset': {
        this.reset(response)
        return
      }
      case 'remove':
        return void response?.writeHead(204).end()
      case 'request':
        return this.serveRequest(call, request, response)
      case 'update': {
        this.update(call, response)
        return
      }
      case 'trace': {
        this.append(call, response)
        return
      }
      case 'signals':
        return this.holdForSignal(call, request, response)
      case 'release': {
        json(response, 201, JSON.parse(call.body.toString()))
        return
      }
      case 'upload': {
        json(response, 201, { message: '201 Created' })
        return
      }
      case 'download':
        return void response
          ?.writeHead(200, { 'content-type': 'application/zip' })
          .end(this.artifacts.get(idOf(call)))
    }
  }

  private verify(call: RecordedCall, response?: ServerResponse): void {
    const { token } = JSON.parse(call.body.toString()) as { token: string }
    if (this.validTokens.has(token)) return json(response, 200, { id: 1, token, token_expires_at: null })
    return json(response, 403, { message: '403 Forbidden' })
  }

  /** Invalidates every token except the new one. */
  private reset(response?: ServerResponse): void {
    const token = `glrt-replaced-${this.callsOf('reset').length}`
    this.validTokens = new Set([token])
    json(response, 201, { token, token_expires_at: this.tokenExpiresAt })
  }

  /** Holds a request with the current queue version until a job is available. */
  private async serveRequest(
    call: RecordedCall,
    request: IncomingMessage,
    response?: ServerResponse,
  ): Promise<void> {
    const { last_update } = JSON.parse(call.body.toString()) as { last_update?: string }
    this.openRequests++
    this.events.emit('change')
    const isGone = () => request.socket.destroyed
    request.socket.once('close', () => this.events.emit('change'))
    if (last_update === this.lastUpdate) await this.until(() => this.offered.length > 0 || isGone())
    this.openRequests--
    if (isGone()) return
    const job = this.offered.shift()
    if (job) {
      json(response, 201, job)
      return
    }
    response?.writeHead(204, { 'x-gitlab-last-update': this.lastUpdate }).end()
  }

  private update(call: RecordedCall, response?: ServerResponse): void {
    const id = idOf(call)
    this.updates.push({ id, update: JSON.parse(call.body.toString()) as JobUpdate })
    response?.writeHead(200, this.signals(id)).end('200')
  }

  private append(call: RecordedCall, response?: ServerResponse): void {
    const id = idOf(call)
    const trace = this.traces.get(id) ?? Buffer.alloc(0)
    const start = Number(String(call.headers['content-range']).split('-')[0])
    if (start !== trace.length) {
      response?.writeHead(416, { ...this.signals(id), range: `0-${trace.length}` }).end()
      return
    }
    const grown = Buffer.concat([trace, call.body])
    this.traces.set(id, grown)
    response?.writeHead(202, { ...this.signals(id), range: `0-${grown.length}` }).end()
  }

  private async holdForSignal(
    call: RecordedCall,
    request: IncomingMessage,
    response?: ServerResponse,
  ): Promise<void> {
    const query = new URL(call.path, this.url).searchParams
    const known = query.get('status') ?? ''
    const isReader = () => this.isWatched && query.get('watched') === 'false'
    const status = () => this.signaled.get(idOf(call)) ?? 'running'
    request.socket.once('close', () => this.events.emit('change'))
    await this.until(() => status() !== known || isReader() || request.socket.destroyed)
    const isOver = status() === 'canceled' || status() === 'failed'
    response?.writeHead(isOver ? 403 : 200, { ...this.watched(), 'job-status': status() }).end()
  }

  private signals(id: number): Record<string, string> {
    return {
      'job-status': this.jobStatus.get(id) ?? 'running',
      ...(this.traceInterval === undefined
        ? {}
        : { 'x-gitlab-trace-update-interval': String(this.traceInterval) }),
      ...this.watched(),
    }
  }

  private watched(): Record<string, string> {
    return this.isWatched ? { 'x-switchyard-trace-interval': '0.2' } : {}
  }
}

function routeOf(request: IncomingMessage): Route {
  const key = `${request.method} ${(request.url ?? '').replace('/api/v4/', '').replace(/\?.*/, '').replace(/\d+/, ':id')}`
  const routes: Record<string, Route> = {
    'POST runners': 'register',
    'POST runners/verify': 'verify',
    'DELETE runners': 'remove',
    'POST runners/reset_authentication_token': 'reset',
    'POST runners/:id/reset_authentication_token': 'reset',
    'DELETE runners/managers': 'remove',
    'POST jobs/request': 'request',
    'PUT jobs/:id': 'update',
    'PATCH jobs/:id/trace': 'trace',
    'GET jobs/:id/signals': 'signals',
    'POST jobs/:id/artifacts': 'upload',
    'GET jobs/:id/artifacts': 'download',
    'POST projects/:id/releases': 'release',
  }
  const route = routes[key]
  if (!route) throw new Error(`No such route: ${key}`)
  return route
}

function idOf(call: RecordedCall): number {
  return Number(/jobs\/(\d+)/.exec(call.path)?.[1])
}

function json(response: ServerResponse | undefined, status: number, body: unknown): void {
  response?.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
