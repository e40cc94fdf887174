import type { Selectable } from 'kysely'

import { LocalAddressError } from '../../../../egress/errors.js'
import { messageOf } from '../../../../lib/errors.js'
import type { WebHookTable } from '../../../database/tables/webhooks.js'
import type { EgressClient, EgressRequest, EgressResponse } from '../../../egress/egress-client.js'
import type { DeliveryRequest } from './delivery-request.js'

/** Time limit of a whole delivery, in milliseconds (API, K2). */
export const TIMEOUT = 10_000
/** Maximum size of the stored response body, in bytes. */
const MAX_BODY_BYTES = 8 * 1024
const MAX_HEADERS = 50
/** A lookup and the request after it take less than the lease of a hook. */
const LOOKUP_TIMEOUT = 5000
const MAX_LOOKUP_BYTES = 1024 * 1024
const NOT_FOUND = 404

/** Outcome of a delivery attempt. */
export type Outcome = (
  | { kind: 'responded'; status: number; headers: Record<string, string>; body: string }
  /** No response. `isWorthRetrying`: a retry may succeed. */
  | { kind: 'failed'; reason: string; isWorthRetrying: boolean }
  /** Sent to a server that does not respond. */
  | { kind: 'sent' }
  /** There was nothing to send, which is not a failure of the receiver. */
  | { kind: 'unsent'; reason: string }
) & {
  /** Duration in seconds. */
  duration: number
}

export function isSuccess(outcome: Outcome): boolean {
  if (outcome.kind === 'sent') return true
  return outcome.kind === 'responded' && outcome.status >= 200 && outcome.status < 400
}

type Certificates = Pick<Selectable<WebHookTable>, 'enable_ssl_verification'>

/** Sends one request; a redirect counts as a response. Rejects only on internal errors. */
export function sendDelivery(
  egress: EgressClient,
  request: DeliveryRequest,
  certificates: Certificates,
  deadline = AbortSignal.timeout(TIMEOUT),
): Promise<Outcome> {
  return timed(TIMEOUT, async (duration) => {
    const reply = await responseTo(egress, request, certificates, {
      timeout: TIMEOUT,
      maxBytes: MAX_BODY_BYTES,
      signal: deadline,
    })
    return served(reply, duration())
  })
}

/** The body of a response with a status of 200 to 299, or why there is none. */
export async function sendLookup(
  egress: EgressClient,
  request: DeliveryRequest,
  certificates: Certificates,
): Promise<{ body: string } | { outcome: Outcome }> {
  let body: string | undefined
  const outcome = await timed(LOOKUP_TIMEOUT, async (duration): Promise<Outcome> => {
    const signal = AbortSignal.timeout(LOOKUP_TIMEOUT)
    const limits = { timeout: LOOKUP_TIMEOUT, maxBytes: MAX_LOOKUP_BYTES, signal }
    const reply = await responseTo(egress, request, certificates, limits)
    if (reply.status >= 200 && reply.status < 300) body = reply.body.toString('utf8')
    if (reply.status !== NOT_FOUND) return served(reply, duration())
    return {
      kind: 'unsent',
      reason: 'The other service does not have what the event names',
      duration: duration(),
    }
  })
  return body === undefined ? { outcome } : { body }
}

function responseTo(
  egress: EgressClient,
  { method, url, headers, body }: DeliveryRequest,
  { enable_ssl_verification }: Certificates,
  { timeout, maxBytes, signal }: Pick<EgressRequest, 'timeout' | 'maxBytes'> & { signal: AbortSignal },
): Promise<EgressResponse> {
  return egress.send({
    url,
    headers,
    ...(body !== undefined && { body }),
    method,
    timeout,
    maxBytes,
    whenLonger: 'cut',
    acceptsAnyCertificate: !enable_ssl_verification,
    signal,
  })
}

function served({ status, headers, body }: EgressResponse, duration: number): Outcome {
  return {
    kind: 'responded',
    status,
    duration,
    headers: firstHeaders(headers),
    body: storableText(body.subarray(0, MAX_BODY_BYTES)),
  }
}

/** Turns errors of the network or the receiver into an outcome. `duration` gives the seconds since the start. */
export async function timed(
  timeout: number,
  send: (duration: () => number) => Promise<Outcome>,
): Promise<Outcome> {
  const start = performance.now()
  const duration = (): number => Math.round(performance.now() - start) / 1000
  try {
    return await send(duration)
  } catch (error) {
    if (!isNoResponse(error)) throw error
    const isWorthRetrying = !(error instanceof LocalAddressError)
    return { kind: 'failed', reason: reasonOf(error, timeout), isWorthRetrying, duration: duration() }
  }
}

function firstHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')])
  return Object.fromEntries(texts.slice(0, MAX_HEADERS)) as Record<string, string>
}

/** PostgreSQL cannot store NUL in a text. */
function storableText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '')
}

/**
 * Whether the error comes from the network or the receiver. Such errors have a code; all others are internal
 * errors.
 */
function isNoResponse(error: unknown): error is Error {
  return error instanceof DOMException || (error instanceof Error && 'code' in error)
}

function reasonOf(error: Error, timeout: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `No response within ${timeout / 1000} seconds`
  }
  return messageOf(error) || ('code' in error ? String(error.code) : error.name)
}
