import { Type } from 'typebox'
import { describe, expect, test, vi } from 'vitest'

import {
  deleteSessionsEndedBefore,
  deleteSessionsOfUser,
} from '../../../src/coordinator/database/stores/web-session-store.js'
import { Authenticator } from '../../../src/coordinator/http/authentication/authenticator.js'
import { createSessionReader } from '../../../src/coordinator/http/authentication/read-session.js'
import { sessionCookieOf } from '../../../src/coordinator/http/authentication/session-cookie.js'
import { TokenUses } from '../../../src/coordinator/http/authentication/token-uses.js'
import { operation } from '../../../src/coordinator/http/operation.js'
import { DEFAULT_RATE_LIMITS, RateLimits } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { openSession } from '../../../src/coordinator/sessions/open-session.js'
import { createLogger } from '../../../src/lib/logger.js'
import { describeOnEachDatabase, type OpenDatabase, openSqlite } from '../../support/databases.js'
import { type Browser, browserWith, callAs, openBrowser } from '../support/browser.js'
import { setSettings } from '../support/set-settings.js'
import { addPerson, EXTERNAL_URL, openApp } from '../support/test-app.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const Name = Type.Object({ username: Type.String() })
const Kind = Type.Object({ kind: Type.String() })

const operations = [
  operation('GET /me', {
    summary: 'For users',
    access: 'user',
    responses: { 200: Name },
    cacheable: true,
    run: async ({ user }) => ({ username: user.username }),
  }),
  operation('POST /me', {
    summary: 'A change',
    access: 'user',
    params: Type.Object({ text: Type.Optional(Type.String()) }),
    responses: { 201: Name },
    run: async ({ user }) => ({ username: user.username }),
  }),
  operation('GET /open', {
    summary: 'For everyone',
    access: 'anyone',
    responses: { 200: Kind },
    run: async ({ caller }) => ({ kind: caller.kind }),
  }),
  operation('POST /jobs/request', {
    summary: 'For runners',
    access: 'anyone',
    responses: { 201: Kind },
    run: async ({ caller }) => ({ kind: caller.kind }),
  }),
]

async function open(openDatabase: OpenDatabase = openSqlite) {
  const { database } = await openDatabase()
  const rateLimits = new RateLimits({ ...DEFAULT_RATE_LIMITS, failedAuthentications: 1 })
  const testApp = openApp(database, operations, { rateLimits })
  const mary = await addPerson(database, 'mary')
  const status = async (browser: Browser) => (await callAs(testApp.app, browser, 'GET /me')).statusCode
  return Object.assign(testApp, { database, mary, status, browser: await openBrowser(database, mary) })
}

describeOnEachDatabase('the cookie of a session', (openDatabase, testOnOne) => {
  testOnOne('identifies its user', async () => {
    const { app, browser } = await open(openDatabase)
    const response = await callAs(app, browser, 'GET /me')
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ username: 'mary' })
    expect((await callAs(app, browser, 'POST /me', {})).statusCode).toBe(201)
  })

  testOnOne('is not valid after the session has ended', async () => {
    const { database, mary, browser, status } = await open(openDatabase)
    const other = await openBrowser(database, mary)
    await deleteSessionsOfUser(database, mary.id, { except: other.sessionId })
    expect([await status(browser), await status(other)]).toEqual([401, 200])
  })

  testOnOne('ends with the token that opened the session', async () => {
    const { database, mary, status } = await open(openDatabase)
    const { id } = await database.selectFrom('personal_access_token').select('id').executeTakeFirstOrThrow()
    const browser = await openBrowser(database, mary, { personalTokenId: id })
    expect(await status(browser)).toBe(200)
    await database
      .updateTable('personal_access_token')
      .set({ expires_at: Date.now() - 1000 })
      .execute()
    expect(await status(browser)).toBe(401)
    await database.updateTable('personal_access_token').set({ expires_at: null, revoked: true }).execute()
    expect(await status(browser)).toBe(401)
  })

  testOnOne('the periodic task deletes ended sessions alone', async () => {
    const { database, mary, browser } = await open(openDatabase)
    const { id } = await database.selectFrom('personal_access_token').select('id').executeTakeFirstOrThrow()
    await openBrowser(database, mary, { personalTokenId: id })
    await database.updateTable('personal_access_token').set({ revoked: true }).execute()
    const idle = await openBrowser(database, mary)
    await change(database, idle, { last_used_at: Date.now() - DAY - 1000 })
    const late = await openBrowser(database, mary)
    await change(database, late, { expires_at: Date.now() - 1000 })
    await deleteSessionsEndedBefore(database, Date.now())
    const left = await database.selectFrom('web_session').select('id').execute()
    expect(left).toEqual([{ id: browser.sessionId }])
  })

  test('a user has at most 100 sessions, of which a new one ends the oldest', async () => {
    const { database, mary, browser, status } = await open(openDatabase)
    const second = await openBrowser(database, mary)
    for (let count = 2; count < 101; count++) await openBrowser(database, mary)
    expect([await status(browser), await status(second)]).toEqual([401, 200])
  })
})

