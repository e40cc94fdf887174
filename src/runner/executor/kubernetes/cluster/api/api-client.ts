import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps, type RequestOptions } from 'node:https'

import { linkSignals } from '../../../../../lib/link-signals.js'
import { readAtMost } from '../../../../../lib/read-at-most.js'
import { SECOND } from '../../../../../lib/time-units.js'
import { untilAborted } from '../../../../../lib/until-aborted.js'
import type { Credentials, Identity } from '../credentials/credentials.js'
import { networkError, responseError, silenceError, unexpectedResponse } from './api-errors.js'
import { readJson } from './api-objects.js'
import { ProxyAgent } from './proxy-agent.js'

/** A list of 1,000 pods is about ten megabytes. */
const MAX_BODY = 256 * 1024 * 1024
const MAX_ERROR_BODY = 64 * 1024
const UNAUTHORIZED = 401
/** The system then asks the peer whether it is still there, so that a connection that is open on this side alone ends. */
const KEEP_ALIVE = 15 * SECOND

export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string | undefined>
  body?: object
}

export interface ApiClientOptions {
  credentials: Credentials
  /** Milliseconds until the whole response of a call, and until the first byte of a stream. */
  timeout: number
}

/**
 * Calls the API server over HTTP. Each call has a connection of its own: they are rare, and one that was kept could be dead, or end just
 * as the call is made. All throw a `ClusterError`.
 */
export class ApiClient {
  readonly timeout: number
  private readonly credentials: Credentials
  /** Keeps sessions of TLS, but no connections. */
  readonly agent: HttpAgent | HttpsAgent
  private readonly closing = new AbortController()

  constructor({ credentials, timeout }: ApiClientOptions) {
    this.credentials = credentials
    this.timeout = timeout
    this.agent = createAgent(credentials)
  }

  get server(): URL {
    return this.credentials.server
  }

  /** The object of the response. */
  async call(request: ApiRequest, signal?: AbortSignal): Promise<unknown> {
    const clock = startClock(this.timeout, this.closing.signal, ...(signal ? [signal] : []))
    try {
      const response = await this.send(request, clock.signal)
      return this.read(await readAtMost(response, MAX_BODY))
    } catch (error) {
      throw this.explain(error, clock, signal)
    } finally {
      clock.release()
    }
  }

  /** The body of the response, which may never end. `signal` ends the connection at any time. */
  async stream(request: ApiRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const clock = startClock(this.timeout, this.closing.signal, signal)
    try {
      const response = await this.send(request, clock.signal)
      response.socket.setKeepAlive(true, KEEP_ALIVE)
      response.once('close', () => clock.release())
      clock.stop()
      return response
    } catch (error) {
      clock.release()
      throw this.explain(error, clock, signal)
    }
  }

  /** Calls `connect` with current credentials, and once more if the API server refuses these and there may be others. */
  async withIdentity<T>(connect: (identity: Identity) => Promise<T>): Promise<T> {
    try {
      return await connect(await this.identity())
    } catch (error) {
      if (!isUnauthorized(error) || !this.credentials.renew()) throw error
      return await connect(await this.identity())
    }
  }

  urlOf({ path, query = {} }: Pick<ApiRequest, 'path' | 'query'>): URL {
    const { server } = this
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server)
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.append(name, value)
    }
    return url
  }

  /** Aborts when the client is closed. */
  get closed(): AbortSignal {
    return this.closing.signal
  }

  /** Ends all calls and streams at once, and refuses others. */
  close(): void {
    this.closing.abort(new Error('the client of the cluster was closed'))
  }

  /** A program that gives credentials may take a minute, for which nobody waits after `close`. */
  private async identity(): Promise<Identity> {
    this.closed.throwIfAborted()
    return await untilAborted(this.credentials.identity(), this.closed)
  }

  private async send(request: ApiRequest, signal: AbortSignal): Promise<IncomingMessage> {
    return await this.withIdentity(async (identity) => {
      const response = await this.respond(request, identity, signal)
      const status = response.statusCode ?? 0
      if (status >= 200 && status < 300) return response
      throw responseError(status, await readAtMost(response, MAX_ERROR_BODY, 'cut'), this.server)
    })
  }

  private async respond(
    { method, body, ...place }: ApiRequest,
    { tls, headers }: Identity,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const text = body && JSON.stringify(body)
    const options: RequestOptions = {
      ...tls,
      method,
      agent: this.agent,
      signal,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      },
    }
    return await new Promise((resolve, reject) => {
      const url = this.urlOf(place)
      const request = url.protocol === 'http:' ? requestHttp(url, options) : requestHttps(url, options)
      request.once('response', resolve)
      request.once('error', reject)
      request.end(text)
    })
  }

  private read(body: Buffer): unknown {
    try {
      return readJson(body.toString('utf8'))
    } catch {
      throw unexpectedResponse(this.server)
    }
  }

  private explain(error: unknown, clock: Clock, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason
    if (this.closing.signal.aborted) return this.closing.signal.reason
    return clock.hasRunOut ? silenceError(this.server, this.timeout) : networkError(error, this.server)
  }
}

function createAgent({ server, proxy }: Credentials): HttpAgent | HttpsAgent {
  if (server.protocol === 'http:') return new HttpAgent()
  return proxy ? new ProxyAgent(proxy) : new HttpsAgent()
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === UNAUTHORIZED
}

interface Clock {
  /** Aborts when the time has run out, and when one of the sources aborts. */
  readonly signal: AbortSignal
  readonly hasRunOut: boolean
  /** The time no longer runs. The signal still follows its sources. */
  stop(): void
  release(): void
}

function startClock(milliseconds: number, ...sources: AbortSignal[]): Clock {
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(), milliseconds)
  const either = linkSignals(time.signal, ...sources)
  return {
    signal: either.signal,
    get hasRunOut() {
      return time.signal.aborted
    },
    stop: () => clearTimeout(timer),
    release() {
      clearTimeout(timer)
      either.release()
    },
  }
}
