import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onFinished } from '../../../support/lifetime.js'

export type Recorded = Record<string, unknown>
type Responder = (request: IncomingMessage, response: ServerResponse) => void

export const TOKEN = 'glpat-recorded'

/** The responses of a server of the reference by paths below `/api/v4`, without parameters. */
export function recorded(): Recorded {
  const file = new URL('../../../fixtures/bulk-imports/gitlab-17.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded
}

/**
 * A server that sends recorded responses, and 404 for other paths. A record with `status` and `body` is a response of that
 * status, and a function responds itself.
 */
export async function startRecordedSource(responses: Recorded) {
  const requests: { path: string; token: string | undefined }[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/api\/v4/, '')
    requests.push({ path, token: request.headers['private-token'] as string | undefined })
    const found = responses[path] ?? responses[path.replace(/\?.*/, '')]
    if (typeof found === 'function') (found as Responder)(request, response)
    else send(response, found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

function send(response: ServerResponse, found: unknown): void {
  const isStatus = typeof found === 'object' && found !== null && 'status' in found && 'body' in found
  const { status, body } = isStatus
    ? { status: Number(found.status), body: found.body }
    : found === undefined
      ? { status: 404, body: { message: '404 Not Found' } }
      : { status: 200, body: found }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
