import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'

import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'

import { endStuckConnections, type StuckLimits } from '../../../src/coordinator/http/stuck-connections.js'
import { deferred } from '../../../src/lib/deferred.js'

/** Serves what has no end, what waits to be released, and what reads a body. */
async function serve(limits: StuckLimits) {
  const app = Fastify()
  const stopping = new AbortController()
  const released = deferred()
  const held = deferred()
  const ended = deferred()
  endStuckConnections(app, stopping.signal, limits)
  app.get('/endless', (_request, reply) => {
    const body = Readable.from(endlessly())
    body.once('close', () => ended.resolve())
    return reply.type('application/octet-stream').send(body)
  })
  app.get('/held', async () => {
    held.resolve()
    await released.promise
    return 'released'
  })
  app.post('/body', (_request, reply) => reply.send('read'))
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    released.resolve()
    await app.close()
  })
  return { app, stopping, released, held, ended }
}

function* endlessly(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024)
}

/** A client that sends this and reads nothing until the test asks for it. */
async function send(app: FastifyInstance, text: string): Promise<Socket> {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new TypeError('No port')
  const socket = connect(address.port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(text)
  return socket
}

test('a client that reads nothing keeps neither its response nor the server', async () => {
  const { app, stopping, ended } = await serve({ usually: 3600, whenStopping: 0.2 })
  await send(app, 'GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(app.server, 'request')
  stopping.abort()
  await app.close()
  await ended.promise
})

test('a response is ended early during normal operation too', async () => {
  const { app, ended } = await serve({ usually: 0.2, whenStopping: 0.2 })
  await send(app, 'GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
  await ended.promise
})

test('a client that does not send the rest of its request does not keep the server', async () => {
  const { app, stopping } = await serve({ usually: 3600, whenStopping: 0.2 })
  const text =
    'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"a"'
  await send(app, text)
  await once(app.server, 'request')
  stopping.abort()
  await app.close()
})

test('a connection without a request does not keep the server', async () => {
  const { app, stopping } = await serve({ usually: 3600, whenStopping: 0.2 })
  const accepted = once(app.server, 'connection')
  await send(app, '')
  await accepted
  stopping.abort()
  await app.close()
  expect(app.server.listening).toBe(false)
})

test('a request that is at work, and has nothing to send, is waited for', async () => {
  const { app, stopping, released, held } = await serve({ usually: 0.05, whenStopping: 0.05 })
  const stuck = await serve({ usually: 0.2, whenStopping: 0.2 })
  const socket = await send(app, 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n')
  await held.promise
  stopping.abort()
  const closed = app.close()
  // By the time that another one is ended, this one has been looked at more than often enough.
  await send(stuck.app, 'GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
  await stuck.ended.promise
  released.resolve()
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  await closed
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 200 OK[^]*released$/)
})
