import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { type WebSocket, WebSocketServer } from 'ws'

import { selfSignedCertificate } from './certificates.js'
import { onFinished } from './lifetime.js'

export const AUTHORIZATION = '5e551011a07421d5e551011a07421d00'
const PATH = '/session/0123456789abcdef0123456789abcdef'

interface Options {
  /** The host that its certificate is for. */
  host?: string
  /** What it responds with instead of a terminal, or that it does not respond. A redirect leads to `location`. */
  status?: number | 'none'
  location?: string
}

/**
 * A session server as that of the reference runner (runner protocol, 12.8). Its shell prints a prompt and echoes what is
 * typed; `exit` ends it.
 */
export class SessionServer {
  /** Requests for a terminal, in order. */
  readonly requests: IncomingMessage[] = []
  /** Bytes of all messages that it has received. */
  readonly received: Buffer[] = []
  /** Sockets of the shells. */
  readonly shells: WebSocket[] = []
  private accepted = 0

  private constructor(
    readonly certificate: string,
    private readonly port: number,
  ) {}

  static async start({ host = '127.0.0.1', status, location }: Options = {}): Promise<SessionServer> {
    const { cert, key } = await selfSignedCertificate(host)
    const server = createServer({ cert, key }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const started = new SessionServer(cert, (server.address() as AddressInfo).port)
    server.on('connection', () => (started.accepted += 1))
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'terminal.gitlab.com' })
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      started.requests.push(request)
      const refusal = status ?? refusalOf(request)
      if (refusal === 'none') onFinished(() => void socket.destroy())
      else if (refusal === undefined)
        sockets.handleUpgrade(request, socket, head, (opened) => started.serve(opened))
      else
        socket.end(
          `HTTP/1.1 ${refusal} Refused\r\n${location === undefined ? '' : `Location: ${location}\r\n`}Content-Length: 0\r\n\r\n`,
        )
    })
    onFinished(() => {
      for (const shell of started.shells) shell.terminate()
      server.close()
      server.closeAllConnections()
    })
    return started
  }

  /** The number of connections that it has accepted, of whatever protocol. */
  connections(): number {
    return this.accepted
  }

  /** What its runner sends with a job request. */
  session(host = '127.0.0.1'): { url: string; certificate: string; authorization: string } {
    const { certificate } = this
    return { url: `https://${host}:${this.port}${PATH}`, certificate, authorization: AUTHORIZATION }
  }

  private serve(shell: WebSocket): void {
    this.shells.push(shell)
    shell.on('message', (data: Buffer) => {
      this.received.push(data)
      // The reference runner sends no close frame.
      if (data.toString('utf8') === 'exit\r') shell.terminate()
      else shell.send(data)
    })
    shell.send(Buffer.from('$ '))
  }
}

function refusalOf({ url, headers }: IncomingMessage): number | undefined {
  if (url !== `${PATH}/exec`) return 404
  return headers.authorization === AUTHORIZATION ? undefined : 401
}
