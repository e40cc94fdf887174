import { describe, expect, test } from 'vitest'

import { createToken } from '../../../src/coordinator/accounts/users/tokens/tokens.js'
import { csrfTokenOf } from '../../../src/coordinator/http/authentication/csrf.js'
import { DEFAULT_RATE_LIMITS } from '../../../src/coordinator/http/rate-limits/rate-limits.js'
import { describeOnDatabase } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { setSettings } from '../support/set-settings.js'
import { openSignInScene, PASSWORD, type SignInScene } from './scene.js'

const BY_PASSWORD = { username: 'mary', password: PASSWORD }

const TEN_FAILURES = { ...DEFAULT_RATE_LIMITS, failedAuthentications: 10 }

const scene = openForFile(() => openSignInScene())

describeOnDatabase('the sign-in page', (open) => {
  test('signs in with the password and leads to the page that was asked for', async () => {
    const { visitor } = await openSignInScene({ open })
    const mary = visitor()
    const response = await mary.signIn(BY_PASSWORD, '?return_to=%2Fapp%2F-%2Fjobs%2F1%3Fa%3Db')
    expect(response.statusCode).toBe(303)
    expect(response.headers.location).toBe('/app/-/jobs/1?a=b')
    expect(await mary.name()).toBe('mary')
  })
})

test('users sign in with their e-mail address too, whatever its case', async () => {
  const mary = scene().visitor()
  const response = await mary.signIn({ username: 'MARY@example.com', password: PASSWORD })
  expect([response.statusCode, response.headers.location]).toEqual([303, '/'])
  expect(await mary.name()).toBe('mary')
})

test('the page is small, leads to public projects, has no script and cannot be framed', async () => {
  const { body, headers } = await scene().visitor().get('/users/sign_in?return_to=/app')
  expect(body.length).toBeLessThan(6 * 1024)
  expect(body).not.toContain('<script')
  expect(body).toContain('Sign in to switchyard.example')
  expect(body).toMatch(/<header><svg [^]*<\/svg> Switchyard<\/header>/)
  expect(body).toContain('href="../explore/projects"')
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none';.* frame-ancestors 'none'; form-action 'self'$/,
  )
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
  })
})

test('a wrong password is 401, and the name stays', async () => {
  const mary = scene().visitor()
  const response = await mary.signIn({ username: 'mary "x"', password: 'wrong' }, '?return_to=/app')
  expect(response.statusCode).toBe(401)
  expect(response.body).toContain('Wrong username or password.')
  expect(response.body).toContain('value="mary &quot;x&quot;"')
  expect(response.body).toContain('name="return_to" value="/app"')
  expect(await mary.name()).toBe(401)
})

test('the page says that an account is blocked, with the right password alone', async () => {
  const { database, visitor } = await openSignInScene()
  await database.updateTable('user').set({ state: 'blocked' }).where('username', '=', 'mary').execute()
  const response = await visitor().signIn(BY_PASSWORD)
  expect(response.statusCode).toBe(403)
  expect(response.body).toContain('Your account has been blocked.')
  expect((await visitor().signIn({ ...BY_PASSWORD, password: 'wrong' })).statusCode).toBe(401)
})

test('the page says that the address must be confirmed', async () => {
  const { database, mary, visitor } = await openSignInScene()
  await database
    .updateTable('user_profile')
    .set({ confirmed_at: null })
    .where('user_id', '=', mary.id)
    .execute()
  const response = await visitor().signIn(BY_PASSWORD)
  expect(response.statusCode).toBe(403)
  expect(response.body).toContain('You have to confirm your e-mail address before you sign in.')
})

test('after ten failed attempts, the right password is 429 with the time', async () => {
  const { visitor } = await openSignInScene({ settings: { rateLimits: TEN_FAILURES } })
  const mary = visitor()
  for (let count = 0; count < 10; count++) await mary.signIn({ token: 'wrong' }, '?tab=token')
  const response = await mary.signIn(BY_PASSWORD)
  expect(response.statusCode).toBe(429)
  expect(response.body).toMatch(/Too many failed attempts\. Try again in \d+ seconds\./)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  expect(await mary.name()).toBe(401)
})

describe('with a token', () => {
  test('of the scope api, a user is signed in until the token ends', async () => {
    const { database, mary, visitor } = await openSignInScene()
    const browser = visitor()
    const page = await browser.get('/users/sign_in?tab=token')
    expect(page.body).toContain('name="token"')
    expect(page.body).not.toContain('name="password"')
    expect((await browser.submit('/users/sign_in', { token: ` ${mary.token} ` })).statusCode).toBe(303)
    expect(await browser.name()).toBe('mary')
    await database.updateTable('personal_access_token').set({ revoked: true }).execute()
    expect(await browser.name()).toBe(401)
  })

  test('that is wrong, ended or of another scope, nobody is', async () => {
    const { database, mary, visitor } = await openSignInScene()
    const made = { user_id: mary.id, name: 'test', expires_at: null }
    const reading = await createToken(database, { ...made, scopes: ['read_api', 'write_repository'] })
    const ended = await createToken(database, { ...made, scopes: ['api'], expires_at: Date.now() - 1 })
    const cases = [
      ['', 401],
      ['glpat-unknown', 401],
      [ended.token, 401],
      [reading.token, 403],
    ] as const
    for (const [token, status] of cases) {
      const browser = visitor()
      expect((await browser.signIn({ token }, '?tab=token')).statusCode).toBe(status)
      expect(await browser.name()).toBe(401)
    }
  })

  test('of a project, nobody is', async () => {
    const { database, mary, visitor } = await openSignInScene()
    await database.updateTable('user').set({ kind: 'bot' }).where('id', '=', mary.id).execute()
    const response = await visitor().signIn({ token: mary.token }, '?tab=token')
    expect(response.statusCode).toBe(403)
    expect(response.body).toContain('Tokens of projects and groups do not sign in.')
  })

  test('the token is not on the page again', async () => {
    const response = await scene().visitor().signIn({ token: 'glpat-mistyped' }, '?tab=token')
    expect(response.body).not.toContain('glpat-mistyped')
  })
})

