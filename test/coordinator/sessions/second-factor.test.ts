import { describe, expect, test, vi } from 'vitest'

import { createToken } from '../../../src/coordinator/accounts/users/tokens/tokens.js'
import { describeOnEachDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { BY_PASSWORD, callAs, CODE_PAGE, enrol } from './app-of-user.js'
import { openSignInScene, PASSWORD, type SignInScene, type Visitor } from './scene.js'

const PENDING = 'switchyard_pending'

/** A browser whose user has given the password. */
async function afterPassword(scene: SignInScene): Promise<Visitor> {
  const visitor = scene.visitor()
  const response = await visitor.signIn(BY_PASSWORD, '?return_to=/app')
  expect([response.statusCode, response.headers.location]).toEqual([303, CODE_PAGE])
  expect(await visitor.name()).toBe(401)
  await visitor.get(CODE_PAGE)
  return visitor
}

describeOnEachDatabase('a user with an app', (open, testOnOne) => {
  testOnOne('signs in with the password and a code, which counts once', async () => {
    const scene = await openSignInScene({ open })
    const { code } = await enrol(scene)
    const mary = await afterPassword(scene)
    const other = await afterPassword(scene)
    const given = code()
    const response = await mary.submit(CODE_PAGE, { code: given })
    expect([response.statusCode, response.headers.location]).toEqual([303, '/app'])
    expect(await mary.name()).toBe('mary')
    expect((await other.submit(CODE_PAGE, { code: given })).statusCode).toBe(401)
    expect(await other.name()).toBe(401)
    const sessions = (await callAs(scene, mary, 'GET', '/user/sessions')).json<{ second_factor: string }[]>()
    expect(sessions.map(({ second_factor }) => second_factor)).toEqual(['totp', null])
  })

  test('uses each recovery code once, also at the same time', async () => {
    const scene = await openSignInScene({ open })
    const { recoveryCodes } = await enrol(scene)
    expect(recoveryCodes).toHaveLength(10)
    const browsers = [await afterPassword(scene), await afterPassword(scene), await afterPassword(scene)]
    const code = (recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')
    const responses = await Promise.all(browsers.map((browser) => browser.submit(CODE_PAGE, { code })))
    expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 401, 401])
  })
})

test('a code of the step before or after is accepted, one of two steps away is not', async () => {
  const scene = await openSignInScene()
  const { code } = await enrol(scene)
  const mary = await afterPassword(scene)
  expect((await mary.submit(CODE_PAGE, { code: code(2) })).statusCode).toBe(401)
  expect((await mary.submit(CODE_PAGE, { code: code(-2) })).statusCode).toBe(401)
  expect((await mary.submit(CODE_PAGE, { code: code(1) })).statusCode).toBe(303)
  // The clock of the app is ahead; the present step is before the one that was used.
  expect((await (await afterPassword(scene)).submit(CODE_PAGE, { code: code(0) })).statusCode).toBe(401)
})

test('the other sessions end when the factor is turned on', async () => {
  const scene = await openSignInScene()
  const earlier = scene.visitor()
  await earlier.signIn(BY_PASSWORD)
  const mary = scene.visitor()
  await enrol(scene, mary)
  expect([await earlier.name(), await mary.name()]).toEqual([401, 'mary'])
})

testAtNight('a wrong code does not turn the factor on', async () => {
  const scene = await openSignInScene()
  const mary = scene.visitor()
  await mary.signIn(BY_PASSWORD)
  await callAs(scene, mary, 'POST', '/user/two_factor/totp')
  const refused = await callAs(scene, mary, 'POST', '/user/two_factor/totp/confirm', { code: '000000' })
  expect(refused.json()).toEqual({ message: '403 Forbidden - Wrong code' })
  expect((await scene.visitor().signIn(BY_PASSWORD)).headers.location).toBe('/')
})

