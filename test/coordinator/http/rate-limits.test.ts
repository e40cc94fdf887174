import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { NoBody, operation, respond } from '../../../src/coordinator/http/operation.js'
import {
  DEFAULT_RATE_LIMITS,
  RateLimits,
  type RateLimitSettings,
} from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { openSqlite } from '../../support/databases.js'
import { addPerson, openApp } from '../support/test-app.js'

const OFF = { authenticated: 0, unauthenticated: 0, failedAuthentications: 0, archives: 0 }

const operations = [
  operation('GET /open', {
    summary: 'For everyone',
    access: 'anyone',
    responses: { 200: Type.Object({}) },
    run: async () => ({}),
  }),
  operation('POST /costly', {
    summary: 'Takes long',
    access: 'user',
    limit: { perMinute: 2 },
    responses: { 204: NoBody },
    run: async () => respond(204),
  }),
  operation('POST /jobs/request', {
    summary: 'What runners ask',
    access: 'anyone',
    responses: { 204: NoBody },
    run: async () => respond(204),
  }),
]

async function open(settings: Partial<RateLimitSettings>, trustedProxies?: string[]) {
  const { database } = await openSqlite()
  let now = Date.parse('2024-01-01T00:00:10Z')
  const rateLimits = new RateLimits({ ...OFF, ...settings }, () => now)
  const { app } = openApp(database, operations, { rateLimits, trustedProxies })
  const mary = await addPerson(database, 'mary')
  const root = await addPerson(database, 'root', { admin: true, scopes: ['api', 'sudo'] })
  const get = (headers: Record<string, string> = {}) => app.inject({ url: '/api/v4/open', headers })
  const pass = (milliseconds: number) => void (now += milliseconds)
  return { app, mary: mary.token, root: root.token, get, pass }
}

test('one request too many is put off until the minute is over', async () => {
  const { get, pass } = await open({ unauthenticated: 2 })
  expect((await get()).statusCode).toBe(200)
  expect((await get()).statusCode).toBe(200)
  const third = await get()
  expect(third.statusCode).toBe(429)
  expect(third.body).toBe('Retry later\n')
  expect(third.headers).toMatchObject({
    'content-type': 'text/plain',
    'retry-after': '50',
    'ratelimit-limit': '2',
    'ratelimit-remaining': '0',
    'ratelimit-observed': '3',
    'ratelimit-reset': String(Date.parse('2024-01-01T00:01:00Z') / 1000),
    'ratelimit-resettime': 'Mon, 01 Jan 2024 00:01:00 GMT',
    'ratelimit-name': 'throttle_unauthenticated_api',
  })
  pass(50_000)
  expect((await get()).statusCode).toBe(200)
})

test('each user has a quota, which sudo does not extend', async () => {
  const { get, mary, root } = await open({ authenticated: 1 })
  expect((await get({ 'private-token': mary })).statusCode).toBe(200)
  expect((await get({ 'private-token': mary })).statusCode).toBe(429)
  expect((await get({ 'private-token': root, sudo: 'mary' })).statusCode).toBe(200)
  expect((await get({ 'private-token': root, sudo: 'root' })).statusCode).toBe(429)
  expect((await get()).statusCode).toBe(200)
})

test('runners are let through', async () => {
  const { app } = await open({ unauthenticated: 1 })
  for (let time = 0; time < 5; time++) {
    const response = await app.inject({ method: 'POST', url: '/api/v4/jobs/request' })
    expect(response.statusCode).toBe(204)
  }
})

test('an operation can have a limit of its own', async () => {
  const { app, mary, root } = await open({})
  const post = (token: string) =>
    app.inject({ method: 'POST', url: '/api/v4/costly', headers: { 'private-token': token } })
  expect((await post(mary)).statusCode).toBe(204)
  expect((await post(mary)).statusCode).toBe(204)
  const third = await post(mary)
  expect(third.statusCode).toBe(429)
  expect(third.headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '50' })
  expect(third.json()).toEqual({
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  })
  expect((await post(root)).statusCode).toBe(204)
})

test('an address that tries one credential after the other is put off, and a right one never', async () => {
  const { get, mary, pass } = await open({ failedAuthentications: 3 })
  for (const guess of ['a', 'b', 'c']) {
    expect((await get({ 'private-token': `glpat-${guess}` })).statusCode).toBe(401)
  }
  const refused = await get({ 'private-token': 'glpat-d' })
  expect(refused.statusCode).toBe(429)
  expect(refused.headers).toMatchObject({
    'retry-after': '50',
    'ratelimit-name': 'throttle_failed_authentication',
  })
  expect((await get({ 'private-token': mary })).statusCode).toBe(200)
  expect((await get()).statusCode).toBe(200)
  pass(60_000)
  expect((await get({ 'private-token': 'glpat-d' })).statusCode).toBe(401)
})

test('behind a trusted proxy each client has its own quota; other proxies are not trusted', async () => {
  const behind = await open({ unauthenticated: 1 }, ['127.0.0.0/8'])
  expect((await behind.get({ 'x-forwarded-for': '192.0.2.1' })).statusCode).toBe(200)
  expect((await behind.get({ 'x-forwarded-for': '192.0.2.2' })).statusCode).toBe(200)
  expect((await behind.get({ 'x-forwarded-for': '192.0.2.1' })).statusCode).toBe(429)
  const direct = await open({ unauthenticated: 1 })
  expect((await direct.get({ 'x-forwarded-for': '192.0.2.1' })).statusCode).toBe(200)
  expect((await direct.get({ 'x-forwarded-for': '192.0.2.2' })).statusCode).toBe(429)
})

test('default limits are generous, and 0 disables a limit', async () => {
  expect(DEFAULT_RATE_LIMITS.unauthenticated).toBeGreaterThanOrEqual(600)
  const { get, mary } = await open({})
  for (let time = 0; time < 10; time++) {
    expect((await get({ 'private-token': mary })).statusCode).toBe(200)
    expect((await get({ 'private-token': 'wrong' })).statusCode).toBe(401)
  }
})
