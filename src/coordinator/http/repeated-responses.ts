import { hash } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'

import type { FastifyReply } from 'fastify'

import type { StoreVersion } from '../database/direct-reads.js'
import type { Operation } from './operation.js'
import { requestIdOf } from './request-id.js'
import { RUNTIME_HEADER, runtimeOf } from './send.js'
import type { ServedRequest } from './served-request.js'

/** Maximum number of stored responses; the responses to further requests are not repeated. */
const MAX_RESPONSES = 10_000

/** A response without a body. */
interface RepeatableResponse {
  status: number
  /** Names and values in turn, without those that differ from request to request. */
  headers: string[]
  /** Milliseconds since 1970. */
  until: number
}

const ID_HEADER = 'x-request-id'

/**
 * Stores the responses to requests that are sent again and again while nothing is committed to the store: runners without a
 * job send the same request every few seconds. Requests are stored as digests only.
 */
export class RepeatedResponses {
  private results = new Map<string, RepeatableResponse>()
  /** The version of the store that all responses are from. */
  private version: StoreVersion | undefined
  /** Requests that arrive in the same turn of the event loop share a version, which is read after their arrival. */
  private readonly nextVersion = sharedInTurn(() => this.storeVersion())
  /** The digests of requests that may be kept by `keep`, with the version that was current before. */
  private readonly begun = new WeakMap<IncomingMessage, { key: string; version: StoreVersion }>()

  constructor(
    private readonly storeVersion: () => Promise<StoreVersion>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The response to an equal request. Requests differ by address, headers other than the request ID, and body. */
  async find(request: IncomingMessage): Promise<RepeatableResponse | undefined> {
    const version = await this.nextVersion()
    // A short body arrives together with the headers, and has been read by now.
    const length = request.readableLength
    if (length === 0 || length !== Number(request.headers['content-length'])) return undefined
    const body = request.read() as Buffer
    const key = keyOf(request, body)
    if (version !== this.version) {
      this.version = version
      this.results = new Map()
    }
    const result = this.results.get(key)
    if (result && this.now() < result.until) return result
    request.unshift(body)
    this.begun.set(request, { key, version })
    return undefined
  }

  /** Repeats the response for requests that equal the one it was sent to, until the time or the next commit. */
  keep(reply: FastifyReply, until: number): void {
    const begun = this.begun.get(reply.request.raw)
    if (!begun || begun.version !== this.version || this.results.size >= MAX_RESPONSES) return
    const headers = Object.entries(reply.getHeaders())
      .filter(([name]) => name !== ID_HEADER && name !== RUNTIME_HEADER)
      .flatMap(([name, value]) => [name, String(value)])
    this.results.set(begun.key, { status: reply.statusCode, headers, until })
  }
}

interface RepeatingDeps {
  operations: Operation[]
  prefix: string
  repeatedResponses: RepeatedResponses
  /** Aborts when the server is about to stop. */
  stopping: AbortSignal
  onServed: (served: ServedRequest) => void
}

/**
 * Serves requests of repeatable operations in front of the app, whose part in such a response is by far the greatest. The
 * app receives all other requests unchanged, at the end of the turn of the event loop: a short body has arrived by then,
 * and needs none of the timers that end slow ones. Call it before anything else listens for requests.
 */
export function repeatResponses(server: Server, deps: RepeatingDeps): void {
  const repeatable = deps.operations.filter((operation) => operation.repeatable)
  const routes = new Map(
    repeatable.map(({ method, path }) => [`${method} ${deps.prefix}${path}`, deps.prefix + path]),
  )
  const handle = onlyListener(server)
  server.off('request', handle)
  server.on('request', (request, response) => {
    const route = routes.get(`${request.method} ${request.url}`)
    if (route === undefined || deps.stopping.aborted) setImmediate(() => passOn(request, response, handle))
    else void repeatOrHandle(deps, { request, response, route }, handle)
  })
}

function passOn(request: IncomingMessage, response: ServerResponse, handle: RequestListener): void {
  if (!response.destroyed) handle(request, response) // else the client is gone
}

function onlyListener(server: Server): RequestListener {
  const [handle, ...others] = server.listeners('request') as RequestListener[]
  if (!handle || others.length > 0) throw new TypeError('The app must be the only listener for requests yet')
  return handle
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  route: string
}

async function repeatOrHandle(
  deps: RepeatingDeps,
  exchange: Exchange,
  handle: RequestListener,
): Promise<void> {
  const began = performance.now()
  const { request, response } = exchange
  // The app reports a store that cannot be reached.
  const result = await deps.repeatedResponses.find(request).catch(() => undefined)
  if (!result || response.destroyed) {
    passOn(request, response, handle)
    return
  }
  request.resume()
  const milliseconds = performance.now() - began
  const id = requestIdOf(request)
  const { status, headers } = result
  const ownHeaders = [ID_HEADER, id, RUNTIME_HEADER, runtimeOf(milliseconds)]
  response.writeHead(status, [...headers, ...ownHeaders]).end()
  deps.onServed({ id, method: request.method ?? '', route: exchange.route, status, milliseconds })
}

/** Calls `ask` once for all callers in a turn of the event loop, at its end. */
function sharedInTurn<T>(ask: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  return () =>
    (next ??= new Promise((resolve) =>
      setImmediate(() => {
        next = undefined
        resolve(ask())
      }),
    ))
}

function keyOf({ socket, rawHeaders }: IncomingMessage, body: Buffer): string {
  // Neither addresses nor headers contain line breaks.
  let text = `${socket.remoteAddress}\n`
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== ID_HEADER.length || name.toLowerCase() !== ID_HEADER)
      text += `${name}:${rawHeaders[index + 1]}\n`
  }
  return hash('sha256', `${text}\n${body.toString('latin1')}`, 'base64')
}
