import { describe, expect, test } from 'vitest'

import { csrfTokenOf } from '../../../src/coordinator/http/authentication/csrf.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { type Browser, callAs, openBrowser } from '../support/browser.js'
import type { Person } from '../support/test-app.js'
import { openSignInScene, PASSWORD } from './scene.js'

const MINUTE = 60_000

async function open(openDatabase?: OpenDatabase) {
  const scene = await openSignInScene(openDatabase && { open: openDatabase })
  const { app, database } = scene
  const ids = async (path: string, as: Person) => {
    const response = await scene.call(as, `GET ${path}`)
    return response.json<{ id: number }[]>().map(({ id }) => id)
  }
  const statusOf = async (browser: Browser) => (await callAs(app, browser, 'GET /user')).statusCode
  /** A browser whose user gave the password this many minutes ago. */
  const confirmedBefore = async (user: Person, minutes: number) => {
    const browser = await openBrowser(database, user)
    await database
      .updateTable('web_session')
      .set({ confirmed_at: Date.now() - minutes * MINUTE })
      .where('id', '=', browser.sessionId)
      .execute()
    return browser
  }
  return Object.assign(scene, { ids, statusOf, confirmedBefore })
}

const shared = openForFile(() => open())

describeOnDatabase('sessions', (openDatabase) => {
  test('are listed for their user, the latest first, and ended one by one', async () => {
    const { app, database, root, mary, ids, statusOf } = await open(openDatabase)
    const [one, two] = [await openBrowser(database, mary), await openBrowser(database, mary)]
    const foreign = await openBrowser(database, root)
    const listed = (await callAs(app, one, 'GET /user/sessions')).json<Record<string, unknown>[]>()
    expect(listed).toMatchObject([
      { id: two.sessionId, current: false },
      { id: one.sessionId, current: true, ip_address: '127.0.0.1', user_agent: 'Browser of the tests' },
    ])
    const end = async (id: number) => (await callAs(app, one, `DELETE /user/sessions/${id}`)).statusCode
    expect([await end(two.sessionId), await end(two.sessionId), await end(foreign.sessionId)]).toEqual([
      204, 404, 404,
    ])
    expect([await statusOf(one), await statusOf(two), await statusOf(foreign)]).toEqual([200, 401, 200])
    expect(await ids('/user/sessions', mary)).toEqual([one.sessionId])
  })

  testAtNight('that have ended are not listed', async () => {
    const { database, mary, ids } = await open(openDatabase)
    const { id: personalTokenId } = await database
      .selectFrom('personal_access_token')
      .select('id')
      .where('user_id', '=', mary.id)
      .executeTakeFirstOrThrow()
    const alive = await openBrowser(database, mary)
    const idle = await openBrowser(database, mary)
    await database
      .updateTable('web_session')
      .set({ last_used_at: Date.now() - 25 * 60 * MINUTE })
      .where('id', '=', idle.sessionId)
      .execute()
    const ofToken = await openBrowser(database, mary, { personalTokenId })
    expect(await ids('/user/sessions', mary)).toEqual([ofToken.sessionId, alive.sessionId])
  })
})

test('all sessions but that of the request end at once', async () => {
  const { app, database, mary, statusOf } = shared()
  const [one, two] = [await openBrowser(database, mary), await openBrowser(database, mary)]
  expect((await callAs(app, one, 'DELETE /user/sessions')).statusCode).toBe(204)
  expect([await statusOf(one), await statusOf(two)]).toEqual([200, 401])
})

test('administrators list and end sessions of others, which the audit trail records', async () => {
  const { call, database, root, mary, ids, statusOf } = await open()
  const [one, two] = [await openBrowser(database, mary), await openBrowser(database, mary)]
  expect(await ids(`/users/${mary.id}/sessions`, root)).toEqual([two.sessionId, one.sessionId])
  const path = `/users/${mary.id}/sessions`
  expect((await call(root, `DELETE ${path}/${one.sessionId}`)).statusCode).toBe(204)
  expect((await call(root, `DELETE /users/${root.id}/sessions/${two.sessionId}`)).statusCode).toBe(404)
  expect([await statusOf(one), await statusOf(two)]).toEqual([401, 200])
  expect((await call(root, `DELETE ${path}`)).statusCode).toBe(204)
  expect(await statusOf(two)).toBe(401)
  const events = await database.selectFrom('audit_event').select(['author_id', 'details']).execute()
  expect(events).toMatchObject([
    { author_id: root.id, details: { remove: 'session' } },
    { author_id: root.id, details: { remove: 'session' } },
  ])
})

