import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

import type { FastifyInstance } from 'fastify'

/**
 * Limits, in seconds, on how long a connection may make no progress while data is pending in either
 * direction.
 */
export interface StuckLimits {
  /** The default; long enough for a client that writes the response to a slow disk. */
  usually: number
  /** While the coordinator waits for open requests to end. */
  whenStopping: number
}

const STUCK_LIMITS: StuckLimits = { usually: 120, whenStopping: 10 }

/** Number of progress checks within the time limit. */
const LOOKS = 4

interface Seen {
  request: IncomingMessage | undefined
  /** Bytes transferred and pending at the last check. */
  mark: string
  /** Consecutive checks without progress. */
  still: number
}

/**
 * Closes connections whose client does not read its response, or does not send the rest of its request. They
 * would hold resources such as a git semaphore slot, and keep a coordinator from stopping. A request that is
 * being handled, or that waits for a job, has no data to send and stays open.
 */
export function endStuckConnections(
  app: FastifyInstance,
  stopping: AbortSignal,
  limits: StuckLimits = STUCK_LIMITS,
): void {
  const connections = new Map<Socket, Seen>()
  watch(app.server, connections)
  const check = (): void => {
    for (const [socket, seen] of connections) checkProgress(socket, seen)
  }
  /**
   * A connection that was busy when the server closed would otherwise stay open for another request after its
   * response.
   */
  const checkLast = (): void => {
    check()
    // While it listens, a proxy may have connected to send a request.
    if (app.server.listening) return
    closeUnused(connections)
    app.server.closeIdleConnections()
  }
  let timer = setInterval(check, (limits.usually * 1000) / LOOKS).unref()
  const hurry = (): void => {
    clearInterval(timer)
    for (const seen of connections.values()) seen.still = 0
    timer = setInterval(checkLast, (limits.whenStopping * 1000) / LOOKS).unref()
  }
  stopping.addEventListener('abort', hurry, { once: true })
  app.addHook('onClose', async () => {
    clearInterval(timer)
    stopping.removeEventListener('abort', hurry)
  })
}

/** Clients open connections in advance; the server takes those without a request for busy ones for a minute. */
function closeUnused(connections: ReadonlyMap<Socket, Seen>): void {
  for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
}

function watch(server: Server, connections: Map<Socket, Seen>): void {
  // One for all, because there may be a connection for each of thousands of runners. `close` is emitted once.
  function forget(this: Socket): void {
    connections.delete(this)
  }
  server.on('connection', (socket) => {
    connections.set(socket, { request: undefined, mark: '', still: 0 })
    socket.on('close', forget)
  })
  server.on('request', (request) => {
    const seen = connections.get(request.socket)
    if (seen) seen.request = request
  })
}

function checkProgress(socket: Socket, seen: Seen): void {
  const mark = `${socket.bytesRead} ${socket.bytesWritten} ${socket.writableLength}`
  const isWaiting = socket.writableLength > 0 || isAwaited(seen.request)
  seen.still = isWaiting && mark === seen.mark ? seen.still + 1 : 0
  seen.mark = mark
  if (seen.still >= LOOKS) socket.destroy()
}

/** If received bytes are not read yet, the client waits for the coordinator, not the other way round. */
function isAwaited(request: IncomingMessage | undefined): boolean {
  return request !== undefined && !request.complete && request.readableLength === 0
}
