// What Fastify does alone: a route that sends JSON from its parent, which receives the port, and one that reads a body to
// its end.
import { once } from 'node:events'

import fastify from 'fastify'

const [record] = /** @type {[unknown]} */ (await once(process, 'message'))
const app = fastify()
app.addContentTypeParser('text/plain', (_request, body, done) => done(null, body))
app.get('/api/v4/projects/:id', () => record)
app.put('/api/v4/jobs/:id', () => 200)
app.patch('/api/v4/jobs/:id/trace', async (request, reply) => {
  request.raw.resume()
  await once(request.raw, 'end')
  return reply.code(202).send()
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
