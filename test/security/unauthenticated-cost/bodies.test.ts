import { Readable } from 'node:stream'

import { Type } from 'typebox'
import { expect, test, vi } from 'vitest'

import { operation } from '../../../src/coordinator/http/operation.js'
import { addPerson, openApp } from '../../coordinator/support/test-app.js'
import { openSqlite } from '../../support/databases.js'

const KIB = 1024

const operations = [
  operation('POST /open', {
    summary: 'Takes a token in its body, as runners send it',
    access: 'anyone',
    params: Type.Object({ token: Type.Optional(Type.String()), text: Type.Optional(Type.String()) }),
    responses: { 201: Type.Object({ length: Type.Integer() }) },
    identifies: ({ trigger }) => Promise.resolve(trigger === 'right'),
    run: async ({ params }) => ({ length: params.text?.length ?? 0 }),
  }),
  operation('POST /closed', {
    summary: 'Is for users',
    access: 'user',
    params: Type.Object({ text: Type.Optional(Type.String()) }),
    maxBodyBytes: 32 * 1024 * KIB,
    responses: { 201: Type.Object({ length: Type.Integer() }) },
    run: async ({ params }) => ({ length: params.text?.length ?? 0 }),
  }),
]

const BOUNDARY = 'boundary'
const FORMATS = {
  JSON: ['application/json', (text: string) => JSON.stringify({ text })],
  form: ['application/x-www-form-urlencoded', (text: string) => `text=${text}`],
  multipart: [
    `multipart/form-data; boundary=${BOUNDARY}`,
    (text: string) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="text"\r\n\r\n${text}\r\n--${BOUNDARY}--\r\n`,
  ],
} as const

async function listen() {
  const { database } = await openSqlite()
  const mary = await addPerson(database, 'mary')
  const { app } = openApp(database, operations)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const post = async (
    path: string,
    format: keyof typeof FORMATS,
    bytes: number,
    { chunked = false, token }: { chunked?: boolean; token?: string } = {},
  ) => {
    const [contentType, encode] = FORMATS[format]
    const body = encode('x'.repeat(bytes))
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': contentType, ...(token !== undefined && { 'private-token': token }) },
      body: chunked ? Readable.toWeb(Readable.from([Buffer.from(body)])) : body,
      ...(chunked && { duplex: 'half' as const }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { app, address, mary, post }
}

const FORMAT_NAMES = Object.keys(FORMATS) as (keyof typeof FORMATS)[]

test.each(FORMAT_NAMES)('a %s body of a stranger ends at 64 KiB, however it is sent', async (format) => {
  const { post } = await listen()
  for (const path of ['/api/v4/open', '/api/v4/closed']) {
    for (const chunked of [false, true]) {
      expect(await post(path, format, 65 * KIB, { chunked })).toMatchObject({ status: 413 })
    }
  }
  const refused = await post('/api/v4/open', 'JSON', 65 * KIB)
  expect(refused.body['message']).toContain('without credentials in the headers or the query')
})

test.each(FORMAT_NAMES)('a %s body within 64 KiB is read for the token that it may hold', async (format) => {
  const { post } = await listen()
  for (const chunked of [false, true]) {
    expect(await post('/api/v4/open', format, 60 * KIB, { chunked })).toEqual({
      status: 201,
      body: { length: 60 * KIB },
    })
  }
})

test.each(FORMAT_NAMES)('a %s body of a known caller may be longer', async (format) => {
  const { post, mary } = await listen()
  for (const chunked of [false, true]) {
    const options = { chunked, token: mary.token }
    expect(await post('/api/v4/closed', format, 500 * KIB, options)).toMatchObject({ status: 201 })
  }
})

test('a token of an operation in the query makes the body of a known caller', async () => {
  const { post } = await listen()
  expect(await post('/api/v4/open?trigger=right', 'form', 500 * KIB)).toMatchObject({ status: 201 })
  expect(await post('/api/v4/open?trigger=wrong', 'form', 65 * KIB)).toMatchObject({ status: 413 })
})

test('a long body with a wrong token is refused before it is parsed', async () => {
  const { app } = await listen()
  const parse = vi.spyOn(JSON, 'parse')
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v4/open',
    headers: { 'content-type': 'application/json', 'private-token': 'glpat-wrong' },
    payload: JSON.stringify({ text: 'x'.repeat(500 * KIB) }),
  })
  const parsed = parse.mock.calls.map(([text]) => text.length)
  parse.mockRestore()
  expect(reply.statusCode).toBe(401)
  expect(Math.max(0, ...parsed)).toBeLessThan(KIB)
})

test('a body that is sent to no route is not parsed', async () => {
  const { app } = await listen()
  const parse = vi.spyOn(JSON, 'parse')
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v4/nothing',
    headers: { 'content-type': 'application/json' },
    payload: '{"a":1}',
  })
  const count = parse.mock.calls.length
  parse.mockRestore()
  expect(reply.statusCode).toBe(404)
  expect(count).toBe(0)
})

test.each([
  [4096, 201],
  [4097, 400],
])('a form with %i names gets %i: a name costs more than its bytes', async (names, status) => {
  const { database } = await openSqlite()
  const { app } = openApp(database, operations)
  const form = Array.from({ length: names }, (_, index) => `n${index}=1`).join('&')
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/open',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form,
  })
  expect(response.statusCode).toBe(status)
  if (status === 400) expect(response.json()).toEqual({ error: 'a form has at most 4096 values' })
})
