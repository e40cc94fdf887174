import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { operation } from '../../../src/coordinator/http/operation.js'
import { page } from '../../../src/coordinator/http/page.js'
import { leaveBodiesUnread } from '../../../src/coordinator/http/parameters/body-parsers.js'
import { openSqlite } from '../../support/databases.js'
import { EXTERNAL_URL, openApp } from '../support/test-app.js'

// What HTTP clients of libraries do not send, and attackers do.

/** Responds without reading the body, as the git routes do for refused clients. */
function unread(app: FastifyInstance): void {
  leaveBodiesUnread(app)
  app.post('/unread', (_request, reply) => reply.send('served'))
  app.post('/failing', async ({ raw }) => {
    await once(raw, 'readable')
    raw.read()
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
}

/** Sends this to a coordinator that listens, and returns all that comes back. */
async function exchange(request: string): Promise<string> {
  const socket = await connected()
  socket.write(request)
  return text(socket)
}

/** A connection to a coordinator that waits so long for a body. */
async function connected(bodySeconds = 0.2): Promise<Socket> {
  const list = operation('GET /things', {
    summary: 'List things',
    access: 'anyone',
    responses: { 200: Type.Array(Type.Integer()) },
    paginated: true,
    run: async () => page([1], 50),
  })
  const { app } = openApp((await openSqlite()).database, [list], { bodySeconds, plugins: [unread] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new TypeError('No port')
  const socket = connect(address.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const REST = ' HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: evil.example\r\nconnection: close\r\n\r\n'

test.each(['/api/v4/things?x=1', 'http://evil.example/api/v4/things?x=1', 'HTTP://a@b:1/api/v4/things?x=1'])(
  'links lead to where the coordinator is, whatever a client calls it: GET %s',
  async (target) => {
    const result = await exchange(`GET ${target}${REST}`)
    expect(result).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(result).toContain(`link: <${EXTERNAL_URL}/api/v4/things?x=1&per_page=20&page=2>; rel="next"`)
    expect(result).not.toContain('evil')
  },
)

test.each([
  'http://evil.example',
  'http://evil.example?a=/api/v4/things',
  'http://evil.example//api/v4/things',
])('an address without a path of ours leads nowhere: GET %s', async (target) => {
  expect(await exchange(`GET ${target}${REST}`)).toMatch(/^HTTP\/1.1 404 Not Found\r\n/)
})

test.each([
  ['two lengths', 'content-length: 4\r\ncontent-length: 5'],
  ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked'],
  ['chunks that are not the last encoding', 'transfer-encoding: chunked, gzip'],
  ['a line that a header is continued on', 'x: a\r\n b: c\x00'],
  ['a space before the colon', 'x : a'],
])('a request whose end is in doubt is refused, and ends the connection: %s', async (_name, headers) => {
  const hidden = 'GET /api/v4/things HTTP/1.1\r\nhost: x\r\n\r\n'
  const result = await exchange(`POST /api/v4/things HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${hidden}`)
  expect(result).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(result).not.toContain('200 OK')
})

test('a body that continues after the response does not keep the connection open', async () => {
  const headers = 'host: x\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000'
  const result = await exchange(`POST /unread HTTP/1.1\r\n${headers}\r\n\r\n{`)
  expect(result).toMatch(/^HTTP\/1.1 200 OK\r\n/)
})

test.each(['/failing', '/unread'])(
  'a client that sends its whole body before it reads gets the response to %s',
  async (path) => {
    const socket = await connected(60)
    const length = 16 * 1024 * 1024
    const headers = `host: x\r\ncontent-type: application/octet-stream\r\ncontent-length: ${length}`
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(Buffer.alloc(length), () => resolve())
    })
    const [result] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    expect(result.toString()).toMatch(path === '/failing' ? /^HTTP\/1.1 507 / : /^HTTP\/1.1 200 OK/)
  },
)
