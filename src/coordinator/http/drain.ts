import type { Server, ServerResponse } from 'node:http'

/**
 * Once the coordinator is to stop, each response asks its client to close the connection, so that the next request of the
 * client goes to another coordinator. Connections without a request stay open: a proxy may be sending one, which is still
 * answered. Call it after everything else that handles requests.
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
