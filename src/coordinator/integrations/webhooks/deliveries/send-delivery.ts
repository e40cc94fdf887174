import { LocalAddressError } from '../../../../egress/errors.js'
import { messageOf } from '../../../../lib/errors.js'
import type { EgressClient } from '../../../egress/egress-client.js'
import type { DeliveryRequest } from './delivery-request.js'

/** Time limit of a whole delivery, in milliseconds (API, K2). */
const TIMEOUT = 10_000
/** Maximum size of the stored response body, in bytes. */
const MAX_BODY_BYTES = 8 * 1024
const MAX_HEADERS = 50

/** Outcome of a delivery attempt. */
export type Outcome = (
  | { kind: 'answered'; status: number; headers: Record<string, string>; body: string }
  /** No response. `isWorthRetrying`: a retry may succeed. */
  | { kind: 'failed'; reason: string; isWorthRetrying: boolean }
  /** There was nothing to send, which is not a failure of the receiver. */
  | { kind: 'unsent'; reason: string }
) & {
  /** Duration in seconds. */
  duration: number
}

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 400
}

/** Sends one request; a redirect counts as a response. Rejects only on internal errors. */
export async function sendDelivery(
  egress: EgressClient,
  { url, headers, body }: DeliveryRequest,
  { enable_ssl_verification }: { enable_ssl_verification: boolean },
): Promise<Outcome> {
  const start = performance.now()
  const duration = (): number => Math.round(performance.now() - start) / 1000
  try {
    const answer = await egress.send({
      url,
      headers,
      body,
      method: 'POST',
      timeout: TIMEOUT,
      maxBytes: MAX_BODY_BYTES,
      whenLonger: 'cut',
      acceptsAnyCertificate: !enable_ssl_verification,
      signal: AbortSignal.timeout(TIMEOUT),
    })
    return {
      kind: 'answered',
      status: answer.status,
      duration: duration(),
      headers: firstHeaders(answer.headers),
      body: storableText(answer.body),
    }
  } catch (error) {
    if (!isNoAnswer(error)) throw error
    const isWorthRetrying = !(error instanceof LocalAddressError)
    return { kind: 'failed', reason: reasonOf(error), isWorthRetrying, duration: duration() }
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
function isNoAnswer(error: unknown): error is Error {
  return error instanceof DOMException || (error instanceof Error && 'code' in error)
}

function reasonOf(error: Error): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return `No response within ${TIMEOUT / 1000} seconds`
  }
  return messageOf(error) || ('code' in error ? String(error.code) : error.name)
}
