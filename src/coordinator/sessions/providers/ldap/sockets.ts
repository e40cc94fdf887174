import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Maximum size of all responses on one connection, in bytes. */
const MAX_RECEIVED = 64 * 1024 * 1024

/**
 * The sockets of one connection. When the server closes it, the client of LDAP would connect again by itself: without the
 * account, so that a search finds nobody, and in the clear after StartTLS. Therefore each kind is opened once. After
 * StartTLS, the client does not recognize the end of a connection: it would wait for a response.
 */
export class Sockets {
  readonly createConnection = this.once(connectTcp)
  readonly createSecureConnection = this.once(connectTls)
  private readonly opened: Socket[] = []

  /** Throws if the server has closed the connection. */
  requireOpen(): void {
    if (this.opened.some(({ destroyed }) => destroyed)) throw closed()
  }

  destroy(): void {
    for (const socket of this.opened) socket.destroy()
  }

  private once<Connect extends typeof connectTcp | typeof connectTls>(connect: Connect): Connect {
    let isUsed = false
    const connectOnce = (...args: unknown[]): Socket => {
      if (isUsed) throw closed()
      isUsed = true
      const socket = Reflect.apply(connect, undefined, args) as Socket
      this.opened.push(socket.once('close', () => this.destroy()))
      return limitReceived(socket)
    }
    return connectOnce as Connect
  }
}

function closed(): Error {
  return new Error('The server has closed the connection')
}

function limitReceived(socket: Socket): Socket {
  let received = 0
  return socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > MAX_RECEIVED)
      socket.destroy(new Error(`The responses have more than ${MAX_RECEIVED} bytes`))
  })
}
