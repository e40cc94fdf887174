import PQueue from 'p-queue'

import { LocalAddressError } from '../../../egress/errors.js'
import { connectionProblem, mayPass } from '../../../lib/network-errors.js'
import { pause, withJitter } from '../../../lib/pause.js'
import { MINUTE, SECOND } from '../../../lib/time-units.js'
import type { EgressClient, EgressResponse } from '../../egress/egress-client.js'
import { ResponseError } from '../../egress/errors.js'
import { BulkImportError, ImportEndedError, UnavailableError } from '../errors.js'
import { nextPage } from './next-page.js'

export interface SourceClientOptions {
  egress: Pick<EgressClient, 'send'>
  /** Address of the server, without a trailing slash. */
  url: string
  token: string
  signal: AbortSignal
  /** Milliseconds before the second attempt of a request that failed; doubles after each further one. */
  retryDelay?: number
}

export interface SourcePage {
  records: unknown[]
  /** Where the next page is, as a parameter of `list`; null after the last one. */
  next: string | null
}

/** Requests at a time. */
const AT_ONCE = 4
/** Milliseconds: without any byte, and for the whole response. */
const TIMEOUT = MINUTE
const DEADLINE = 5 * MINUTE
/** Largest response, in bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
const ATTEMPTS = 6
const FIRST_DELAY = SECOND
/** Milliseconds. */
const MAX_DELAY = MINUTE
/** Number of times that one request waits because the source limits its rate, and milliseconds of one such wait. */
const MAX_RATE_WAITS = 20
const MAX_RATE_WAIT = 15 * MINUTE
/** Number of pages of a list. */
const MAX_PAGES = 2000
/** Number of records of a page; a hundred are requested. */
const MAX_PAGE_RECORDS = 1000
const PER_PAGE = 100
/** Longest address of a page below `/api/v4`, in characters; it is stored. */
const MAX_POSITION_LENGTH = 1000

/** Reads from another server by the REST API v4. It follows no redirect, so that nobody else gets the token. */
export class SourceClient {
  private readonly queue = new PQueue({ concurrency: AT_ONCE })
  /** Number of requests that were sent. */
  requests = 0

  constructor(private readonly options: SourceClientOptions) {}

  /**
   * The record at a path below `/api/v4`. Throws `UnavailableError` if there is none or the token may not read it,
   * `ImportEndedError` if the token is not valid, and `BulkImportError` for a server that cannot be used.
   */
  async get(path: string): Promise<unknown> {
    return (await this.request(path)).value
  }

  /** The pages of a list, from the first one or the one that `start` names. Throws as `get` does. */
  async *list(path: string, start: string | null = null): AsyncGenerator<SourcePage> {
    const seen = new Set<string>()
    const first = `${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}`
    for (let position: string | null = start ?? first; position !== null;) {
      if (seen.has(position)) throw new BulkImportError(`The source repeats a page of the list ${path}`)
      if (seen.size >= MAX_PAGES)
        throw new BulkImportError(`The list ${path} has more than ${MAX_PAGES} pages`)
      seen.add(position)
      const { value, response } = await this.request(position)
      if (!Array.isArray(value)) throw new BulkImportError(`The source sent no list for ${path}`)
      if (value.length > MAX_PAGE_RECORDS) {
        throw new BulkImportError(
          `The source sent more than ${MAX_PAGE_RECORDS} records in a page of ${path}`,
        )
      }
      const next: string | null = value.length === 0 ? null : nextPage(response.headers, position)
      if (next !== null && next.length > MAX_POSITION_LENGTH) {
        throw new BulkImportError(`The source gave a page of the list ${path} an address that is too long`)
      }
      yield { records: value, next }
      position = next
    }
  }

  private async request(path: string): Promise<{ value: unknown; response: EgressResponse }> {
    const response = await this.queue.add(() => this.send(path))
    return { response, value: parsed(response.body, path) }
  }

  /** Waits and tries again as long as that may help. */
  private async send(path: string): Promise<EgressResponse> {
    const { signal, retryDelay = FIRST_DELAY } = this.options
    for (let [attempt, waits] = [1, 0]; ;) {
      signal.throwIfAborted()
      const outcome = await this.attempt(path)
      if (outcome instanceof Error) {
        if (attempt >= ATTEMPTS) throw outcome
        await pause(withJitter(Math.min(retryDelay * 2 ** (attempt - 1), MAX_DELAY)), signal)
        attempt += 1
      } else if (outcome.status !== 429) return outcome
      else if (waits >= MAX_RATE_WAITS)
        throw new BulkImportError('The source still limits the rate of requests')
      else {
        waits += 1
        await pause(rateWait(outcome), signal)
      }
    }
  }

  /** The response, or an error that may pass. Throws others. */
  private async attempt(path: string): Promise<EgressResponse | BulkImportError> {
    const { egress, url, token, signal } = this.options
    this.requests += 1
    try {
      const response = await egress.send({
        url: `${url}/api/v4${path}`,
        headers: { 'private-token': token, accept: 'application/json', 'user-agent': 'switchyard' },
        timeout: TIMEOUT,
        maxBytes: MAX_RESPONSE_BYTES,
        signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]),
      })
      return checked(response, path)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof BulkImportError) throw error
      if (error instanceof LocalAddressError) throw new ImportEndedError(error.message, { cause: error })
      if (error instanceof ResponseError) {
        throw new BulkImportError(`The source cannot be read at ${path}: ${error.message}`, { cause: error })
      }
      const reason = connectionProblem(error)
      return new BulkImportError(`The source did not respond to ${path}: ${reason}`, { cause: error })
    }
  }
}

function checked(response: EgressResponse, path: string): EgressResponse | BulkImportError {
  const { status } = response
  if (status === 200 || status === 429) return response
  if (status === 401)
    throw new ImportEndedError('The source refuses the access token: it is invalid or has expired')
  if (status >= 300 && status < 400) throw new BulkImportError(redirectProblem(response, path))
  const problem = `The source responded to ${path} with ${status}`
  if (mayPass(status) && status !== 501) return new BulkImportError(problem)
  throw new UnavailableError(problem)
}

function redirectProblem({ headers }: EgressResponse, path: string): string {
  const { location } = headers
  const isKnown = typeof location === 'string' && URL.canParse(location)
  const target = isKnown ? new URL(location).origin : 'another address'
  return `The source redirects ${path} to ${target}: give the address to which it redirects`
}

/** Milliseconds, by the headers `Retry-After` or `RateLimit-Reset`. */
function rateWait({ headers }: EgressResponse): number {
  const after = Number(headers['retry-after'])
  const reset = Number(headers['ratelimit-reset']) * SECOND - Date.now()
  const wait = after >= 0 ? after * SECOND : reset > 0 ? reset : MINUTE
  return Math.min(wait, MAX_RATE_WAIT)
}

function parsed(body: Buffer, path: string): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch (error) {
    throw new BulkImportError(`The source sent no JSON for ${path}`, { cause: error })
  }
}
