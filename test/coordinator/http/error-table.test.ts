import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { NoResultError } from 'kysely'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

import { clientGone } from '../../../src/coordinator/http/client-gone.js'
import {
  apiError,
  checkUnmodified,
  forbidden,
  invalidRecord,
  notFound,
  unauthorized,
} from '../../../src/coordinator/http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../src/coordinator/http/operation.js'
import { FileParameter } from '../../../src/coordinator/http/parameters/types.js'
import { S3RefusedError, S3UnavailableError } from '../../../src/s3/errors.js'
import { openSqlite } from '../../support/databases.js'
import { addPerson, openApp } from '../support/test-app.js'

// Every row of a table (API, A4), that the machinery serves; the tests of each resource cover its own rows.

const UPDATED_AT = Date.parse('2020-01-02T03:04:05.600Z')

function failing(path: string, error: Error): Operation {
  return operation(`POST /${path}`, {
    summary: 'Fails',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async () => {
      throw error
    },
  })
}

const gone = withCode('ECONNREFUSED')

function withCode(code: string): Error {
  return Object.assign(new Error('of 10.0.0.1:5432'), { code })
}

const operations = [
  operation('POST /titles', {
    summary: 'Two things that must be',
    access: 'anyone',
    params: Type.Object({
      title: Type.String({ minLength: 1 }),
      path: Type.String(),
      links: Type.Optional(Type.Array(Type.Object({ url: Type.String() }))),
      author_id: Type.Optional(Type.Integer()),
      author_username: Type.Optional(Type.String()),
      from: Type.Optional(Type.Integer()),
      to: Type.Optional(Type.Integer()),
    }),
    exclusive: [['author_id', 'author_username']],
    allOrNone: [['from', 'to']],
    responses: { 204: NoBody },
    run: async () => respond(204),
  }),
  operation('PUT /titles', {
    summary: 'One of two things',
    access: 'user',
    params: Type.Object({ title: Type.Optional(Type.String()), state: Type.Optional(Type.String()) }),
    atLeastOne: [['title', 'state']],
    responses: { 200: Type.Object({}) },
    run: async () => ({}),
  }),
  operation('DELETE /titles', {
    summary: 'Only if it is as it was',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async ({ request }) => {
      checkUnmodified(request.headers, UPDATED_AT)
      return respond(204)
    },
  }),
  operation('POST /stream', {
    summary: 'Bytes',
    access: 'anyone',
    body: 'stream',
    responses: { 204: NoBody },
    run: async ({ request }) => {
      await text(request.raw)
      return respond(204)
    },
  }),
  operation('POST /files', {
    summary: 'A file',
    access: 'anyone',
    params: Type.Object({ file: Type.Optional(FileParameter({ maxBytes: 10 })) }),
    responses: { 204: NoBody },
    run: async () => respond(204),
  }),
  operation('GET /hold', {
    summary: 'Waits until the client is gone',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async ({ reply }) => {
      await once(clientGone(reply), 'abort')
      return respond(204)
    },
  }),
  failing('unauthorized', unauthorized()),
  failing('forbidden', forbidden()),
  failing('forbidden-reason', apiError('ref_not_runnable', { reason: 'a reason' })),
  failing('list', apiError('merge_request_exists', { iid: 7 })),
  failing('record', invalidRecord({ name: ['has already been taken'], base: ['cannot be'] })),
  failing('project', notFound('Project')),
  failing('record-by-id', notFound()),
  failing('taken', apiError('label_exists')),
  failing('impossible', apiError('issue_not_reorderable')),
  failing('bug', new Error('a secret of ours')),
  failing('store', gone),
  failing('bucket', new S3RefusedError('the bucket builds returned 404', 404, 'NoSuchBucket')),
  failing('busy-bucket', new S3UnavailableError('the bucket builds cannot be reached')),
  failing('deadlock', withCode('40P01')),
  failing('full', withCode('ENOSPC')),
  failing('gone', new NoResultError({ kind: 'SelectQueryNode' })),
  failing('orphan', withCode('23503')),
  failing('orphan-on-sqlite', withCode('SQLITE_CONSTRAINT_FOREIGNKEY')),
]

const REMOVED = { message: '409 Conflict: a record that this refers to was deleted in the meantime' }
const JSON_TYPE = 'application/json'