test('a session ends 24 hours after its last request', async () => {
  const { database, browser, status } = await open()
  await change(database, browser, { last_used_at: Date.now() - DAY + MINUTE })
  expect(await status(browser)).toBe(200)
  await change(database, browser, { last_used_at: Date.now() - DAY })
  expect(await status(browser)).toBe(401)
})

test('a user who stays signed in is so for 14 days without a request, and 90 days in all', async () => {
  const { database, mary, status } = await open()
  const browser = await openBrowser(database, mary, { staysSignedIn: true })
  await change(database, browser, { last_used_at: Date.now() - 14 * DAY + MINUTE })
  expect(await status(browser)).toBe(200)
  await change(database, browser, { last_used_at: Date.now() - 14 * DAY })
  expect(await status(browser)).toBe(401)
  const { expires_at, created_at } = await row(database, browser)
  expect(expires_at - created_at).toBe(90 * DAY)
})

test('the setting session_expire_delay limits sessions of users who do not stay signed in', async () => {
  const { database, mary } = await open()
  await setSettings({ database }, { session_expire_delay: 30 })
  const short = await row(database, await openBrowser(database, mary))
  expect(short.expires_at - short.created_at).toBe(30 * MINUTE)
  const lasting = await row(database, await openBrowser(database, mary, { staysSignedIn: true }))
  expect(lasting.expires_at - lasting.created_at).toBe(90 * DAY)
})

test('only a cookie that stays has a lifetime of its own', async () => {
  const { database, mary } = await open()
  const session = {
    user: mary,
    isConfirmed: true,
    personalTokenId: null,
    address: '::1',
    userAgent: undefined,
  }
  expect((await openSession(database, { ...session, staysSignedIn: false })).maxAge).toBeUndefined()
  expect((await openSession(database, { ...session, staysSignedIn: true })).maxAge).toBe(90 * 24 * 3600)
})

test('the store has only the digest of the cookie', async () => {
  const { database, browser } = await open()
  expect(JSON.stringify(await row(database, browser))).not.toContain(browser.cookie)
})

test('the cookie is for this host, no script and no request of another site', () => {
  const secure = sessionCookieOf('https://ci.example.com')
  expect(secure.set('abc')).toBe('__Host-switchyard=abc; Path=/; HttpOnly; SameSite=Lax; Secure')
  const plain = sessionCookieOf('http://127.0.0.1:3000')
  expect(plain.set('abc', 60)).toBe('switchyard_session=abc; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
  expect(plain.clear()).toBe('switchyard_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')
})

test.each([
  ['switchyard_session=abc', 'abc'],
  ['a=b; switchyard_session=abc; c=d', 'abc'],
  ['not_switchyard_session=abc', undefined],
  ['switchyard_session_too=abc', undefined],
  ['switchyard_session=', undefined],
  ['switchyard_session="abc"', undefined],
  ['switchyard_session=a%20b', undefined],
  ['switchyard_session', undefined],
  [`switchyard_session=${'a'.repeat(1001)}`, undefined],
])('of the header %j it is %j', (cookie, value) => {
  expect(sessionCookieOf('http://127.0.0.1:3000').read({ cookie })).toBe(value)
})

test('a token that is sent too counts instead of the cookie', async () => {
  const { app, database, browser } = await open()
  const john = await addPerson(database, 'john')
  const headers = { ...browser.headers, 'private-token': john.token }
  expect((await app.inject({ url: '/api/v4/me', headers })).json()).toEqual({ username: 'john' })
  expect((await app.inject({ method: 'POST', url: '/api/v4/me', headers })).statusCode).toBe(201)
})

test('a cookie of no session is 401, as often as it is sent', async () => {
  const { status } = await open()
  const unknown = browserWith('A'.repeat(43))
  const statuses = [await status(unknown), await status(unknown), await status(unknown)]
  expect(statuses).toEqual([401, 401, 401])
})

test('a blocked user has no session', async () => {
  const { database, browser, status } = await open()
  await database.updateTable('user').set({ state: 'blocked' }).execute()
  expect(await status(browser)).toBe(401)
})

test('a session does not act as another user', async () => {
  const { app, database } = await open()
  const root = await addPerson(database, 'root', { admin: true })
  const { headers } = await openBrowser(database, root)
  const response = await app.inject({ url: '/api/v4/me', headers: { ...headers, sudo: 'mary' } })
  expect(response.statusCode).toBe(403)
  expect(response.json()).toMatchObject({ error: 'insufficient_scope', scope: 'sudo' })
})

test('operations of runners do not read the cookie', async () => {
  const { app, browser } = await open()
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/jobs/request',
    headers: browser.headers,
  })
  expect(response.statusCode).toBe(201)
  expect(response.json()).toEqual({ kind: 'anonymous' })
})