describe('a sign-in that waits for the code', () => {
  test('is completed once, and only in its browser', async () => {
    const scene = await openSignInScene()
    const { code } = await enrol(scene)
    const mary = await afterPassword(scene)
    const pending = mary.cookies.get(PENDING) ?? ''
    expect(mary.attributes.get(PENDING)).toBe('; Max-Age=300; Path=/; HttpOnly; SameSite=Lax')
    const thief = scene.visitor()
    await thief.get('/users/sign_in')
    thief.cookies.set(PENDING, 'x'.repeat(43))
    expect((await thief.get(CODE_PAGE)).headers.location).toBe('/users/sign_in')
    await mary.submit(CODE_PAGE, { code: code() })
    mary.cookies.set(PENDING, pending)
    expect((await mary.get(CODE_PAGE)).headers.location).toBe('/users/sign_in')
  })

  test('ends after five minutes, and with a new password', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const scene = await openSignInScene()
      await enrol(scene)
      const mary = await afterPassword(scene)
      vi.setSystemTime(Date.now() + 5 * 60_000 + 1)
      expect((await mary.get(CODE_PAGE)).headers.location).toBe('/users/sign_in')
      const other = await afterPassword(scene)
      const { id } = scene.mary
      await scene.call(scene.root, `PUT /users/${id}`, { password: 'another battery staple' })
      expect((await other.get(CODE_PAGE)).headers.location).toBe('/users/sign_in')
    } finally {
      vi.useRealTimers()
    }
  })

  test('is refused for a form of another page', async () => {
    const scene = await openSignInScene()
    const { code } = await enrol(scene)
    const mary = await afterPassword(scene)
    expect((await mary.post(CODE_PAGE, { code: code() })).statusCode).toBe(403)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await mary.submit(CODE_PAGE, { code: code() }, foreign)).statusCode).toBe(403)
    expect(await mary.name()).toBe(401)
  })
})

test('ten wrong codes close the account for codes of the app, in every browser, but not for recovery codes', async () => {
  const scene = await openSignInScene()
  const { code, recoveryCodes } = await enrol(scene)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const browser = await afterPassword(scene)
    for (const wrong of [code(5), code(6)]) await browser.submit(CODE_PAGE, { code: wrong })
  }
  const mary = await afterPassword(scene)
  const refused = await mary.submit(CODE_PAGE, { code: code() })
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await mary.submit(CODE_PAGE, { code: recoveryCodes[3] ?? '' })).statusCode).toBe(303)
})

test('a personal access token signs in without the factor, but confirms nothing', async () => {
  const scene = await openSignInScene()
  const { code } = await enrol(scene)
  const browser = scene.visitor()
  await browser.get('/users/sign_in?tab=token')
  await browser.submit('/users/sign_in', { token: scene.mary.token })
  expect(await browser.name()).toBe('mary')
  const remove = () => callAs(scene, browser, 'DELETE', '/user/two_factor')
  expect((await remove()).json()).toEqual({ error: 'confirmation_required' })
  const confirm = (body: object) => callAs(scene, browser, 'POST', '/user/sessions/confirm', body)
  expect((await confirm({ token: scene.mary.token })).json()).toEqual({ error: 'code_required' })
  expect((await confirm({ password: PASSWORD, code: '000000' })).json()).toEqual({
    message: '403 Forbidden - Wrong code',
  })
  expect((await remove()).statusCode).toBe(403)
  expect((await confirm({ password: PASSWORD, code: code() })).statusCode).toBe(200)
  expect((await remove()).statusCode).toBe(204)
  expect((await scene.visitor().signIn(BY_PASSWORD)).headers.location).toBe('/')
})

test('tokens change no factor', async () => {
  const scene = await openSignInScene()
  await enrol(scene)
  const { token } = await createToken(scene.database, {
    user_id: scene.mary.id,
    name: 'second',
    scopes: ['api'],
    expires_at: null,
  })
  const by = { ...scene.mary, token }
  for (const route of ['DELETE /user/two_factor', 'POST /user/two_factor/recovery_codes']) {
    const refused = await scene.call(by, route)
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      { message: '403 Forbidden - Only for browser sessions' },
    ])
  }
})

test('administrators see who has a factor, and turn it off', async () => {
  const scene = await openSignInScene()
  await enrol(scene)
  const { root, mary } = scene
  const named = async (filter: string) =>
    (await scene.call(root, `GET /users?two_factor=${filter}`))
      .json<{ username: string }[]>()
      .map(({ username }) => username)
  expect(await named('enabled')).toEqual(['mary'])
  expect(await named('disabled')).not.toContain('mary')
  expect((await scene.call(root, `GET /users/${mary.id}`)).json()).toMatchObject({ two_factor_enabled: true })
  expect((await scene.call(root, `PATCH /users/${mary.id}/disable_two_factor`)).statusCode).toBe(204)
  expect((await scene.call(root, `GET /users/${mary.id}`)).json()).toMatchObject({
    two_factor_enabled: false,
  })
  expect((await scene.visitor().signIn(BY_PASSWORD)).headers.location).toBe('/')
  expect((await scene.call(root, `PATCH /users/${mary.id}/disable_two_factor`)).statusCode).toBe(400)
})