describe('responses with a body of the form that clients parse', () => {
  test.each<[route: string, type: string | undefined, body: string, status: number, result: unknown]>([
    ['POST /titles', JSON_TYPE, '{"path":""}', 400, { error: 'title is missing' }],
    ['POST /titles', JSON_TYPE, '{}', 400, { error: 'title is missing, path is missing' }],
    ['POST /titles', JSON_TYPE, '{"title":"","path":"x"}', 400, { error: 'title is empty' }],
    [
      'POST /titles',
      JSON_TYPE,
      '{"title":"x","path":"x","links":[{}]}',
      400,
      { error: 'links[0][url] is missing' },
    ],
    [
      'POST /titles',
      JSON_TYPE,
      '{"title":"x","path":"x","author_id":"y"}',
      400,
      { error: 'author_id is invalid' },
    ],
    [
      'POST /titles?author_id=1&author_username=x',
      JSON_TYPE,
      '{"title":"x","path":"x"}',
      400,
      { error: 'author_id, author_username are mutually exclusive' },
    ],
    [
      'POST /titles',
      JSON_TYPE,
      '{"title":"x","path":"x","from":1}',
      400,
      { error: 'from, to provide all or none of parameters' },
    ],
    ['POST /titles', JSON_TYPE, '{', 400, { error: 'message body does not match declared format' }],
    [
      'POST /titles',
      'text/xml',
      '<x/>',
      415,
      { error: "The provided content-type 'text/xml' is not supported." },
    ],
    ['POST /titles', undefined, 'x', 415, { error: "The provided content-type '' is not supported." }],
    [
      'POST /titles',
      JSON_TYPE,
      'x'.repeat(4 * 1024 * 1024 + 1),
      413,
      {
        message:
          '413 Request Entity Too Large - without credentials in the headers or the query a body has at most 65536 bytes',
      },
    ],
    ['PUT /titles', JSON_TYPE, '{}', 401, { message: '401 Unauthorized' }],
    ['PATCH /titles', JSON_TYPE, '{}', 405, { error: '405 Not Allowed' }],
    ['GET /nothing', undefined, '', 404, { error: '404 Not Found' }],
    ['POST /unauthorized', undefined, '', 401, { message: '401 Unauthorized' }],
    ['POST /forbidden', undefined, '', 403, { message: '403 Forbidden' }],
    ['POST /forbidden-reason', undefined, '', 403, { message: '403 Forbidden - a reason' }],
    [
      'POST /list',
      undefined,
      '',
      409,
      { message: ['Another open merge request already exists for this source branch: !7'] },
    ],
    [
      'POST /record',
      undefined,
      '',
      400,
      { message: { name: ['has already been taken'], base: ['cannot be'] } },
    ],
    ['POST /project', undefined, '', 404, { message: '404 Project Not Found' }],
    ['POST /record-by-id', undefined, '', 404, { message: '404 Not found' }],
    ['POST /taken', undefined, '', 409, { message: 'Label already exists' }],
    ['POST /impossible', undefined, '', 422, { message: '422 Unprocessable Entity' }],
    ['POST /bug', undefined, '', 500, { message: '500 Internal Server Error' }],
    ['POST /store', undefined, '', 503, { message: '503 Service Unavailable' }],
    [
      'POST /bucket',
      undefined,
      '',
      500,
      {
        message:
          '500 Internal Server Error - The bucket for files cannot be used (NoSuchBucket). If this stays, ask an ' +
          'administrator: the log of the coordinator says what to do',
      },
    ],
    [
      'POST /busy-bucket',
      undefined,
      '',
      503,
      {
        message:
          '503 Service Unavailable - The bucket for files does not respond. If this stays, ask an administrator: the ' +
          'log of the coordinator says what to do',
      },
    ],
    ['POST /deadlock', undefined, '', 503, { message: '503 Service Unavailable' }],
    [
      'POST /full',
      undefined,
      '',
      507,
      {
        message:
          '507 Insufficient Storage - The disk of the coordinator is full, and the request was not completed. Try again ' +
          'when an administrator has freed space',
      },
    ],
    ['POST /gone', undefined, '', 404, { message: '404 Not found' }],
    ['POST /orphan', undefined, '', 409, REMOVED],
    ['POST /orphan-on-sqlite', undefined, '', 409, REMOVED],
  ])('%s with %s %.40s: %i', async (route, type, payload, status, body) => {
    const { app } = openApp((await openSqlite()).database, operations)
    const [method, path] = route.split(' ') as ['POST', string]
    const headers = type === undefined ? {} : { 'content-type': type }
    const response = await app.inject({ method, url: `/api/v4${path}`, headers, payload })
    expect([response.statusCode, response.json()]).toEqual([status, body])
    expect(response.headers['content-type']).toBe('application/json')
  })

  test.each([
    ['POST /titles', 'invalid_parameters'],
    ['POST /record', 'invalid_record'],
    ['POST /project', 'not_found'],
    ['POST /taken', 'label_exists'],
    ['POST /bug', 'internal_error'],
    ['PATCH /titles', 'method_not_allowed'],
    ['GET /nothing', 'path_not_found'],
  ])('%s names the code %s, which pages of other origins may read', async (route, code) => {
    const { app } = openApp((await openSqlite()).database, operations)
    const [method, path] = route.split(' ') as ['POST', string]
    const headers = { origin: 'https://elsewhere.example' }
    const response = await app.inject({ method, url: `/api/v4${path}`, headers })
    expect(response.headers['x-error-code']).toBe(code)
    expect(response.headers['access-control-expose-headers']).toContain('X-Error-Code')
  })

  test('at least one of several parameters is required', async () => {
    const { database } = await openSqlite()
    const api = openApp(database, operations)
    const response = await api.call(await addPerson(database, 'mary'), 'PUT /titles', {})
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      error: 'title, state are missing, at least one parameter must be provided',
    })
  })

  test('405 names the verbs that there are', async () => {
    const { app } = openApp((await openSqlite()).database, operations)
    const response = await app.inject({ method: 'PATCH', url: '/api/v4/titles?x=1' })
    expect(response.headers['allow']).toBe('POST, PUT, DELETE')
  })

  test.each([
    ['Thu, 02 Jan 2020 03:04:05 GMT', 204],
    ['Fri, 03 Jan 2020 00:00:00 GMT', 204],
    ['Thu, 02 Jan 2020 03:04:04 GMT', 412],
    ['nonsense', 204],
    [undefined, 204],
  ])('an object changed since %s is kept: %i', async (since, status) => {
    const { app } = openApp((await openSqlite()).database, operations)
    const headers = since === undefined ? {} : { 'if-unmodified-since': since }
    const response = await app.inject({ method: 'DELETE', url: '/api/v4/titles', headers })
    expect(response.statusCode).toBe(status)
    if (status === 412) expect(response.json()).toEqual({ message: '412 Precondition Failed' })
  })
})

