import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'

import { csrfTokenOf } from '../../../src/coordinator/http/authentication/csrf.js'
import { operation } from '../../../src/coordinator/http/operation.js'
import { openBrowser } from '../../coordinator/support/browser.js'
import { addPerson, EXTERNAL_URL, openApp } from '../../coordinator/support/test-app.js'
import { openSqlite } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'

// The attack: a page of another site makes the browser of a user send a change with the user's cookie.

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

const operations = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
  operation(`${method} /thing`, {
    summary: 'Read or change something',
    access: 'user',
    params: Type.Object({ text: Type.Optional(Type.String()) }),
    responses: { 200: Type.Object({ username: Type.String() }) },
    run: async ({ user }) => ({ username: user.username }),
  }),
)

const scene = openForFile(async () => {
  const { database } = await openSqlite()
  const { app } = openApp(database, operations)
  const mary = await addPerson(database, 'mary')
  return { app, database, mary, browser: await openBrowser(database, mary) }
})

/** The status of a request with the cookie. */
async function send(
  headers: Record<string, string>,
  {
    method = 'POST',
    payload = '{}',
    url = '/api/v4/thing',
  }: { method?: Method; payload?: string; url?: string } = {},
): Promise<number> {
  const { app, browser } = scene()
  const sent = { 'content-type': 'application/json', ...browser.headers, ...headers }
  const body = method === 'GET' ? undefined : payload
  const response = await app.inject({ method, url, headers: sent, payload: body })
  return response.statusCode
}

const token = () => csrfTokenOf(scene().browser.cookie)

describe.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('a %s with the cookie', (method) => {
  test('is refused without the token', async () => {
    expect(await send({}, { method })).toBe(403)
    expect(await send({ origin: EXTERNAL_URL, 'sec-fetch-site': 'same-origin' }, { method })).toBe(403)
  })

  test('is accepted with the token', async () => {
    expect(await send({ 'x-csrf-token': token() }, { method })).toBe(200)
  })
})

test('the refusal says what is wrong', async () => {
  const { app, browser } = scene()
  const response = await app.inject({ method: 'POST', url: '/api/v4/thing', headers: browser.headers })
  expect(response.json()).toEqual({
    message: '403 Forbidden - the CSRF token is missing or wrong. Reload the page and try again',
  })
})

test('a read needs no token', async () => {
  expect(await send({}, { method: 'GET' })).toBe(200)
})

test('the token of another session, a changed one and an empty one are refused', async () => {
  const { database, mary } = scene()
  const other = await openBrowser(database, mary)
  const wrong = [csrfTokenOf(other.cookie), `${token()}A`, token().slice(1), token().toLowerCase(), '']
  for (const each of wrong) expect(await send({ 'x-csrf-token': each })).toBe(403)
})

test('two tokens in one header are refused', async () => {
  const { app, browser } = scene()
  const headers = { ...browser.headers, 'x-csrf-token': [token(), token()] as unknown as string }
  expect((await app.inject({ method: 'POST', url: '/api/v4/thing', headers })).statusCode).toBe(403)
})

test('a form sends the token as a field', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await send(form, { payload: `authenticity_token=${token()}` })).toBe(200)
  expect(await send(form, { payload: 'authenticity_token=wrong' })).toBe(403)
  expect(await send(form, { payload: `authenticity_token[]=${token()}` })).toBe(403)
})

test.each([
  ['application/x-www-form-urlencoded', 'text=a', 403],
  ['multipart/form-data; boundary=x', '--x--\r\n', 403],
  ['text/plain', '{"text":"a"}', 415],
])('a form of another site with the type %s is refused', async (type, payload, status) => {
  expect(await send({ 'content-type': type }, { payload })).toBe(status)
})

test.each(['cross-site', 'same-site', 'none', 'Same-Origin', ''])(
  'a request that the browser calls %j is refused, even with the token',
  async (site) => {
    expect(await send({ 'x-csrf-token': token(), 'sec-fetch-site': site })).toBe(403)
  },
)

test.each([
  'https://attacker.example',
  'null',
  '',
  `${EXTERNAL_URL}.attacker.example`,
  EXTERNAL_URL.replace('http:', 'https:'),
  `${EXTERNAL_URL}:8080`,
  `${EXTERNAL_URL}/`,
  EXTERNAL_URL.toUpperCase(),
])('a request from a page of %j is refused, even with the token', async (origin) => {
  expect(await send({ 'x-csrf-token': token(), origin })).toBe(403)
})

test.each([
  ['127.0.0.1:3000', 'http://127.0.0.1:3000', 200],
  ['localhost:3000', 'http://localhost:3000', 200],
  ['[::1]:3000', 'http://[::1]:3000', 200],
  ['127.0.0.1:3000', 'http://127.0.0.1:4000', 403],
  ['127.0.0.1:3000', 'https://127.0.0.1:3000', 403],
  ['127.0.0.1:3000', 'http://localhost:3000', 403],
  // A name of the attacker that leads to the loopback address.
  ['rebound.example:3000', 'http://rebound.example:3000', 403],
  ['localhost.attacker.example', 'http://localhost.attacker.example', 403],
  ['10.0.0.1:3000', 'http://10.0.0.1:3000', 403],
])('at %s, a page of %s gets %i', async (host, origin, status) => {
  expect(await send({ 'x-csrf-token': token(), host, origin })).toBe(status)
})

test('a body above 64 KiB is refused before it is read, unless the token is in the header', async () => {
  const payload = JSON.stringify({ text: 'a'.repeat(70_000), authenticity_token: token() })
  expect(await send({}, { payload })).toBe(403)
  expect(await send({ 'x-csrf-token': token() }, { payload })).toBe(200)
})

test('no page of another origin may read a response to the cookie', async () => {
  const { app, browser } = scene()
  const response = await app.inject({
    url: '/api/v4/thing',
    headers: { ...browser.headers, origin: 'https://attacker.example' },
  })
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
})
