import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { clientGone, whenClientGone } from '../../../src/coordinator/http/client-gone.js'
import { notFound } from '../../../src/coordinator/http/errors.js'
import {
  NoBody,
  type Operation,
  operation,
  respond,
  stream,
} from '../../../src/coordinator/http/operation.js'
import { page } from '../../../src/coordinator/http/page.js'
import { deferred } from '../../../src/lib/deferred.js'
import { openSqlite } from '../../support/databases.js'
import { addPerson, EXTERNAL_URL, openApp } from '../support/test-app.js'

const Echo = Type.Object({
  name: Type.String(),
  tags: Type.Optional(Type.Array(Type.String())),
  variables: Type.Optional(Type.Array(Type.Object({ key: Type.String(), value: Type.String() }))),
})

const operations: Operation[] = [
  operation('GET /things', {
    summary: 'Ten things',
    access: 'anyone',
    params: Type.Object({ search: Type.Optional(Type.String()) }),
    responses: { 200: Type.Array(Type.Object({ id: Type.Integer() })) },
    paginated: true,
    run: async ({ paging, params }) => {
      const all = params.search === 'none' ? [] : Array.from({ length: 10 }, (_, id) => ({ id }))
      const rows = all.slice(paging.offset, paging.offset + paging.perPage)
      return page(rows, params.search === 'uncounted' ? undefined : all.length)
    },
  }),
  operation('POST /things', {
    summary: 'What was given',
    access: 'anyone',
    params: Echo,
    responses: { 201: Echo },
    run: async ({ params }) => params,
  }),
  operation('DELETE /things/:name', {
    summary: 'Nothing',
    access: 'anyone',
    params: Type.Object({ name: Type.String(), mark: Type.Optional(Type.String()) }),
    responses: { 204: NoBody },
    run: async ({ params }) => {
      if (params.mark === 'missing') throw notFound('Thing')
      return respond(204)
    },
  }),
  operation('GET /things/:name/files/*file_path', {
    summary: 'A path with slashes',
    access: 'anyone',
    params: Type.Object({ name: Type.String(), file_path: Type.String() }),
    responses: { 200: Type.Object({ name: Type.String(), file_path: Type.String() }) },
    run: async ({ params }) => params,
  }),
  operation('POST /upload', {
    summary: 'Bytes, counted as they come',
    access: 'anyone',
    params: Type.Object({ kind: Type.Optional(Type.String()) }),
    body: 'stream',
    responses: { 201: Type.Object({ body: Type.String(), kind: Type.Optional(Type.String()) }) },
    run: async ({ request, params }) => ({ ...params, body: await text(request.raw) }),
  }),
  operation('GET /log', {
    summary: 'A text',
    access: 'anyone',
    responses: { 200: Type.String() },
    run: async () => stream(Readable.from(['one ', 'two']), 'text/plain; charset=utf-8'),
  }),
  operation('GET /broken', {
    summary: 'Fails',
    access: 'anyone',
    responses: { 200: Type.Object({}) },
    run: async () => {
      throw new Error('inner detail')
    },
  }),
  operation('GET /undeclared', {
    summary: 'Responses something else than it declares',
    access: 'anyone',
    responses: { 200: Type.Object({ id: Type.Integer() }) },
    run: async () => ({ id: 'x' }),
  }),
]

async function open(more: Operation[] = []) {
  const { database } = await openSqlite()
  return openApp(database, [...operations, ...more])
}

