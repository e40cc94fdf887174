import { errors } from 'undici'

import { limits } from '../../ci-config/limits.js'
import type { RemoteText } from '../../ci-config/sources.js'
import { LocalAddressError } from '../../egress/errors.js'
import { retry } from '../../lib/retry.js'
import type { EgressClient } from './egress-client.js'
import { ResponseError, StoppingError } from './errors.js'

/** Milliseconds before the second and third attempt, and the timeout of each step of an attempt. */
export interface RemoteTimings {
  delay: number
  timeout: number
}

const TIMINGS: RemoteTimings = { delay: 1000, timeout: 10_000 }
const ATTEMPTS = 3
const REDIRECTS = 5
/** Size of the cache for callers that accept older texts. */
const CACHED_BYTES = 16 * 1024 * 1024

interface CachedText {
  text: Buffer
  fetchedAt: number
}

/** CI files at URLs: fetched without credentials, with three attempts (CI language, 4.1). */
export class RemoteFiles {
  /** Ordered by the last fetch. */
  private readonly cached = new Map<string, CachedText>()
  private cachedBytes = 0
  private readonly stopping = new AbortController()

  constructor(
    private readonly client: EgressClient,
    private readonly timings: RemoteTimings = TIMINGS,
  ) {}

  /**
   * Returns the text at a URL; may return a copy that was fetched at most `maxAgeSeconds` ago. Rejects only
   * for internal errors, or with `StoppingError` when the coordinator stops: an aborted fetch does not mean
   * that the file is missing.
   */
  async fetch(url: string, maxAgeSeconds = 0): Promise<RemoteText> {
    const known = this.cached.get(url)
    if (known && Date.now() - known.fetchedAt < maxAgeSeconds * 1000)
      return { kind: 'text', text: known.text }
    let attempts = 0
    try {
      const text = await retry(
        (attempt) => {
          attempts = attempt
          return this.fetchOnce(url)
        },
        {
          attempts: ATTEMPTS,
          delay: this.timings.delay,
          maximumDelay: 2 * this.timings.delay,
          isWorthRetrying,
          signal: this.stopping.signal,
        },
      )
      if (maxAgeSeconds > 0) this.keep(url, text)
      return { kind: 'text', text }
    } catch (error) {
      if (this.stopping.signal.aborted) throw new StoppingError({ cause: error })
      if (!isNoResponse(error)) throw error
      return { kind: 'failed', reason: reasonOf(error, attempts) }
    }
  }

  /** Aborts running fetches, and all that are requested from now on. */
  stop(): void {
    this.stopping.abort()
  }

  private async fetchOnce(url: string): Promise<Buffer> {
    const { timeout } = this.timings
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), this.stopping.signal])
    const wanted = { url, timeout, signal, maxBytes: limits.yamlBytes, redirects: REDIRECTS }
    const { status, body } = await this.client.send(wanted)
    if (status !== 200) throw new ResponseError(`HTTP code \`${status}\` error`, status)
    return body
  }

  private keep(url: string, text: Buffer): void {
    this.evict(url)
    this.cached.set(url, { text, fetchedAt: Date.now() })
    this.cachedBytes += text.length
    for (const oldest of this.cached.keys()) {
      if (this.cachedBytes <= CACHED_BYTES) break
      this.evict(oldest)
    }
  }

  private evict(url: string): void {
    this.cachedBytes -= this.cached.get(url)?.text.length ?? 0
    this.cached.delete(url)
  }
}

/** Failures that may be temporary: server errors and timeouts. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof ResponseError) return error.status !== undefined && error.status >= 500
  return !(error instanceof LocalAddressError)
}

/** Errors of networks and servers have a code; all others are bugs of this program. */
function isNoResponse(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof Error && 'code' in error)
}

/** The end of the message: why the file could not be fetched (CI language, 4.6). */
function reasonOf(error: unknown, attempts: number): string {
  const tries = `after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`
  if (error instanceof LocalAddressError) return `because ${error.message}`
  if (error instanceof ResponseError) {
    return error.status === undefined ? `because ${error.message}` : `${tries} because of ${error.message}`
  }
  return `${tries} because of ${isTimeout(error) ? 'a timeout error' : isHttp(error) ? 'HTTP error' : 'a socket error'}`
}

function isTimeout(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'TimeoutError'
  return (
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError
  )
}

/** The response is not valid HTTP. */
function isHttp(error: unknown): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError
}
