import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import { onFinished } from '../../support/lifetime.js'

/**
 * A proxy that adds fields to the payloads of jobs which no CI file can set yet. Other traffic is unchanged. Returns
 * its URL. It is closed after the test.
 */
export async function startPayloadProxy(url: string, addition: object): Promise<string> {
  const server = createServer((incoming, response) => {
    forward(url, incoming, response, addition).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function forward(
  url: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  addition: object,
): Promise<void> {
  const { method, headers } = incoming
  const forwarded = request(new URL(incoming.url ?? '/', url), { method, headers, agent: false })
  response.once('close', () => forwarded.destroy())
  const [[reply]] = await Promise.all([
    once(forwarded, 'response') as Promise<[IncomingMessage]>,
    pipeline(incoming, forwarded),
  ])
  const isJob = reply.statusCode === 201 && incoming.url?.endsWith('/jobs/request')
  if (!isJob) {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    await pipeline(reply, response)
    return
  }
  const payload = JSON.stringify({ ...((await json(reply)) as object), ...addition })
  const length = { 'content-length': String(Buffer.byteLength(payload)) }
  response.writeHead(201, { ...reply.headers, ...length }).end(payload)
}
