import type { ServerResponse } from 'node:http'

import type { ContainerProcess } from './container-process.js'

/** Writes the log of a container, until it ends. */
export function serveLog(response: ServerResponse, container: ContainerProcess): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
  const stop = container.readLog((chunk) => void (chunk ? response.write(chunk) : response.end()))
  response.once('close', stop)
}
