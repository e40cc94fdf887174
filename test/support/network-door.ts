import { createServer, type Socket } from 'node:net'

import { onFinished } from './lifetime.js'

/** A server that passes each connection on, and can be shut. */
export interface NetworkDoor {
  /** Port at 127.0.0.1. Undefined for a door at a path. */
  port: number | undefined
  /** Cuts every connection; further ones are refused until `open`. */
  shut(): void
  open(): void
}

/** `connect`: opens the connection to what is behind the door. `join`: what is done with both connections; by default they are piped. */
export async function openNetworkDoor(
  place: { path: string } | { host: string; port: number } | 'loopback',
  connect: () => Socket,
  join: (inside: Socket, outside: Socket) => void = (inside, outside) => inside.pipe(outside).pipe(inside),
): Promise<NetworkDoor> {
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((inside) => {
    if (!isOpen) return inside.destroy()
    const outside = connect()
    for (const socket of [inside, outside]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    join(inside, outside)
  })
  const options = place === 'loopback' ? { host: '127.0.0.1', port: 0 } : place
  await new Promise<void>((resolve) => server.listen(options, resolve))
  const shut = () => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  onFinished(() => {
    shut()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : undefined
  return { port, shut, open: () => void (isOpen = true) }
}