test('JSON responses carry exactly application/json', async () => {
  const { app } = await open()
  const { headers } = await app.inject('/api/v4/things')
  expect(headers['content-type']).toBe('application/json')
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('a page has links to the other pages, at the external address', async () => {
  const { app } = await open()
  const { headers, json } = await app.inject('/api/v4/things?per_page=4&page=2&search=x&private_token=')
  expect(json()).toEqual([{ id: 4 }, { id: 5 }, { id: 6 }, { id: 7 }])
  expect(headers).toMatchObject({
    'x-page': '2',
    'x-per-page': '4',
    'x-next-page': '3',
    'x-prev-page': '1',
    'x-total': '10',
    'x-total-pages': '3',
  })
  const to = (page: number): string => `<${EXTERNAL_URL}/api/v4/things?per_page=4&page=${page}&search=x>`
  expect(headers['link']).toBe(
    `${to(1)}; rel="prev", ${to(3)}; rel="next", ${to(1)}; rel="first", ${to(3)}; rel="last"`,
  )
})

test('an empty list has one page, and a list too long to count has no total', async () => {
  const { app } = await open()
  const empty = await app.inject('/api/v4/things?search=none')
  expect(empty.headers).toMatchObject({
    'x-total': '0',
    'x-total-pages': '1',
    'x-next-page': '',
    'x-prev-page': '',
  })
  const uncounted = await app.inject('/api/v4/things?search=uncounted&per_page=5')
  expect(uncounted.headers['x-total']).toBeUndefined()
  expect(uncounted.headers['x-next-page']).toBe('2')
  expect(uncounted.headers['link']).not.toContain('rel="last"')
})

test.each([
  ['per_page=0', 400, { error: 'per_page has a value not allowed' }],
  ['per_page=x', 400, { error: 'per_page is invalid' }],
  ['page=-3', 200, undefined],
  ['per_page=1000', 200, undefined],
])('paging by %s returns %i', async (query, status, body) => {
  const { app } = await open()
  const response = await app.inject(`/api/v4/things?${query}`)
  expect(response.statusCode).toBe(status)
  if (body) expect(response.json()).toEqual(body)
  if (query === 'per_page=1000') expect(response.headers['x-per-page']).toBe('100')
})

test.each([
  ['JSON', 'application/json', '{"name":"a","tags":["x"]}'],
  ['a form', 'application/x-www-form-urlencoded', 'name=a&tags[]=x'],
  [
    'a multipart form',
    'multipart/form-data; boundary=b',
    '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\na\r\n' +
      '--b\r\ncontent-disposition: form-data; name="tags[]"\r\n\r\nx\r\n--b--\r\n',
  ],
])('parameters arrive in %s', async (_, type, payload) => {
  const { app } = await open()
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/things',
    headers: { 'content-type': type },
    payload,
  })
  expect(response.statusCode).toBe(201)
  expect(response.json()).toEqual({ name: 'a', tags: ['x'] })
})

test('parameters of the query count on every verb, below those of the body', async () => {
  const { app } = await open()
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/things?name=q&tags[]=x',
    payload: { name: 'b' },
  })
  expect(response.json()).toEqual({ name: 'b', tags: ['x'] })
})

test.each([
  ['{"name":', 400, { error: 'message body does not match declared format' }],
  ['[]', 400, { error: 'message body does not match declared format' }],
  ['', 400, { error: 'name is missing' }],
])('the body %s is refused', async (payload, status, body) => {
  const { app } = await open()
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/things',
    headers: { 'content-type': 'application/json' },
    payload,
  })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toEqual(body)
})

test('a body of another kind is 415, one that is too long 413', async () => {
  const { app } = await open()
  const post = (type: string, payload: string) =>
    app.inject({ method: 'POST', url: '/api/v4/things', headers: { 'content-type': type }, payload })
  const other = await post('text/html', '<p>')
  expect(other.statusCode).toBe(415)
  expect(other.json()).toEqual({ error: "The provided content-type 'text/html' is not supported." })
  const long = await post('application/json', JSON.stringify({ name: 'x'.repeat(5_000_000) }))
  expect(long.statusCode).toBe(413)
  expect(long.json()).toEqual({ message: expect.stringMatching(/^413 Request Entity Too Large/) as string })
})