describe('a confirmation', () => {
  const token = { name: 'new', scopes: ['api'] }

  test('is needed again after 30 minutes', async () => {
    const { app, root, mary, confirmedBefore } = shared()
    const route = `POST /users/${mary.id}/personal_access_tokens`
    const fresh = await confirmedBefore(root, 29)
    expect((await callAs(app, fresh, route, token)).statusCode).toBe(201)
    const stale = await confirmedBefore(root, 30)
    const refused = await callAs(app, stale, route, token)
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toEqual({ error: 'confirmation_required' })
  })

  test('is renewed with the password or a token', async () => {
    const { app, mary, confirmedBefore } = shared()
    for (const proof of [{ password: PASSWORD }, { token: mary.token }]) {
      const browser = await confirmedBefore(mary, 60)
      const link = async () => (await callAs(app, browser, 'POST /user/sign_in_links')).statusCode
      expect(await link()).toBe(403)
      const confirmed = await callAs(app, browser, 'POST /user/sessions/confirm', proof)
      expect(confirmed.statusCode).toBe(200)
      const { confirmed_at, valid_until } = confirmed.json<Record<string, string>>()
      expect(Date.parse(valid_until ?? '') - Date.parse(confirmed_at ?? '')).toBe(30 * MINUTE)
      expect(await link()).toBe(201)
    }
  })

  test('is not renewed with the password or token of another user, or a wrong one', async () => {
    const { app, root, mary, confirmedBefore } = shared()
    const browser = await confirmedBefore(mary, 60)
    for (const proof of [{ password: 'wrong' }, { token: root.token }, { token: 'glpat-unknown' }]) {
      expect((await callAs(app, browser, 'POST /user/sessions/confirm', proof)).statusCode).toBe(403)
    }
    for (const proof of [{}, { password: PASSWORD, token: mary.token }]) {
      expect((await callAs(app, browser, 'POST /user/sessions/confirm', proof)).statusCode).toBe(400)
    }
    expect((await callAs(app, browser, 'POST /user/sign_in_links')).statusCode).toBe(403)
  })

  test('of one session does not count in another', async () => {
    const { app, mary, confirmedBefore } = shared()
    const [one, two] = [await confirmedBefore(mary, 60), await confirmedBefore(mary, 60)]
    await callAs(app, one, 'POST /user/sessions/confirm', { password: PASSWORD })
    expect((await callAs(app, two, 'POST /user/sign_in_links')).statusCode).toBe(403)
  })

  test('is asked of nobody with a token', async () => {
    const { call, root, mary } = shared()
    expect((await call(root, `POST /users/${mary.id}/personal_access_tokens`, token)).statusCode).toBe(201)
    expect((await call(mary, 'POST /user/sessions/confirm', { password: PASSWORD })).statusCode).toBe(403)
  })

  test('is not given by a link that users make for themselves, but by one of an administrator', async () => {
    const { call, root, mary, visitor, app } = shared()
    const statusBy = async (as: Person, route: string) => {
      const { url } = (await call(as, route)).json<{ url: string }>()
      const browser = visitor()
      await browser.get(new URL(url).pathname)
      await browser.submit(new URL(url).pathname)
      const csrf = csrfTokenOf(browser.cookies.get('switchyard_session') ?? '')
      const headers = { ...browser.cookieHeader, 'x-csrf-token': csrf }
      return (await app.inject({ method: 'POST', url: '/api/v4/user/sign_in_links', headers })).statusCode
    }
    expect(await statusBy(mary, 'POST /user/sign_in_links')).toBe(403)
    expect(await statusBy(root, `POST /users/${mary.id}/sign_in_links`)).toBe(201)
  })

  test.each([
    ['PUT', 'password', { password: 'another horse battery' }, 403],
    ['PUT', 'administrator', { admin: true }, 403],
    ['PUT', 'name', { name: 'Maria' }, 200],
  ])('is needed for %s of a user with a new %s: %j gets %i', async (_method, _what, body, status) => {
    const { app, root, mary, confirmedBefore } = shared()
    const browser = await confirmedBefore(root, 60)
    expect((await callAs(app, browser, `PUT /users/${mary.id}`, body)).statusCode).toBe(status)
  })
})

describe('the own password', () => {
  test('is set in a confirmed session, which alone stays', async () => {
    const { app, database, mary, confirmedBefore, statusOf, visitor } = await open()
    const [browser, other] = [await confirmedBefore(mary, 60), await openBrowser(database, mary)]
    const set = () => callAs(app, browser, 'PUT /user/password', { password: 'another horse battery' })
    expect((await set()).statusCode).toBe(403)
    await callAs(app, browser, 'POST /user/sessions/confirm', { token: mary.token })
    expect((await set()).statusCode).toBe(204)
    expect([await statusOf(browser), await statusOf(other)]).toEqual([200, 401])
    expect((await visitor().signIn({ username: 'mary', password: PASSWORD })).statusCode).toBe(401)
    const again = await visitor().signIn({ username: 'mary', password: 'another horse battery' })
    expect(again.statusCode).toBe(303)
  })

  test('is not set with a token, and not to an unsuitable one', async () => {
    const { app, call, database, mary } = shared()
    const good = { password: 'another horse battery' }
    expect((await call(mary, 'PUT /user/password', good)).statusCode).toBe(403)
    const browser = await openBrowser(database, mary)
    expect((await callAs(app, browser, 'PUT /user/password', { password: 'short' })).statusCode).toBe(400)
  })
})
