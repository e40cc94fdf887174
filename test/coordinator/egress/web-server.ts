import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { onFinished } from '../../support/lifetime.js'

/** An HTTP server on this machine, and the requests it received. */
export async function webServer(
  respond: RequestListener,
): Promise<{ url: string; port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, asked }
}