test('an empty body under a JSON type is no error, neither on GET nor on DELETE', async () => {
  const { app } = await open()
  const headers = { 'content-type': 'application/json' }
  expect((await app.inject({ url: '/api/v4/things', headers })).statusCode).toBe(200)
  const deleted = await app.inject({ method: 'DELETE', url: '/api/v4/things/a', headers })
  expect(deleted.statusCode).toBe(204)
  expect(deleted.body).toBe('')
  expect(deleted.headers['content-type']).toBeUndefined()
})

test('DELETE takes parameters in a JSON body', async () => {
  const { app } = await open()
  const response = await app.inject({
    method: 'DELETE',
    url: '/api/v4/things/a',
    payload: { mark: 'missing' },
  })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toEqual({ message: '404 Thing Not Found' })
})

test('segments are decoded after the path is split, and a tail keeps its slashes', async () => {
  const { app } = await open()
  const response = await app.inject('/api/v4/things/a%2Fb.txt/files/dir/x%20y.txt')
  expect(response.json()).toEqual({ name: 'a/b.txt', file_path: 'dir/x y.txt' })
})

test('a body that the operation reads itself arrives untouched', async () => {
  const { app } = await open()
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/upload?kind=zip',
    headers: { 'content-type': 'application/json' },
    payload: '{ not json',
  })
  expect(response.json()).toEqual({ kind: 'zip', body: '{ not json' })
})

test('a stream keeps its own type', async () => {
  const { app } = await open()
  const { headers, body } = await app.inject('/api/v4/log')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toBe('one two')
})

test('a stream that fails as soon as it is returned fails the request alone', async () => {
  const failing = operation('GET /failing-stream', {
    summary: 'A stream that fails',
    access: 'anyone',
    responses: { 200: Type.Unknown() },
    run: async () => {
      const body = new Readable({ read: () => undefined })
      setImmediate(() => body.destroy(new Error('the disk is gone')))
      return stream(body, 'text/plain')
    },
  })
  const { app } = await open([failing])
  const { statusCode } = await app.inject('/api/v4/failing-stream')
  expect(statusCode).toBe(500)
})

test('HEAD is served like GET, without a body', async () => {
  const { app } = await open()
  const response = await app.inject({ method: 'HEAD', url: '/api/v4/things' })
  expect(response.statusCode).toBe(200)
  expect(response.headers['x-total']).toBe('10')
  expect(response.body).toBe('')
})

test('an internal error discloses no details', async () => {
  const { app } = await open()
  const response = await app.inject('/api/v4/broken')
  expect(response.statusCode).toBe(500)
  expect(response.json()).toEqual({ message: '500 Internal Server Error' })
})

test('a response that does not match its schema is detected', async () => {
  const { app } = await open()
  expect((await app.inject('/api/v4/undeclared')).statusCode).toBe(500)
})

test('an unknown route is 404, another verb of a known one 405', async () => {
  const { app } = await open()
  const unknown = await app.inject('/api/v4/nothing')
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json()).toEqual({ error: '404 Not Found' })
  expect(unknown.headers['content-type']).toBe('application/json')
  const verb = await app.inject({ method: 'PUT', url: '/api/v4/things' })
  expect(verb.statusCode).toBe(405)
  expect(verb.json()).toEqual({ error: '405 Not Allowed' })
  expect(verb.headers['allow']).toBe('GET, POST')
})

