import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'

import { WebSocket } from 'ws'

import { linkSignals } from '../../../../../lib/link-signals.js'
import { readAtMost } from '../../../../../lib/read-at-most.js'
import type { ShellRequest } from '../../../executor.js'
import { type ApiClient, KEEP_ALIVE } from '../api/api-client.js'
import { networkError, responseError, silenceError } from '../api/api-errors.js'
import type { ContainerPlace } from '../cluster.js'
import type { Identity } from '../credentials/credentials.js'
import { EXEC_PROTOCOLS } from './channels.js'

const MAX_ERROR_BODY = 64 * 1024

/** Opens the connection of a command, which is paused. Throws a `ClusterError`, or the reason of `signal`. */
export async function dialExec(
  client: ApiClient,
  place: ContainerPlace,
  request: ShellRequest,
  signal: AbortSignal,
): Promise<WebSocket> {
  const url = execUrl(client, place, request)
  return await client.withIdentity((identity) => dial(client, url, identity, signal))
}

function execUrl(client: ApiClient, place: ContainerPlace, { command, size }: ShellRequest): URL {
  const path = `/api/v1/namespaces/${encodeURIComponent(place.namespace)}/pods/${encodeURIComponent(place.pod)}/exec`
  const hasTerminal = size !== undefined
  const url = client.urlOf({
    path,
    query: {
      container: place.container,
      stdin: 'true',
      stdout: 'true',
      stderr: String(!hasTerminal),
      tty: String(hasTerminal),
    },
  })
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
  const socket = new WebSocket(url, [...EXEC_PROTOCOLS], {
    ...tls,
    headers,
    handshakeTimeout: client.timeout,
    perMessageDeflate: false,
    // A message is what the command printed at once; the bytes are read as they come.
    maxPayload: 32 * 1024 * 1024,
  })
  const refused = once(socket, 'unexpected-response')
  const ends = linkSignals(signal, client.closed)
  const onAbort = () => socket.terminate()
  ends.signal.addEventListener('abort', onAbort, { once: true })
  // Not later: a message may arrive together with the response.
  socket.once('open', () => socket.pause())
  try {
    const [, response] = (await Promise.race([once(socket, 'open'), refused])) as [unknown?, IncomingMessage?]
    if (response)
      throw responseError(
        response.statusCode ?? 0,
        await readAtMost(response, MAX_ERROR_BODY, 'cut'),
        client.server,
      )
    return socket
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Error && error.message === 'Opening handshake has timed out') {
      throw silenceError(client.server, client.timeout)
    }
    throw networkError(error, client.server)
  } finally {
    ends.signal.removeEventListener('abort', onAbort)
    ends.release()
  }
}
