import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give to servers without a port of their own, and to outgoing connections. */
const FIRST = 10_000
const LAST = 32_000
const ATTEMPTS = 100

/**
 * A port on loopback at which nothing listens. It stays reserved for this process until it ends, also while nothing
 * listens there, such as before a restart: no other server of any test gets it.
 *
 * The reservation is a UDP socket with the same number, which the kernel closes however the process ends.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST)
    if ((await reserve(port)) && (await isUnused(port))) return port
  }
  throw new Error(`No port between ${FIRST} and ${LAST} is free. End processes that listen there.`)
}

async function reserve(port: number): Promise<boolean> {
  const socket = createSocket('udp4')
  socket.bind({ address: '127.0.0.1', port, exclusive: true })
  const isReserved = await isListening(socket)
  if (isReserved) socket.unref()
  return isReserved
}

async function isUnused(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  if (!(await isListening(server))) return false
  server.close()
  await once(server, 'close')
  return true
}

/** False if the address is in use. */
async function isListening(socket: NodeJS.EventEmitter): Promise<boolean> {
  try {
    await once(socket, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}
