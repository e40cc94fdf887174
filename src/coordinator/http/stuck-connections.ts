import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

/** How long, in seconds, a connection may stand still while something has yet to be sent on it or to come. */
export interface StuckLimits {
  /** Long enough for a client that writes what it gets to a slow disk. */
  usually: number
  /** While the coordinator waits for its requests to end. */
  whenStopping: number
}

export const STUCK_LIMITS: StuckLimits = { usually: 120, whenStopping: 10 }

/** As often it is looked whether something moves, in the time of the limit. */
const LOOKS = 4

interface Seen {
  request: IncomingMessage | undefined
  /** Bytes that had come and gone at the last look, and those that waited. */
  mark: string
  /** Looks in a row at which nothing had moved. */
  still: number
}

/**
 * Ends connections whose client does not read its answer, or does not send the rest of its request. They would hold what
 * the answer is made by, a turn of git for example, for as long as they like, and keep a coordinator from stopping. A
 * request that is at work, or held until there is a job, has nothing to send and is left alone.
 */
export function endStuckConnections(
  app: FastifyInstance,
  stopping: AbortSignal,
  limits: StuckLimits = STUCK_LIMITS,
): void {
  const connections = new Map<Socket, Seen>()
  watch(app.server, connections)
  const look = (): void => {
    for (const [socket, seen] of connections) lookAt(socket, seen)
  }
  /** What was at work when the server closed is kept for another request once it has its answer. */
  const lookForTheLast = (): void => {
    look()
    app.server.closeIdleConnections()
  }
  let timer = setInterval(look, (limits.usually * 1000) / LOOKS).unref()
  const hurry = (): void => {
    clearInterval(timer)
    for (const seen of connections.values()) seen.still = 0
    timer = setInterval(lookForTheLast, (limits.whenStopping * 1000) / LOOKS).unref()
  }
  stopping.addEventListener('abort', hurry, { once: true })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    stopping.removeEventListener('abort', hurry)
  })
}

function watch(server: Server, connections: Map<Socket, Seen>): void {
  server.on('connection', (socket) => {
    connections.set(socket, { request: undefined, mark: '', still: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', (request) => {
    const seen = connections.get(request.socket)
    if (seen) seen.request = request
  })
}

function lookAt(socket: Socket, seen: Seen): void {
  const mark = `${socket.bytesRead} ${socket.bytesWritten} ${socket.writableLength}`
  const isWaiting = socket.writableLength > 0 || isAwaited(seen.request)
  seen.still = isWaiting && mark === seen.mark ? seen.still + 1 : 0
  seen.mark = mark
  if (seen.still >= LOOKS) socket.destroy()
}

/** What has come and lies there waits for us, not for the client. */
function isAwaited(request: IncomingMessage | undefined): boolean {
  return request !== undefined && !request.complete && request.readableLength === 0
}
