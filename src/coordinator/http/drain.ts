import type { Server, ServerResponse } from 'node:http'

import type { FastifyInstance } from 'fastify'

import { pause } from '../../lib/pause.js'

/**
 * Once the coordinator is to stop, each response asks its client to close the connection, so that the next request of the
 * client goes to another coordinator. Connections without a request stay open: a proxy may be sending one, which is still
 * served. Call it after everything else that handles requests.
 */
export function closeConnectionsAfterResponses(server: Server, stopping: AbortSignal): void {
  const open = new Set<ServerResponse>()
  function forget(this: ServerResponse): void {
    open.delete(this)
  }
  server.prependListener('request', (_request, response) => {
    if (stopping.aborted) response.shouldKeepAlive = false
    else {
      open.add(response)
      response.once('close', forget)
    }
  })
  stopping.addEventListener(
    'abort',
    () => {
      for (const response of open) response.shouldKeepAlive = false
    },
    { once: true },
  )
}

/**
 * Time in which connections without a request may bring one, in milliseconds. A proxy under load uses all connections
 * that it keeps, so that none of them is closed while it sends.
 */
const LAST_REQUEST = 5000
/** Limits the time in which waiting connections are accepted, in milliseconds. */
const LAST_ACCEPT = 500

/**
 * Closes an app that has been asked to stop for some time. Connections without a request are closed only after a moment:
 * a proxy that has just connected would otherwise fail a request that it cannot send again. Both the port and idle
 * connections are closed right after the event loop has accepted and read what had arrived.
 */
export async function closeDrained(app: FastifyInstance): Promise<void> {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // The end of the server calls it at once.
  server.closeIdleConnections = () => undefined
  const close = server.close.bind(server)
  server.close = (onClosed) => {
    void untilNoneWaits(server).then(() => close(onClosed))
    return server
  }
  const closed = app.close()
  await Promise.race([closed, pause(LAST_REQUEST)])
  await new Promise((resolve) => void setImmediate(resolve))
  server.closeIdleConnections = closeIdle
  closeIdle()
  await closed
}

/** The event loop accepts one connection per turn. Those that wait when the port is closed are reset. */
async function untilNoneWaits(server: Server): Promise<void> {
  let accepted = 0
  const count = (): void => void (accepted += 1)
  server.on('connection', count)
  const end = performance.now() + LAST_ACCEPT
  for (let before = -1; before < accepted && performance.now() < end;) {
    before = accepted
    await new Promise((resolve) => void setImmediate(resolve))
  }
  server.off('connection', count)
}
