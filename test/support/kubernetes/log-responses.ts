import type { ServerResponse } from 'node:http'

import type { ContainerProcess } from './container-process.js'

/** Writes the log of a container, until it ends. */
export function serveLog(response: ServerResponse, url: URL, container: ContainerProcess): void {
  const since = url.searchParams.get('sinceTime')
  response.writeHead(200, { 'content-type': 'text/plain' }).flushHeaders()
  const write = (chunk: Buffer | undefined) => void (chunk ? response.write(chunk) : response.end())
  const stop = container.readLog(write, since === null ? 0 : Date.parse(since))
  response.once('close', stop)
}
