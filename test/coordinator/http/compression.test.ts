import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'

import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { operation, stream } from '../../../src/coordinator/http/operation.js'
import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { openApp } from '../support/test-app.js'

const LONG = 'ä'.repeat(8 * 1024)
const REMOTE = '203.0.113.7'

const opened = openForFile(async () => {
  const { database } = await openSqlite()
  return openApp(
    database,
    [
      operation('GET /version', {
        summary: 'Get a text',
        access: 'anyone',
        params: Type.Object({ length: Type.Integer() }),
        responses: { 200: Type.String() },
        cacheable: true,
        run: async ({ params }) => LONG.slice(0, params.length),
      }),
      operation('GET /metadata', {
        summary: 'Get a stream',
        access: 'anyone',
        responses: { 200: Type.String() },
        run: async () => stream(Readable.from(['"', LONG, '"']), 'application/json'),
      }),
      operation('GET /broken', {
        summary: 'Get a stream that breaks',
        access: 'anyone',
        responses: { 200: Type.String() },
        run: async () => stream(Readable.from(broken()), 'application/json'),
      }),
      operation('GET /bytes', {
        summary: 'Get bytes',
        access: 'anyone',
        responses: { 200: Type.Unknown() },
        run: async () => stream(Readable.from([LONG]), 'application/zip'),
      }),
    ],
    { trustedProxies: ['127.0.0.1'] },
  )
})

async function* broken(): AsyncGenerator<string> {
  yield LONG
  throw new Error('The source failed')
}

interface Call {
  path?: string
  encodings?: string
  from?: string
  method?: 'GET' | 'HEAD'
  headers?: Record<string, string>
}

function call({ path = '/version?length=8192', encodings, from = REMOTE, method = 'GET', headers }: Call) {
  return opened().app.inject({
    method,
    url: `/api/v4${path}`,
    remoteAddress: from,
    headers: { ...(encodings !== undefined && { 'accept-encoding': encodings }), ...headers },
  })
}

test('a long JSON response is compressed for a client that accepts gzip', async () => {
  const response = await call({ encodings: 'gzip, deflate, br' })
  expect(response.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json',
    vary: 'Origin, Accept-Encoding',
  })
  expect(response.rawPayload.length).toBeLessThan(1000)
  expect(Number(response.headers['content-length'])).toBe(response.rawPayload.length)
  expect(JSON.parse(gunzipSync(response.rawPayload).toString())).toBe(LONG.slice(0, 8192))
})

test.each([
  ['without Accept-Encoding', {}],
  ['that accepts other encodings only', { encodings: 'br, deflate' }],
  ['that refuses gzip', { encodings: 'gzip;q=0, *' }],
  ['that refuses every encoding', { encodings: 'identity, *;q=0' }],
])('a long response is sent as it is to a client %s, and caches know that it differs', async (_, given) => {
  const response = await call(given)
  expect(response.headers).not.toHaveProperty('content-encoding')
  expect(response.headers['vary']).toBe('Origin, Accept-Encoding')
  expect(response.json()).toBe(LONG.slice(0, 8192))
})

test.each(['gzip', 'GZIP;q=0.5', '*', 'br;q=1.0, gzip;q=0.1'])(
  'gzip is accepted by %s',
  async (encodings) => {
    expect((await call({ encodings })).headers['content-encoding']).toBe('gzip')
  },
)

test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])(
  'nothing is compressed for %s',
  async (from) => {
    const response = await call({ encodings: 'gzip', from })
    expect(response.headers).not.toHaveProperty('content-encoding')
    expect(response.headers['vary']).toBe('Origin')
  },
)

test('a client behind a trusted proxy on this machine is a remote one', async () => {
  const response = await call({
    encodings: 'gzip',
    from: '127.0.0.1',
    headers: { 'x-forwarded-for': REMOTE },
  })
  expect(response.headers['content-encoding']).toBe('gzip')
})

test('a short response and bytes that are no JSON are not compressed', async () => {
  const short = await call({ encodings: 'gzip', path: '/version?length=8000' })
  expect(short.headers).not.toHaveProperty('content-encoding')
  const bytes = await call({ encodings: 'gzip', path: '/bytes' })
  expect(bytes.headers).not.toHaveProperty('content-encoding')
  expect(bytes.body).toBe(LONG)
})

test('the ETag is the same in both encodings, and a response that is known is not sent', async () => {
  const [packed, plain] = [await call({ encodings: 'gzip' }), await call({})]
  expect(packed.headers.etag).toBe(plain.headers.etag)
  const again = await call({
    encodings: 'gzip',
    headers: { 'if-none-match': String(packed.headers.etag) },
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect(again.headers['vary']).toBe('Origin, Accept-Encoding')
})

test('HEAD has the headers of GET', async () => {
  const response = await call({ encodings: 'gzip', method: 'HEAD' })
  expect([response.headers['content-encoding'], response.body]).toEqual(['gzip', ''])
})

test('a stream of JSON is compressed as it is written', async () => {
  const response = await call({ encodings: 'gzip', path: '/metadata' })
  expect(response.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(response.rawPayload).toString())).toBe(LONG)
})

test('a stream that breaks ends the connection, compressed or not', async () => {
  const url = await opened().app.listen({ host: '127.0.0.1', port: 0 })
  for (const encodings of ['gzip', 'identity']) {
    const response = await fetch(`${url}/api/v4/broken`, {
      headers: { 'accept-encoding': encodings, 'x-forwarded-for': REMOTE },
    })
    expect(response.headers.get('content-encoding')).toBe(encodings === 'gzip' ? 'gzip' : null)
    await expect(response.text()).rejects.toThrow()
  }
})
