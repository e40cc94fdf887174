// What Node.js does alone: reads a body of JSON, returns 204. Tells its parent the port.
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += String(chunk)))
  request.on('end', () => {
    JSON.parse(text)
    response.writeHead(204).end()
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address ? address.port : 0)
})
