import { Readable } from 'node:stream'

import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { NoBody, operation, respond, stream } from '../../../src/coordinator/http/operation.js'
import { page } from '../../../src/coordinator/http/page.js'
import { openSqlite } from '../../support/databases.js'
import { openApp } from '../support/test-app.js'

// Every row of a table (API, A9 and A9a), that the machinery serves.

const operations = [
  operation('GET /thing', {
    summary: 'A thing',
    access: 'anyone',
    params: Type.Object({ name: Type.Optional(Type.String()) }),
    responses: { 200: Type.Object({ name: Type.String() }) },
    run: async ({ params }) => ({ name: params.name ?? 'ü' }),
  }),
  operation('PUT /thing', {
    summary: 'Another',
    access: 'anyone',
    responses: { 200: Type.Object({}) },
    run: async () => ({}),
  }),
  operation('DELETE /thing', {
    summary: 'None',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async () => respond(204),
  }),
  operation('GET /things', {
    summary: 'Things',
    access: 'anyone',
    responses: { 200: Type.Array(Type.Object({ id: Type.Integer() })) },
    paginated: true,
    run: async () => page([{ id: 1 }], 1),
  }),
  operation('GET /log', {
    summary: 'A text',
    access: 'anyone',
    responses: { 200: Type.String() },
    run: async () => stream(Readable.from(['one']), 'text/plain'),
  }),
]

async function open() {
  const { app } = openApp((await openSqlite()).database, operations)
  return app
}

test.each(['/thing', '/things', '/log'])('HEAD %s has the headers of GET and no body', async (path) => {
  const app = await open()
  const got = await app.inject(`/api/v4${path}`)
  const head = await app.inject({ method: 'HEAD', url: `/api/v4${path}` })
  expect(head.statusCode).toBe(200)
  expect(head.body).toBe('')
  const changing = ['date', 'x-request-id', 'x-runtime', 'transfer-encoding', 'connection']
  for (const [name, value] of Object.entries(got.headers)) {
    if (!changing.includes(name)) expect([name, head.headers[name]]).toEqual([name, value])
  }
})

test('a response that the client already has is not sent again', async () => {
  const app = await open()
  const first = await app.inject('/api/v4/thing')
  const tag = String(first.headers['etag'])
  expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/)
  expect(first.headers['cache-control']).toBe('max-age=0, private, must-revalidate')
  for (const known of [tag, tag.slice(2), `"x", ${tag}`, '*']) {
    const again = await app.inject({ url: '/api/v4/thing', headers: { 'if-none-match': known } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers['content-type']).toBeUndefined()
    expect(again.headers['etag']).toBe(tag)
  }
  const other = await app.inject({ url: '/api/v4/thing?name=b', headers: { 'if-none-match': tag } })
  expect([other.statusCode, other.json()]).toEqual([200, { name: 'b' }])
})

test('write operations never return 304, and errors are not cached', async () => {
  const app = await open()
  const headers = { 'if-none-match': '*' }
  const put = await app.inject({ method: 'PUT', url: '/api/v4/thing', headers })
  expect(put.statusCode).toBe(200)
  expect(put.headers['etag']).toBeUndefined()
  const missing = await app.inject({ url: '/api/v4/none', headers })
  expect(missing.statusCode).toBe(404)
  expect(missing.headers['cache-control']).toBe('no-cache')
})

test('JSON is exactly that, an empty body is no JSON, and a log is a text', async () => {
  const app = await open()
  expect((await app.inject('/api/v4/thing')).headers['content-type']).toBe('application/json')
  expect((await app.inject('/api/v4/none')).headers['content-type']).toBe('application/json')
  const put = await app.inject({ method: 'PUT', url: '/api/v4/thing' })
  expect([put.headers['content-type'], put.body]).toEqual(['application/json', '{}'])
  const deleted = await app.inject({ method: 'DELETE', url: '/api/v4/thing' })
  expect([deleted.statusCode, deleted.body, deleted.headers['content-type']]).toEqual([204, '', undefined])
  expect((await app.inject('/api/v4/log')).headers['content-type']).toBe('text/plain')
  const { headers, body } = await app.inject('/api/v4/thing')
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
})

test('every response has its request ID, its runtime and security headers', async () => {
  const app = await open()
  for (const url of ['/api/v4/thing', '/api/v4/none', '/api/v4/log']) {
    const { headers } = await app.inject(url)
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      'x-runtime': expect.stringMatching(/^\d+\.\d{6}$/) as string,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      vary: 'Origin',
    })
  }
})

test('a page of any origin may call the API and read the pagination headers', async () => {
  const app = await open()
  const origin = 'https://page.example'
  const { headers } = await app.inject({ url: '/api/v4/things', headers: { origin } })
  expect(headers['access-control-allow-origin']).toBe('*')
  expect(headers['access-control-allow-credentials']).toBeUndefined()
  const exposed = String(headers['access-control-expose-headers']).split(', ')
  for (const name of [
    'Link',
    'X-Total',
    'X-Total-Pages',
    'X-Per-Page',
    'X-Page',
    'X-Next-Page',
    'X-Prev-Page',
  ])
    expect(exposed).toContain(name)
  const error = await app.inject({ url: '/api/v4/none', headers: { origin } })
  expect(error.headers['access-control-allow-origin']).toBe('*')
})

test('a preflight request of a browser is allowed', async () => {
  const app = await open()
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/api/v4/thing',
    headers: {
      origin: 'https://page.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'private-token, content-type',
    },
  })
  expect(preflight.statusCode).toBe(204)
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': 'private-token, content-type',
    'access-control-max-age': '7200',
  })
  expect((await app.inject({ method: 'OPTIONS', url: '/api/v4/none' })).statusCode).toBe(404)
})
