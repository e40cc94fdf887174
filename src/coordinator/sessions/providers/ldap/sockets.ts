import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** Maximum size of all responses on one connection, in bytes. */
const MAX_RECEIVED = 64 * 1024 * 1024

/**
 * The sockets of one connection. The client of LDAP would connect again by itself when the server closes the connection: in
 * the clear after StartTLS, and without the account, so that a search finds nobody. Therefore each kind is opened once.
 */
export class Sockets {
  readonly createConnection = this.once(connectTcp)
  readonly createSecureConnection = this.once(connectTls)
  private readonly opened: Socket[] = []

  destroy(): void {
    for (const socket of this.opened) socket.destroy()
  }

  private once<Connect extends typeof connectTcp | typeof connectTls>(connect: Connect): Connect {
    let isUsed = false
    const connectOnce = (...args: unknown[]): Socket => {
      if (isUsed) throw new Error('The server has closed the connection')
      isUsed = true
      const socket = Reflect.apply(connect, undefined, args) as Socket
      this.opened.push(socket)
      return limitReceived(socket)
    }
    return connectOnce as Connect
  }
}

function limitReceived(socket: Socket): Socket {
  let received = 0
  return socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > MAX_RECEIVED)
      socket.destroy(new Error(`The responses have more than ${MAX_RECEIVED} bytes`))
  })
}