describe('a body that does not come', () => {
  async function listen() {
    const { app } = openApp((await openSqlite()).database, operations, { bodySeconds: 0.2 })
    return new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  }

  test.each([JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b'])(
    'of %s gets 408, and the connection ends',
    async (type) => {
      const { hostname, port } = await listen()
      const [status, ended] = await new Promise<[number | undefined, boolean]>((resolve, reject) => {
        const request = httpRequest(
          { hostname, port, method: 'POST', path: '/api/v4/titles', headers: { 'content-type': type } },
          (response) => {
            response.resume()
            response.on('close', () =>
              resolve([response.statusCode, response.headers.connection === 'close']),
            )
          },
        )
        request.on('error', reject)
        request.write('x')
      })
      expect([status, ended]).toEqual([408, true])
    },
  )

  test('of JSON for an operation that takes files gets 408', async () => {
    const { hostname, port } = await listen()
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': JSON_TYPE }
      const at = { hostname, port, method: 'POST', path: '/api/v4/files', headers }
      const request = httpRequest(at, (response) => {
        response.resume()
        response.on('close', () => resolve(response.statusCode))
      })
      request.on('error', reject)
      request.write('{')
    })
    expect(status).toBe(408)
  })

  test('an unfinished body of a served request does not affect other requests', async () => {
    const { hostname, port } = await listen()
    await new Promise<void>((resolve) => {
      const headers = { 'content-length': '10' }
      const request = httpRequest({ hostname, port, method: 'GET', path: '/api/v4/hold', headers })
      request.on('error', () => resolve())
      request.flushHeaders()
    })
    const response = await fetch(`http://${hostname}:${port}/api/v4/titles`, { method: 'DELETE' })
    expect(response.status).toBe(204)
  })

  test('that an operation reads itself is cut off', async () => {
    const { hostname, port } = await listen()
    await new Promise<void>((resolve) => {
      const request = httpRequest({ hostname, port, method: 'POST', path: '/api/v4/stream' })
      request.on('error', () => resolve())
      request.write('x')
    })
  })
})

test('a request that is none is refused, and the connection ends', async () => {
  const { app } = openApp((await openSqlite()).database, operations)
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const socket = connect(Number(port), hostname)
  socket.write('GET /api/v4/titles HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
})
