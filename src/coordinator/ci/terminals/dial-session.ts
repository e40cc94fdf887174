import { WebSocket } from 'ws'

import { LocalAddressError } from '../../../egress/errors.js'
import { SECOND } from '../../../lib/time-units.js'
import type { EgressClient } from '../../egress/egress-client.js'
import type { RunnerSession } from '../jobs/runner-sessions/read-session.js'
import type { DialFailure } from './dial-failure.js'

const SUBPROTOCOL = 'terminal.gitlab.com'
const MAX_MESSAGE_BYTES = 256 * 1024
/** Shorter than the time for which a person waits for the runner. */
const TIMEOUT = 30 * SECOND
/** Codes of Node.js for certificates that are not valid, of another authority, or for another host. */
const CERTIFICATE_ERROR = /CERT|LEAF_SIGNATURE|INVALID_(CA|PURPOSE)/

export interface DialOptions {
  egress: Pick<EgressClient, 'connectionTo'>
  /** Ends the attempt, as when the person has left. */
  signal: AbortSignal
  /** Milliseconds until the terminal is open. */
  timeout?: number
}

export type DialResult =
  | { kind: 'open'; socket: WebSocket }
  | { kind: 'failed'; failure: DialFailure; error?: unknown }
  | { kind: 'aborted' }

/**
 * Connects to the terminal of a job at the session server of its runner (runner protocol, 12.8). The address is that of a
 * user: the rules for egress hold, and no redirect is followed. The certificate must be for the host, and that of the
 * session or signed by it. The socket is paused when it opens.
 */
export async function dialSession(session: RunnerSession, options: DialOptions): Promise<DialResult> {
  if (options.signal.aborted) return { kind: 'aborted' }
  try {
    return await connect(session, options)
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error), error }
  }
}

/** Rejects with errors of sockets and TLS, and with `LocalAddressError`. */
async function connect(
  { url, certificate, authorization }: RunnerSession,
  { egress, signal, timeout = TIMEOUT }: DialOptions,
): Promise<DialResult> {
  const address = execUrl(url)
  const socket = new WebSocket(address, SUBPROTOCOL, {
    ...egress.connectionTo(address),
    headers: { authorization },
    ...(certificate !== '' && { ca: certificate }),
    rejectUnauthorized: true,
    followRedirects: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  })
  const late = AbortSignal.timeout(timeout)
  const stop = () => socket.terminate()
  const ended = AbortSignal.any([signal, late])
  ended.addEventListener('abort', stop)
  try {
    return await new Promise<DialResult>((resolve, reject) => {
      socket.once('open', () => {
        // A message may arrive together with the response.
        socket.pause()
        resolve({ kind: 'open', socket })
      })
      socket.once('unexpected-response', (_request, { statusCode: status = 0 }) => {
        resolve({ kind: 'failed', failure: { kind: 'status', status } })
        socket.terminate()
      })
      socket.on('error', (error) => {
        if (signal.aborted) resolve({ kind: 'aborted' })
        else if (late.aborted)
          resolve({ kind: 'failed', failure: { kind: 'timeout', seconds: timeout / SECOND } })
        else reject(error)
      })
    })
  } finally {
    ended.removeEventListener('abort', stop)
  }
}

function execUrl(url: string): URL {
  const address = new URL(url)
  address.protocol = 'wss:'
  address.pathname = `${address.pathname.replace(/\/+$/, '')}/exec`
  return address
}

function failureOf(error: unknown): DialFailure {
  if (error instanceof LocalAddressError) return { kind: 'local-address' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code !== undefined && CERTIFICATE_ERROR.test(code)) return { kind: 'certificate', code }
  return { kind: 'connection', code }
}
