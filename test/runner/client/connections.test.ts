import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { deferred } from '../../../src/lib/deferred.js'
import { readAtMost } from '../../../src/lib/read-at-most.js'
import type {
  Connections,
  HttpRequest,
  HttpResponse,
  TlsMaterial,
} from '../../../src/runner/client/connections.js'
import { openConnections } from '../../../src/runner/client/open-connections.js'
import { makeCertificates } from '../../support/certificates.js'

async function listening(server: Server, protocol = 'http'): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serve = (reply: RequestListener) => listening(createServer(reply))

async function certificates() {
  const folder = await makeCertificates()
  const read = (name: string) => readFile(join(folder, name))
  return { ca: await read('ca.pem'), cert: await read('cert.pem'), key: await read('key.pem') }
}

/** A proxy for `CONNECT`, with the hosts that were asked for. */
async function startProxy(): Promise<{ url: string; hosts: string[] }> {
  const hosts: string[] = []
  const server = createServer()
  server.on('connect', (request: IncomingMessage, socket, head: Buffer) => {
    hosts.push(request.url ?? '')
    const target = new URL(`http://${request.url}`)
    const upstream = connect(Number(target.port), target.hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    onTestFinished(() => void upstream.destroy())
  })
  return { url: await listening(server), hosts }
}

function opened(
  connections: Connections,
): (url: string, changes?: Partial<HttpRequest>) => Promise<HttpResponse> {
  onTestFinished(() => connections.destroy())
  return (url, changes = {}) =>
    connections.request({
      method: 'GET',
      url: new URL(url),
      headers: {},
      headersTimeout: 60_000,
      bodyTimeout: 60_000,
      ...changes,
    })
}

const text = async ({ body }: HttpResponse) => (await readAtMost(body, 1e6)).toString()

const received = async (request: IncomingMessage) => (await readAtMost(request, 1e7)).toString()

const ways: [string, (tls?: TlsMaterial) => Promise<Connections>][] = [
  ['directly', async (tls = {}) => openConnections(tls, {})],
  [
    'through a proxy',
    async (tls = {}) => {
      const proxy = await startProxy()
      vi.stubEnv('http_proxy', proxy.url)
      vi.stubEnv('https_proxy', proxy.url)
      onTestFinished(() => void vi.unstubAllEnvs())
      return openConnections(tls)
    },
  ],
]

describe.each(ways)('requests %s', (_, open) => {
  test('method, headers and body reach the server, with the length of the body', async () => {
    const url = await serve((request, response) => {
      const { method, url: path, headers } = request
      response.writeHead(201, { 'x-b': 'two' })
      void received(request).then((body) =>
        response.end([method, path, headers['x-a'], headers['content-length'], body].join(' ')),
      )
    })
    const send = opened(await open())
    const reply = await send(`${url}/a?b=c`, { method: 'DELETE', headers: { 'x-a': 'one' }, body: 'tüv' })
    expect([reply.status, reply.headers['x-b'], await text(reply)]).toEqual([
      201,
      'two',
      'DELETE /a?b=c one 4 tüv',
    ])
  })

  test('a certificate authority of the settings is trusted, another is not', async () => {
    const [ours, theirs] = await Promise.all([certificates(), certificates()])
    const server = createSecureServer({ ...ours, requestCert: true, rejectUnauthorized: true })
    server.on('request', (_request, response) => void response.end('safe'))
    const url = await listening(server, 'https')
    expect(await text(await opened(await open(ours))(url))).toBe('safe')
    await expect(opened(await open(theirs))(url)).rejects.toThrow('certificate')
  })

  test('a stream is sent as it comes', async () => {
    const url = await serve((request, response) => void received(request).then((body) => response.end(body)))
    const send = opened(await open())
    const body = Readable.from(['one ', 'two'], { objectMode: false })
    expect(await text(await send(url, { method: 'POST', body }))).toBe('one two')
  })

  test('a request without a response ends after the time limit', async () => {
    const send = opened(await open())
    await expect(send(await serve(() => {}), { headersTimeout: 1 })).rejects.toThrow()
  })

  test('a request is aborted by its signal', async () => {
    const abort = new AbortController()
    const send = opened(await open())
    const url = await serve(() => abort.abort())
    await expect(send(url, { signal: abort.signal })).rejects.toThrow('abort')
  })

  test('an error of the body ends the request with that error', async () => {
    const send = opened(await open())
    const url = await serve((request) => request.resume())
    const body = Readable.from(
      (async function* () {
        yield 'a'
        throw new Error('the disk is broken')
      })(),
      { objectMode: false },
    )
    await expect(send(url, { method: 'POST', body })).rejects.toThrow('the disk is broken')
  })

  test('a response that comes before the end of the body ends the body', async () => {
    const url = await serve((request, response) => {
      request.once('data', () => response.writeHead(413).end('too large'))
    })
    const body = new Readable({ read: () => {} })
    body.push('a')
    const ended = once(body, 'close')
    const reply = await opened(await open())(url, { method: 'POST', body })
    expect([reply.status, await text(reply)]).toEqual([413, 'too large'])
    await ended
  })

  test('a response that breaks off is an error for its reader', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('half', () => response.destroy())
    })
    const reply = await opened(await open())(url)
    await expect(text(reply)).rejects.toThrow()
    await reply.body.dump()
  })

  test('closing waits for the open request and refuses others', async () => {
    const connections = await open()
    const send = opened(connections)
    let isClosed = false
    const closing = deferred()
    const url = await serve((_request, response) => {
      void connections.close().then(() => {
        isClosed = true
        closing.resolve()
      })
      void expect(send('http://127.0.0.1:1'))
        .rejects.toThrow()
        .then(() => response.end(String(isClosed)))
    })
    expect(await text(await send(url))).toBe('false')
    await closing.promise
  })

  test('destroying aborts the open request', async () => {
    const connections = await open()
    const send = opened(connections)
    const url = await serve(() => void connections.destroy())
    await expect(send(url)).rejects.toThrow()
  })
})

test('a proxy of the environment gets the requests, except for the hosts that need none', async () => {
  const proxy = await startProxy()
  const url = await serve((_request, response) => void response.end('here'))
  vi.stubEnv('http_proxy', proxy.url)
  vi.stubEnv('no_proxy', 'localhost')
  onTestFinished(() => void vi.unstubAllEnvs())
  const send = opened(await openConnections({}))
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await text(await send(url.replace('127.0.0.1', host)))).toBe('here')
  }
  expect(proxy.hosts).toEqual([new URL(url).host])
})

test('a connection is used again after a response that was dumped', async () => {
  const ports: (number | undefined)[] = []
  const url = await serve((request, response) => {
    ports.push(request.socket.remotePort)
    response.end('x'.repeat(1000))
  })
  const send = opened(await openConnections({}, {}))
  for (const part of ['/1', '/2']) await (await send(url + part)).body.dump()
  expect(new Set(ports).size).toBe(1)
})

test('a connection that the server is about to close is not used again', async () => {
  const ports: (number | undefined)[] = []
  const server = createServer({ keepAliveTimeout: 1000 }, (request, response) => {
    ports.push(request.socket.remotePort)
    response.end()
  })
  const url = await listening(server)
  const send = opened(await openConnections({}, {}))
  for (const part of ['/1', '/2']) await (await send(url + part)).body.dump()
  expect(new Set(ports).size).toBe(2)
})
