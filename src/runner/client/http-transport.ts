import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'

import { type Dispatcher, EnvHttpProxyAgent } from 'undici'

import { messageOf } from '../../lib/errors.js'
import { pause } from '../../lib/pause.js'
import { CoordinatorUnreachableError, SettingsError } from './errors.js'
import { CALL_ATTEMPTS, isRetryableStatus, retryDelay } from './retryable.js'
import { USER_AGENT } from './runner-info.js'

export interface TlsFiles {
  caFile?: string
  certFile?: string
  keyFile?: string
}

export interface Call {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/v4/`, or an absolute address. */
  path: string
  headers?: Record<string, string>
  /** A stream can be sent once only: such a call is never repeated. */
  body?: string | Buffer | Readable
  /** Gives up the call for as long as no answer has begun to arrive; an answer that has is always read. */
  signal?: AbortSignal
  /** Milliseconds from the last byte sent until the answer begins, when it is not as for others. */
  headersTimeout?: number
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Dispatcher.ResponseData['body']
}

/** Hears of every call, for those who count them. */
export interface CallObserver {
  /** `seconds` until the answer began. */
  answered(call: Call, status: number, seconds: number): void
  /** The same call is made once more. */
  repeated(call: Call): void
}

/** Until the answer begins: a coordinator may hold a job request for minutes (runner protocol, 0). */
const HEADERS_TIMEOUT = 10 * 60_000
const BODY_TIMEOUT = 5 * 60_000
const CONNECT_TIMEOUT = 30_000
const KEEP_ALIVE = 30_000

/**
 * HTTP to one coordinator over connections that are kept open, through the proxy of the environment when it names
 * one. Repeats what the retry layer of the protocol repeats (runner protocol, 0.1); the last answer is handed on
 * whatever it is.
 */
export class HttpTransport {
  private readonly agent: EnvHttpProxyAgent
  private readonly base: string
  private isDestroyed = false

  constructor(
    readonly url: string,
    tls: TlsFiles = {},
    private readonly observer?: CallObserver,
  ) {
    this.base = `${url.replace(/\/+$/, '').replace(/\/ci$/, '')}/api/v4/`
    const connect = { timeout: CONNECT_TIMEOUT, ...readTls(tls) }
    this.agent = new EnvHttpProxyAgent({
      headersTimeout: HEADERS_TIMEOUT,
      bodyTimeout: BODY_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE,
      connect,
      requestTls: connect,
    })
  }

  /** Throws `CoordinatorUnreachableError` when no answer came, or the signal's reason when it was given up. */
  async send(call: Call): Promise<Answer> {
    const isRepeatable =
      call.body === undefined || typeof call.body === 'string' || Buffer.isBuffer(call.body)
    for (let attempt = 1; ; attempt++) {
      const answer = await this.sendOnce(call)
      if (!isRepeatable || attempt === CALL_ATTEMPTS || !isRetryableStatus(answer.status)) return answer
      await answer.body.dump()
      this.observer?.repeated(call)
      await pause(retryDelay(answer.headers, attempt), call.signal)
      call.signal?.throwIfAborted()
    }
  }

  async close(): Promise<void> {
    if (!this.isDestroyed) await this.agent.close()
  }

  async destroy(): Promise<void> {
    this.isDestroyed = true
    await this.agent.destroy()
  }

  private async sendOnce(call: Call): Promise<Answer> {
    call.signal?.throwIfAborted()
    const giveUp = new AbortController()
    const onAbort = () => giveUp.abort(call.signal?.reason)
    call.signal?.addEventListener('abort', onAbort, { once: true })
    const start = performance.now()
    try {
      const { statusCode, headers, body } = await this.agent.request(this.options(call, giveUp.signal))
      this.observer?.answered(call, statusCode, (performance.now() - start) / 1000)
      return { status: statusCode, headers, body }
    } catch (error) {
      if (call.signal?.aborted) throw call.signal.reason
      throw new CoordinatorUnreachableError(this.url, { cause: error })
    } finally {
      // From here on the answer is on its way and may hold a job: it is read whatever the signal says.
      call.signal?.removeEventListener('abort', onAbort)
    }
  }

  private options(call: Call, signal: AbortSignal): Dispatcher.RequestOptions {
    const { origin, pathname, search } = new URL(call.path, this.base)
    return {
      origin,
      path: pathname + search,
      method: call.method,
      headers: {
        'user-agent': USER_AGENT,
        'x-request-id': randomUUID().replaceAll('-', ''),
        ...call.headers,
      },
      body: call.body ?? null,
      signal,
      ...(call.headersTimeout === undefined ? {} : { headersTimeout: call.headersTimeout }),
    }
  }
}

/** An authority of the settings comes on top of the usual ones. */
function readTls({ caFile, certFile, keyFile }: TlsFiles) {
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
