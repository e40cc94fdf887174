import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'

import type { WebSocket } from 'ws'

import { messageOf } from '../../lib/errors.js'
import { pause } from '../../lib/pause.js'
import { readAtMost } from '../../lib/read-at-most.js'
import { MINUTE } from '../../lib/time-units.js'
import type { Connections, HttpResponse, TlsMaterial } from './connections.js'
import {
  CALL_ATTEMPTS,
  CoordinatorResponseError,
  CoordinatorUnreachableError,
  isRetryableStatus,
  retryDelay,
  SettingsError,
} from './errors.js'
import { openConnections } from './open-connections.js'
import { USER_AGENT } from './runner-info.js'

export interface TlsFiles {
  caFile?: string
  certFile?: string
  keyFile?: string
}

export interface Call {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/v4/`, or an absolute URL. */
  path: string
  headers?: Record<string, string>
  /** A call with a stream is never repeated, because a stream can be read only once. */
  body?: string | Buffer | Readable
  /** Aborts the call until the response begins. A response that has begun is always read. */
  signal?: AbortSignal
  /** Milliseconds from the last byte sent to the start of the response, if the default does not apply. */
  headersTimeout?: number
}

/** Observes every call, for metrics. */
export interface CallObserver {
  /** `seconds`: time until the response began. */
  ended(call: Call, status: number, seconds: number): void
  /** No response arrived. */
  unreachable?(error: CoordinatorUnreachableError): void
  /** The call is repeated. */
  repeated(call: Call): void
}

/** Limit for the start of the response. A coordinator may hold a job request for minutes (runner protocol, 0). */
const HEADERS_TIMEOUT = 10 * MINUTE
const BODY_TIMEOUT = 5 * MINUTE
/** Milliseconds for the response to a request for a WebSocket. */
const SOCKET_TIMEOUT = 20_000
const MAX_SOCKET_MESSAGE = 1024 * 1024

/**
 * An HTTP client for one coordinator. It keeps connections open and uses the proxy that the environment names.
 * Calls are repeated as the retry layer of the protocol requires (runner protocol, 0.1). The last response is
 * returned, whatever its status is.
 */
export class HttpTransport {
  private readonly connections: Connections | Promise<Connections>
  private readonly base: string
  private isDestroyed = false

  constructor(
    readonly url: string,
    private readonly tls: TlsFiles = {},
    private readonly observer?: CallObserver,
  ) {
    this.base = `${url.replace(/\/+$/, '').replace(/\/ci$/, '')}/api/v4/`
    this.connections = openConnections(readTls(tls))
  }

  /** Throws `CoordinatorUnreachableError` if no response arrives, or the reason of the signal if it aborts. */
  async send(call: Call): Promise<HttpResponse> {
    const isRepeatable =
      call.body === undefined || typeof call.body === 'string' || Buffer.isBuffer(call.body)
    for (let attempt = 1; ; attempt++) {
      const response = await this.sendOnce(call)
      if (!isRepeatable || attempt === CALL_ATTEMPTS || !isRetryableStatus(response.status)) return response
      await response.body.dump()
      this.observer?.repeated(call)
      await pause(retryDelay(response.headers, attempt), call.signal)
      call.signal?.throwIfAborted()
    }
  }

  /** Follows a redirect to another host without sending the headers. */
  async follow(
    response: HttpResponse,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<HttpResponse> {
    const location = header(response, 'location')
    if (location === undefined || ![302, 307].includes(response.status)) return response
    await response.body.dump()
    const target = new URL(location, this.url)
    const isSameHost = target.origin === new URL(this.url).origin
    return this.send({
      method: 'GET',
      path: target.href,
      headers: isSameHost ? headers : {},
      ...(signal && { signal }),
    })
  }

  /** Opens a WebSocket, which is paused, so that no message is missed. Throws `CoordinatorUnreachableError` if the server does not accept it. */
  async openSocket(path: string, headers: Record<string, string>): Promise<WebSocket> {
    // Loaded with the first terminal, to save memory in idle runners.
    const { WebSocket } = await import('ws')
    const url = new URL(path, this.base)
    const address = url.href.replace(/^http/, 'ws')
    const socket = new WebSocket(address, {
      headers: { 'user-agent': USER_AGENT, ...headers },
      maxPayload: MAX_SOCKET_MESSAGE,
      handshakeTimeout: SOCKET_TIMEOUT,
      ...readTls(this.tls),
    })
    // Not later: a message may arrive together with the response.
    socket.once('open', () => socket.pause())
    try {
      await once(socket, 'open')
      return socket
    } catch (error) {
      throw new CoordinatorUnreachableError(url.origin, { cause: error })
    }
  }

  async close(): Promise<void> {
    if (!this.isDestroyed) await (await this.connections).close()
  }

  async destroy(): Promise<void> {
    this.isDestroyed = true
    await (await this.connections).destroy()
  }

  private async sendOnce(call: Call): Promise<HttpResponse> {
    call.signal?.throwIfAborted()
    const aborter = new AbortController()
    const onAbort = () => aborter.abort(call.signal?.reason)
    call.signal?.addEventListener('abort', onAbort, { once: true })
    const start = performance.now()
    try {
      const connections = await this.connections
      const response = await connections.request({
        method: call.method,
        url: new URL(call.path, this.base),
        headers: {
          'user-agent': USER_AGENT,
          'x-request-id': randomUUID().replaceAll('-', ''),
          ...call.headers,
        },
        body: call.body,
        signal: aborter.signal,
        headersTimeout: call.headersTimeout ?? HEADERS_TIMEOUT,
        bodyTimeout: BODY_TIMEOUT,
      })
      this.observer?.ended(call, response.status, (performance.now() - start) / 1000)
      return response
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason
      const proxy = (await this.connections).proxyOf?.(new URL(this.base))
      const unreachable = new CoordinatorUnreachableError(this.url, { cause: error, proxy })
      this.observer?.unreachable?.(unreachable)
      throw unreachable
    } finally {
      // From here on the response is arriving and may contain a job, so the signal no longer aborts it.
      call.signal?.removeEventListener('abort', onAbort)
    }
  }
}

/** A configured certificate authority is added to the default ones. */
function readTls({ caFile, certFile, keyFile }: TlsFiles): TlsMaterial {
  return {
    ...(caFile ? { ca: [...rootCertificates, readTlsFile(caFile)] } : {}),
    ...(certFile ? { cert: readTlsFile(certFile) } : {}),
    ...(keyFile ? { key: readTlsFile(keyFile) } : {}),
  }
}

function readTlsFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(file, [`cannot be read: ${messageOf(error)}`], { cause: error })
  }
}

/** Maximum size of a successful response. The largest is a job, with its script and variables. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024
/** Maximum size of an error response. */
const MAX_REFUSAL_BYTES = 1024 * 1024

export function isJson(response: HttpResponse): boolean {
  return /^application\/json\s*(;|$)/i.test(header(response, 'content-type') ?? '')
}

export function header(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name]
  return Array.isArray(value) ? value[0] : value
}

export async function refusal(response: HttpResponse, what: string): Promise<CoordinatorResponseError> {
  return new CoordinatorResponseError(`${what}: ${await messageIn(response)}`, response.status)
}

/** The error message of the server, or the status if there is none (runner protocol, 0). */
export async function messageIn(response: HttpResponse): Promise<string> {
  if (!isJson(response)) {
    await response.body.dump()
    return `status ${response.status}`
  }
  const body = (await parsed(response, MAX_REFUSAL_BYTES)) as { message?: unknown } | null
  const message = body?.message ?? `status ${response.status}`
  return typeof message === 'string' ? message : JSON.stringify(message)
}

export async function readJson(response: HttpResponse): Promise<unknown> {
  if (isJson(response)) return parsed(response, MAX_RESPONSE_BYTES)
  await response.body.dump()
  const type = header(response, 'content-type') ?? 'no content type'
  throw new CoordinatorResponseError(
    `The coordinator returned ${type} instead of JSON. Check its URL.`,
    response.status,
  )
}

async function parsed(response: HttpResponse, maxBytes: number): Promise<unknown> {
  return JSON.parse((await readAtMost(response.body, maxBytes)).toString('utf8'))
}

export interface Form {
  contentType: string
  body: Readable
}

/**
 * A streamed form with one file in the field `file` (runner protocol, 5.1). Errors of `content` are passed to
 * `body`.
 */
export function fileForm(fileName: string, content: Readable): Form {
  const boundary = `switchyard-${randomBytes(16).toString('hex')}`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Readable.from(parts(boundary, fileName, content), { objectMode: false }),
  }
}

async function* parts(boundary: string, fileName: string, content: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="file"; filename="${escapeName(fileName)}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  for await (const chunk of content) yield chunk as Buffer
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

function escapeName(fileName: string): string {
  return fileName
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '%22')
    .replace(/[\r\n]/g, ' ')
}
