import { describe, expect, test, vi } from 'vitest'

import { DEFAULT_RATE_LIMITS } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { describeOnEachDatabase } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { callAs, openBrowser } from '../support/browser.js'
import type { Person } from '../support/test-app.js'
import type { TestServicesOptions } from '../support/test-coordinator.js'
import { openSignInScene } from './scene.js'

const MINUTE = 60_000

async function open(options: TestServicesOptions = {}) {
  const scene = await openSignInScene(options)
  const link = async (as: Person, route = 'POST /user/sign_in_links') => {
    const response = await scene.call(as, route)
    expect(response.statusCode).toBe(201)
    const { url, expires_at } = response.json<{ url: string; expires_at: string }>()
    return { url, path: url.replace('http://switchyard.example', ''), expires_at: Date.parse(expires_at) }
  }
  return Object.assign(scene, { link })
}

const shared = openForFile(() => open())

describeOnEachDatabase('a sign-in link', (openDatabase, testOnOne) => {
  testOnOne('signs in once, with a click on its page', async () => {
    const { mary, link, visitor } = await open({ open: openDatabase })
    const { path } = await link(mary)
    const browser = visitor()
    for (let count = 0; count < 2; count++) {
      const page = await browser.get(`${path}?return_to=/app`)
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain('You are about to sign in as <b>Mary Major</b> (mary).')
      expect(await browser.name()).toBe(401)
    }
    const reply = await browser.submit(`${path}?return_to=/app`)
    expect([reply.statusCode, reply.headers.location]).toEqual([303, '/app'])
    expect(await browser.name()).toBe('mary')

    const other = visitor()
    expect((await other.get(path)).statusCode).toBe(404)
    await other.get('/users/sign_in')
    expect((await other.submit(path)).statusCode).toBe(404)
    expect(await other.name()).toBe(401)
  })

  test('that two browsers open at once signs one of them in', async () => {
    const { mary, link, visitor } = await open({ open: openDatabase })
    const { path } = await link(mary)
    const browsers = [visitor(), visitor(), visitor()]
    for (const browser of browsers) await browser.get(path)
    const statuses = await Promise.all(browsers.map(async (each) => (await each.submit(path)).statusCode))
    expect(statuses.toSorted()).toEqual([303, 404, 404])
  })
})

test('a link that users make for themselves is valid for five minutes', async () => {
  const { mary, link, visitor } = shared()
  const { path, expires_at } = await link(mary)
  expect(expires_at - Date.now()).toBeGreaterThan(4 * MINUTE)
  vi.useFakeTimers({ now: Date.now() + 5 * MINUTE, toFake: ['Date'] })
  try {
    expect((await visitor().get(path)).statusCode).toBe(404)
  } finally {
    vi.useRealTimers()
  }
})

test('an administrator makes a link for another user, valid for 24 hours', async () => {
  const { root, mary, link, visitor } = shared()
  const { path, expires_at } = await link(root, `POST /users/${mary.id}/sign_in_links`)
  expect(Math.round((expires_at - Date.now()) / MINUTE)).toBe(24 * 60)
  const browser = visitor()
  await browser.get(path)
  await browser.submit(path)
  expect(await browser.name()).toBe('mary')
})

test('only administrators make links for others', async () => {
  const { call, root, mary } = shared()
  const response = await call(mary, `POST /users/${root.id}/sign_in_links`)
  expect(response.statusCode).toBe(403)
})

test('the session of a link ends with the token that made it', async () => {
  const { database, mary, link, visitor } = await open()
  const [used, unused] = [await link(mary), await link(mary)]
  const browser = visitor()
  await browser.get(used.path)
  await browser.submit(used.path)
  expect(await browser.name()).toBe('mary')
  await database.updateTable('personal_access_token').set({ revoked: true }).execute()
  expect(await browser.name()).toBe(401)
  expect((await visitor().get(unused.path)).statusCode).toBe(404)
})

test('a link ends when its user is blocked or gets a new password', async () => {
  const { call, root, mary, link, visitor } = await open()
  const { path } = await link(mary)
  await call(root, `POST /users/${mary.id}/block`)
  await call(root, `POST /users/${mary.id}/unblock`)
  expect((await visitor().get(path)).statusCode).toBe(404)
  const other = await link(mary)
  await call(root, `PUT /users/${mary.id}`, { password: 'another horse battery' })
  expect((await visitor().get(other.path)).statusCode).toBe(404)
})

test('the audit trail and the store do not have the link', async () => {
  const { database, root, mary, link } = shared()
  const { path } = await link(root, `POST /users/${mary.id}/sign_in_links`)
  const secret = path.split('/').at(-1) ?? ''
  const events = await database.selectFrom('audit_event').selectAll().execute()
  expect(JSON.stringify(events)).toContain('Created a sign-in link')
  expect(JSON.stringify(events)).not.toContain(secret)
  const links = await database.selectFrom('sign_in_link').selectAll().execute()
  expect(JSON.stringify(links)).not.toContain(secret)
})

test('links cannot be tried without limit', async () => {
  const rateLimits = { ...DEFAULT_RATE_LIMITS, failedAuthentications: 10 }
  const { mary, link, visitor } = await open({ settings: { rateLimits } })
  const { path } = await link(mary)
  const browser = visitor()
  for (let count = 0; count < 10; count++) await browser.get(`/users/sign_in/guess-${count}`)
  const page = await browser.get(path)
  expect(page.statusCode).toBe(429)
  expect(page.body).not.toContain('Mary')
})

describe('no link is made', () => {
  test('for a user who is blocked or no person', async () => {
    const { database, call, root, mary } = await open()
    for (const values of [{ state: 'blocked' }, { state: 'active', kind: 'bot' }] as const) {
      await database.updateTable('user').set(values).where('id', '=', mary.id).execute()
      const response = await call(root, `POST /users/${mary.id}/sign_in_links`)
      expect(response.statusCode).toBe(400)
    }
  })

  test('for a token without the scope api', async () => {
    const { database, call, mary } = await open()
    await database
      .updateTable('personal_access_token')
      .set({ scopes: JSON.stringify(['read_api']) })
      .execute()
    const response = await call(mary, 'POST /user/sign_in_links')
    expect(response.statusCode).toBe(403)
  })
})

test('a session makes a link for another device', async () => {
  const { app, database, mary } = shared()
  const browser = await openBrowser(database, mary)
  expect((await callAs(app, browser, 'POST /user/sign_in_links')).statusCode).toBe(201)
})
