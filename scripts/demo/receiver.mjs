import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Receives the webhooks of the demo: it refuses those to `/broken`.
 * @param {number} [port] any free one by default
 */
export async function startReceiver(port = 0) {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const isBroken = request.url?.startsWith('/broken') ?? false
      response.writeHead(isBroken ? 500 : 200, { 'content-type': 'text/plain' })
      response.end(isBroken ? 'The tracker has moved.\n' : 'received\n')
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