test('the id of a request is echoed, and made where there is none', async () => {
  const { app } = await open()
  const sent = await app.inject({ url: '/api/v4/things', headers: { 'x-request-id': 'abc-1' } })
  expect(sent.headers['x-request-id']).toBe('abc-1')
  const made = await app.inject({ url: '/api/v4/things', headers: { 'x-request-id': 'bad id\n' } })
  expect(made.headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
})

test('health, readiness and metrics need no authentication', async () => {
  const { database } = await openSqlite()
  let isUp = true
  const { app } = openApp(database, operations, {
    checkReady: () => (isUp ? Promise.resolve() : Promise.reject(new Error('no database'))),
  })
  expect((await app.inject('/-/health')).statusCode).toBe(200)
  expect((await app.inject('/-/readiness')).statusCode).toBe(200)
  isUp = false
  expect((await app.inject('/-/readiness')).statusCode).toBe(503)
  await app.inject('/api/v4/things')
  const { body } = await app.inject('/metrics')
  expect(body).toContain('process_cpu_seconds_total')
  expect(body).toMatch(
    /http_request_duration_seconds_count{method="GET",route="\/api\/v4\/things",status="200"} 1/,
  )
})

test('the API describes itself', async () => {
  const { app } = await open()
  const { json } = await app.inject('/api/openapi.json')
  const document = json<{
    openapi: string
    paths: Record<string, Record<string, { parameters: unknown[] }>>
  }>()
  expect(document.openapi).toBe('3.1.0')
  expect(document.paths['/things/{name}/files/{file_path}']?.['get']?.parameters).toEqual([
    expect.objectContaining({ name: 'name', in: 'path', required: true }),
    expect.objectContaining({ name: 'file_path', in: 'path', required: true }),
  ])
  expect(document.paths['/things']).toHaveProperty('post.requestBody')
})

test('an operation is notified when its client disconnects', async () => {
  const started = deferred()
  const gone = deferred()
  const waiting = operation('GET /wait', {
    summary: 'Waits until the client goes',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async ({ reply }) => {
      clientGone(reply).addEventListener('abort', () => gone.resolve())
      started.resolve()
      await gone.promise
      return respond(204)
    },
  })
  const { app } = await open([waiting])
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const request = httpRequest(`${address}/api/v4/wait`)
  request.on('error', () => undefined) // it is cut off on purpose
  request.end()
  await started.promise
  request.destroy()
  await gone.promise
})

test('a listener for a client that is already gone is called at once, and only then', async () => {
  const calls: string[] = []
  const started = deferred()
  const closed = deferred()
  const asked = deferred()
  const late = operation('GET /late', {
    summary: 'Listens when the client has gone',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async ({ reply }) => {
      reply.raw.once('close', () => closed.resolve())
      started.resolve()
      await closed.promise
      whenClientGone(reply, () => calls.push('gone'))
      asked.resolve()
      return respond(204)
    },
  })
  const { app } = await open([late])
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const request = httpRequest(`${address}/api/v4/late`)
  request.on('error', () => undefined) // it is cut off on purpose
  request.end()
  await started.promise
  request.destroy()
  await asked.promise
  expect(calls).toEqual(['gone'])
  await app.close()
  expect(calls).toEqual(['gone'])
})

test('a signal for a client that stays does not abort', async () => {
  let signal: AbortSignal | undefined
  const calm = operation('GET /calm', {
    summary: 'Responds at once',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async ({ reply }) => {
      signal = clientGone(reply)
      return respond(204)
    },
  })
  const { app } = await open([calm])
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  expect((await fetch(`${address}/api/v4/calm`)).status).toBe(204)
  await app.close()
  expect(signal?.aborted).toBe(false)
})

test('a person is known by any of the carriers', async () => {
  const { database } = await openSqlite()
  const me = operation('GET /me', {
    summary: 'The caller',
    access: 'user',
    responses: { 200: Type.Object({ username: Type.String() }) },
    run: async ({ user }) => ({ username: user.username }),
  })
  const { app } = openApp(database, [me])
  const { token } = await addPerson(database, 'mary')
  const requests = [
    { url: '/api/v4/me', headers: { 'private-token': token } },
    { url: '/api/v4/me', headers: { authorization: `Bearer ${token}` } },
    { url: `/api/v4/me?private_token=${token}` },
    { url: `/api/v4/me?access_token=${token}` },
  ]
  for (const request of requests) expect((await app.inject(request)).json()).toEqual({ username: 'mary' })
})