test('without password_authentication_enabled_for_web, only tokens sign in', async () => {
  const { services, mary, visitor } = await openSignInScene()
  await setSettings(services, { password_authentication_enabled_for_web: false })
  const browser = visitor()
  expect((await browser.get('/users/sign_in')).body).not.toContain('name="password"')
  expect((await browser.submit('/users/sign_in', { ...BY_PASSWORD, tab: 'password' })).statusCode).toBe(403)
  expect((await browser.signIn({ token: mary.token })).statusCode).toBe(303)
})

test('a user who is signed in already goes on', async () => {
  const mary = scene().visitor()
  await mary.signIn(BY_PASSWORD)
  const response = await mary.get('/users/sign_in?return_to=/app')
  expect([response.statusCode, response.headers.location]).toEqual([303, '/app'])
})

test('only who stays signed in has a cookie that outlives the browser', async () => {
  const [once, stays] = [scene().visitor(), scene().visitor()]
  await once.signIn(BY_PASSWORD)
  await stays.signIn({ ...BY_PASSWORD, remember_me: '1' })
  const attributes = '; Path=/; HttpOnly; SameSite=Lax'
  expect(once.attributes.get('switchyard_session')).toBe(attributes)
  expect(stays.attributes.get('switchyard_session')).toBe(`; Max-Age=${90 * 24 * 3600}${attributes}`)
})

test('a sign-in is in the audit trail, and in the record of the user', async () => {
  const { database, services, mary, visitor } = await openSignInScene()
  await visitor().signIn(BY_PASSWORD)
  await visitor().signIn({ token: mary.token }, '?tab=token')
  const events = await database.selectFrom('audit_event').select(['author_id', 'details']).execute()
  const signIns = events.filter(({ details }) => details.custom_message === 'Signed in')
  expect(signIns).toMatchObject([
    { author_id: mary.id, details: { with: 'standard', ip_address: '127.0.0.1' } },
    { author_id: mary.id, details: { with: 'token' } },
  ])
  await services.signIns.write()
  const profile = await database
    .selectFrom('user_profile')
    .select('current_sign_in_ip')
    .where('user_id', '=', mary.id)
    .executeTakeFirstOrThrow()
  expect(profile.current_sign_in_ip).toBe('127.0.0.1')
})

test('the record of a session says where it comes from', async () => {
  const { app, visitor } = scene()
  const mary = visitor()
  await mary.get('/users/sign_in')
  await mary.submit('/users/sign_in', BY_PASSWORD, { 'user-agent': 'Firefox' })
  const sessions = await app.inject({ url: '/api/v4/user/sessions', headers: mary.cookieHeader })
  const [session] = sessions.json<Record<string, unknown>[]>()
  expect(session).toMatchObject({ current: true, ip_address: '127.0.0.1', user_agent: 'Firefox' })
})

describe('sign-out', () => {
  async function signedIn({ app, visitor }: SignInScene) {
    const mary = visitor()
    await mary.signIn(BY_PASSWORD)
    const token = csrfTokenOf(mary.cookies.get('switchyard_session') ?? '')
    return { app, mary, token }
  }

  test('ends the session, and the sign-in page says so', async () => {
    const { mary, token } = await signedIn(scene())
    const headers = mary.cookieHeader
    const response = await mary.post('/users/sign_out', { authenticity_token: token })
    expect([response.statusCode, response.headers.location]).toEqual([303, '/users/sign_in?signed_out=1'])
    expect(mary.cookies.has('switchyard_session')).toBe(false)
    expect((await mary.get(String(response.headers.location))).body).toContain('You are signed out.')
    expect((await scene().app.inject({ url: '/api/v4/user', headers })).statusCode).toBe(401)
  })

  test('needs the CSRF token', async () => {
    const { mary } = await signedIn(scene())
    for (const token of ['', 'wrong']) {
      const response = await mary.post('/users/sign_out', { authenticity_token: token })
      expect(response.statusCode).toBe(403)
      expect(response.headers['content-type']).toContain('text/html')
    }
    expect(await mary.name()).toBe('mary')
  })

  test('of a browser without a session leads to the sign-in page', async () => {
    const response = await scene().visitor().post('/users/sign_out', { return_to: '/app' })
    expect(response.headers.location).toBe('/users/sign_in?signed_out=1&return_to=%2Fapp')
  })
})