test('responses to a cookie are for its browser and its origin alone', async () => {
  const { app, browser } = await open()
  const { headers } = await callAs(app, browser, 'GET /me')
  expect(headers).toMatchObject({ vary: 'Origin, Cookie', 'cross-origin-resource-policy': 'same-origin' })
  const without = await app.inject('/api/v4/open')
  expect(without.headers.vary).toBe('Origin')
  expect(without.headers).not.toHaveProperty('cross-origin-resource-policy')
})

test('two sessions never share a cached response', async () => {
  const { app, database, browser } = await open()
  const other = await openBrowser(database, await addPerson(database, 'john'))
  const names = []
  for (const each of [browser, other, browser, other]) {
    names.push((await callAs(app, each, 'GET /me')).json<{ username: string }>().username)
  }
  expect(names).toEqual(['mary', 'john', 'mary', 'john'])
  expect((await app.inject('/api/v4/me')).statusCode).toBe(401)
})

test('the last request of a session is stored once in ten minutes', async () => {
  const { database, browser } = await open()
  const clock = { now: Date.now() }
  const uses = new TokenUses(database, createLogger('test', 'silent'), () => clock.now)
  const authenticator = new Authenticator(database, uses)
  const usedAt = async () => {
    await authenticator.findSession(browser.cookie)
    await uses.write()
    return (await row(database, browser)).last_used_at
  }
  const first = await usedAt()
  clock.now += 9 * MINUTE
  expect(await usedAt()).toBe(first)
  clock.now += MINUTE
  expect(await usedAt()).toBe(first + 10 * MINUTE)
  const activity = await database
    .selectFrom('user_profile')
    .select('last_activity_at')
    .executeTakeFirstOrThrow()
  expect(activity.last_activity_at).toBe(clock.now)
})

describe('a page', () => {
  test('reads the session of its request, with its CSRF token', async () => {
    const { database, mary, browser } = await open()
    const readSession = createSessionReader({
      authenticator: new Authenticator(database),
      externalUrl: EXTERNAL_URL,
    })
    expect(await readSession({ headers: browser.headers })).toMatchObject({
      id: browser.sessionId,
      user: { id: mary.id, username: 'mary' },
      csrfToken: browser.changing['x-csrf-token'],
    })
    expect(await readSession({ headers: {} })).toBeUndefined()
    expect(await readSession({ headers: browserWith('unknown').headers })).toBeUndefined()
    vi.useFakeTimers({ now: Date.now() + 2 * DAY, toFake: ['Date'] })
    try {
      expect(await readSession({ headers: browser.headers })).toBeUndefined()
    } finally {
      vi.useRealTimers()
    }
  })
})

type Store = Parameters<typeof openSession>[0]

function row(database: Store, { sessionId }: Browser) {
  return database.selectFrom('web_session').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow()
}

async function change(
  database: Store,
  { sessionId }: Browser,
  values: { last_used_at?: number; expires_at?: number },
): Promise<void> {
  await database.updateTable('web_session').set(values).where('id', '=', sessionId).execute()
}
