import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'

import { WebSocket } from 'ws'

import { messageOf } from '../../../../../lib/errors.js'
import { linkSignals } from '../../../../../lib/link-signals.js'
import { readAtMost } from '../../../../../lib/read-at-most.js'
import type { ShellRequest } from '../../../executor.js'
import type { ApiClient } from '../api/api-client.js'
import { networkError, responseError, silenceError } from '../api/api-errors.js'
import type { Identity } from '../credentials/credentials.js'
import { EXEC_PROTOCOLS } from './channels.js'

const MAX_ERROR_BODY = 64 * 1024
const MAX_MESSAGE = 32 * 1024 * 1024
/** The message of the error of `ws`, which has no code. */
const HANDSHAKE_TIMEOUT = 'Opening handshake has timed out'

export interface ExecRequest extends ShellRequest {
  /** Of the pod, with `exec`. */
  path: string
  container: string
}

/** Opens the connection of a command, which is paused. Throws a `ClusterError`, or the reason of `signal`. */
export async function dialExec(
  client: ApiClient,
  request: ExecRequest,
  signal: AbortSignal,
): Promise<WebSocket> {
  const url = execUrl(client, request)
  return await client.withIdentity((identity) => dial(client, url, identity, signal))
}

function execUrl(client: ApiClient, { path, container, command, size }: ExecRequest): URL {
  const hasTerminal = size !== undefined
  const channels = { stdin: 'true', stdout: 'true', stderr: String(!hasTerminal), tty: String(hasTerminal) }
  const url = client.urlOf({ path, query: { container, ...channels } })
  for (const word of command) url.searchParams.append('command', word)
  url.protocol = url.protocol.replace('http', 'ws')
  return url
}

async function dial(
  client: ApiClient,
  url: URL,
  { tls, headers }: Identity,
  signal: AbortSignal,
): Promise<WebSocket> {
  signal.throwIfAborted()
  client.closed.throwIfAborted()
  const socket = new WebSocket(url, [...EXEC_PROTOCOLS], {
    ...tls,
    headers,
    agent: client.agent,
    handshakeTimeout: client.timeout,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
  })
  const ends = linkSignals(signal, client.closed)
  const onAbort = () => socket.terminate()
  ends.signal.addEventListener('abort', onAbort, { once: true })
  // Not later: a message may arrive together with the response.
  socket.once('open', () => socket.pause())
  try {
    const refusal = await Promise.race([opened(socket), refused(socket)])
    if (!refusal) {
      endWith(client.closed, socket)
      return socket
    }
    const body = await readAtMost(refusal, MAX_ERROR_BODY, 'cut')
    throw responseError(refusal.statusCode ?? 0, body, client.server)
  } catch (error) {
    // Ending a connection that was not opened is an error of its own.
    socket.on('error', () => undefined)
    socket.terminate()
    signal.throwIfAborted()
    client.closed.throwIfAborted()
    if (messageOf(error) === HANDSHAKE_TIMEOUT) throw silenceError(client.server, client.timeout)
    throw networkError(error, client.server)
  } finally {
    ends.signal.removeEventListener('abort', onAbort)
    ends.release()
  }
}

/** Ends the connection when `closed` aborts. The command continues. */
function endWith(closed: AbortSignal, socket: WebSocket): void {
  const onClosed = () => socket.terminate()
  closed.addEventListener('abort', onClosed, { once: true })
  socket.once('close', () => closed.removeEventListener('abort', onClosed))
}

async function opened(socket: WebSocket): Promise<undefined> {
  await once(socket, 'open')
}

/** Resolves with a response that is not the expected one. */
async function refused(socket: WebSocket): Promise<IncomingMessage> {
  return await new Promise((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response))
  })
}
