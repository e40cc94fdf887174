// What Fastify does alone: a route that answers the JSON it is told of by its parent, whom it tells the port.
import { once } from 'node:events'

import fastify from 'fastify'

const [record] = /** @type {[unknown]} */ (await once(process, 'message'))
const app = fastify()
app.get('/api/v4/projects/:id', () => record)
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.(typeof address === 'object' && address ? address.port : 0)
