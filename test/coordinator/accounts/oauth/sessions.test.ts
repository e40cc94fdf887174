import { describe, expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { describeOnDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type Browser, openBrowser } from '../../support/browser.js'
import { setSettings } from '../../support/set-settings.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { ask } from './device-scene.js'
import { BACK, type Form, type OauthApp, openOauthApp, PASSWORD } from './oauth-app.js'

const MINUTE = 60_000

async function open(openDatabase = openSqlite) {
  const app = await openOauthApp(openDatabase)
  const { database, mary } = app
  const site = await createApplication(database, {
    name: 'Site',
    redirect_uri: BACK,
    scopes: ['openid', 'api', 'read_user'],
    confidential: true,
  })
  return Object.assign(app, { site, browser: await openBrowser(database, mary) })
}

type Scene = Awaited<ReturnType<typeof open>>

const request = ({ application_id: client_id }: NewApplication, more: Form = {}): Form => ({
  client_id,
  redirect_uri: BACK,
  response_type: 'code',
  scope: 'openid',
  state: 'kept',
  ...more,
})

const see = (app: OauthApp, { headers }: Partial<Browser>, asked: Form) =>
  app.get(`/oauth/authorize?${new URLSearchParams(asked).toString()}`, headers)

/** Sends the first form of the page, as a browser does. */
function send(app: OauthApp, { headers }: Browser, page: { body: string }, more: Form, from: Form = {}) {
  const [form = ''] = page.body.split('</form>')
  const fields = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const hidden = Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
  const path = /action="(\w+)"/.exec(form)?.[1] ?? ''
  const sent = { origin: EXTERNAL_URL, 'sec-fetch-site': 'same-origin', ...headers, ...from }
  return app.post(`/oauth/${path}`, { ...hidden, ...more }, sent)
}

const toldIn = ({ headers }: { headers: Record<string, unknown> }) =>
  Object.fromEntries(new URL(String(headers['location'])).searchParams)

async function authTimeOf(app: Scene, code: string | undefined): Promise<number> {
  const form = { grant_type: 'authorization_code', code: code ?? '', redirect_uri: BACK }
  const { id_token = '' } = (await app.asClient(app.site, form)).json<TokenResponse>()
  const [, claims = ''] = id_token.split('.')
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { auth_time: number }).auth_time
}

/** The user of the browser gave the password this many minutes ago. */
async function confirmedBefore(
  { database }: OauthApp,
  { sessionId }: Browser,
  minutes: number,
): Promise<number> {
  const confirmed_at = Date.now() - minutes * MINUTE
  await database.updateTable('web_session').set({ confirmed_at }).where('id', '=', sessionId).execute()
  return Math.floor(confirmed_at / 1000)
}

describeOnDatabase('in a session', (openDatabase) => {
  test('the page names the account and asks for the decision alone', async () => {
    const app = await open(openDatabase)
    const page = await see(app, app.browser, request(app.site))
    expect(page.body).toContain('You are signed in as <b>Mary</b> (mary).')
    expect(page.body).not.toContain('name="password"')
    const signedInAt = await confirmedBefore(app, app.browser, 7)
    const response = await send(app, app.browser, page, { decision: 'allow' })
    expect(response.statusCode).toBe(302)
    const { code, state } = toldIn(response)
    expect(state).toBe('kept')
    expect(await authTimeOf(app, code)).toBe(signedInAt)
  })

  testAtNight('prompt=none gives a code for what the user has granted before', async () => {
    const app = await open(openDatabase)
    const none = (scope: string) => see(app, app.browser, request(app.site, { prompt: 'none', scope }))
    expect(toldIn(await none('openid'))).toMatchObject({ error: 'consent_required', state: 'kept' })
    const page = await see(app, app.browser, request(app.site, { scope: 'openid read_user' }))
    const { code } = toldIn(await send(app, app.browser, page, { decision: 'allow' }))
    expect(toldIn(await none('openid'))).toMatchObject({ error: 'consent_required' })
    await authTimeOf(app, code)
    const again = toldIn(await none('openid'))
    expect(await authTimeOf(app, again['code'])).toBeGreaterThan(0)
    expect(toldIn(await none('openid api'))).toMatchObject({ error: 'consent_required' })
    await app.database.updateTable('oauth_grant').set({ revoked_at: Date.now() }).execute()
    expect(toldIn(await none('openid'))).toMatchObject({ error: 'consent_required' })
  })
})

test('Deny sends the user back without a code', async () => {
  const app = await open()
  const page = await see(app, app.browser, request(app.site))
  expect(toldIn(await send(app, app.browser, page, { decision: 'deny' }))).toMatchObject({
    error: 'access_denied',
  })
})

describe('a form', () => {
  test.each([
    ['of another origin', {}, { origin: 'https://attacker.example' }],
    ['from another site', {}, { 'sec-fetch-site': 'cross-site' }],
    ['with a wrong token', { authenticity_token: 'wrong' }, {}],
  ])('%s grants nothing', async (_what, more: Form, from: Form) => {
    const app = await open()
    const page = await see(app, app.browser, request(app.site))
    const response = await send(app, app.browser, page, { decision: 'allow', ...more }, from)
    expect(response.statusCode).toBe(403)
    expect(response.headers['location']).toBeUndefined()
    expect(await app.database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
  })

  test('without a token and a password grants nothing, whatever the cookie', async () => {
    const app = await open()
    const fields = { ...request(app.site), decision: 'allow' }
    const response = await app.post('/oauth/authorize', fields, app.browser.headers)
    expect(response.statusCode).toBe(401)
    expect(await app.database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
  })

  test('of a session that has ended asks for the password', async () => {
    const app = await open()
    const page = await see(app, app.browser, request(app.site))
    await app.database.deleteFrom('web_session').execute()
    const again = await send(app, app.browser, page, { decision: 'allow' })
    expect(again.statusCode).toBe(401)
    expect(again.body).toContain('You are no longer signed in.')
    const sent = { username: 'mary', password: PASSWORD, decision: 'allow' }
    expect(toldIn(await send(app, app.browser, again, sent))).toHaveProperty('code')
  })
})

describe('the password is asked for in a session', () => {
  testAtNight('with prompt=login, and then confirms the session', async () => {
    const app = await open()
    const before = await confirmedBefore(app, app.browser, 90)
    const page = await see(app, app.browser, request(app.site, { prompt: 'login' }))
    expect(page.body).toContain('name="password"')
    expect(page.body).toContain('value="mary"')
    const refused = await send(app, app.browser, page, {
      decision: 'allow',
      username: 'mary',
      password: 'no',
    })
    expect(refused.statusCode).toBe(401)
    const sent = { decision: 'allow', username: 'mary', password: PASSWORD }
    const { code } = toldIn(await send(app, app.browser, page, sent))
    expect(await authTimeOf(app, code)).toBeGreaterThan(before + 3600)
    const { confirmed_at } = await app.database
      .selectFrom('web_session')
      .select('confirmed_at')
      .executeTakeFirstOrThrow()
    expect(confirmed_at).toBeGreaterThan(Date.now() - MINUTE)
  })

  test('when it was given longer than max_age ago', async () => {
    const app = await open()
    await confirmedBefore(app, app.browser, 10)
    const bodyFor = async (max_age: string) =>
      (await see(app, app.browser, request(app.site, { max_age }))).body
    expect(await bodyFor('660')).not.toContain('name="password"')
    expect(await bodyFor('540')).toContain('name="password"')
    expect(await bodyFor('0')).toContain('name="password"')
  })

  test('even if the form says that it was not', async () => {
    const app = await open()
    const page = await see(app, app.browser, request(app.site))
    const response = await send(app, app.browser, page, { decision: 'allow', prompt: 'login' })
    expect(response.statusCode).toBe(401)
  })
})

test.each([
  ['without a session', { prompt: 'none' }, 'login_required'],
  ['combined with login', { prompt: 'none login' }, 'invalid_request'],
  ['with a max_age that is no number', { prompt: 'none', max_age: 'x' }, 'invalid_request'],
])('prompt=none %s is refused', async (_what, more, error) => {
  const app = await open()
  expect(toldIn(await see(app, {}, request(app.site, more)))).toMatchObject({ error })
})

test('prompt=none is refused when the password was given longer than max_age ago', async () => {
  const app = await open()
  await confirmedBefore(app, app.browser, 10)
  const asked = request(app.site, { prompt: 'none', max_age: '540' })
  expect(toldIn(await see(app, app.browser, asked))).toMatchObject({ error: 'login_required' })
})

test('the page leads to the other ways to sign in, and back', async () => {
  const app = await open()
  const asked = request(app.site, { prompt: 'login' })
  const { body } = await see(app, {}, asked)
  const link = /href="\.\.(\/users\/sign_in\?[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const back = new URL(new URL(link, EXTERNAL_URL).searchParams.get('return_to') ?? '', EXTERNAL_URL)
  const { prompt: _asked, ...kept } = asked
  expect(back.pathname).toBe('/oauth/authorize')
  expect(Object.fromEntries(back.searchParams)).toEqual(kept)
  const inSession = await see(app, app.browser, request(app.site))
  expect(inSession.body).toContain('action="../users/sign_out"')
  expect((await see(app, {}, request(app.site, { state: 'x'.repeat(2000) }))).body).not.toContain(
    'users/sign_in',
  )
})

test('where pages take no passwords, the page takes none', async () => {
  const app = await open()
  await setSettings({ database: app.database }, { password_authentication_enabled_for_web: false })
  const page = await see(app, {}, request(app.site))
  const sent = { username: 'mary', password: PASSWORD, decision: 'allow' }
  const response = await app.post('/oauth/authorize', { ...request(app.site), ...sent })
  expect([page.statusCode, response.statusCode]).toEqual([200, 403])
})

describe('a device', () => {
  test('is allowed in a session without a password', async () => {
    const app = await open()
    const device = await ask(app, { scope: 'openid' }, app.site)
    const page = await app.post('/oauth/device', { user_code: device.user_code }, app.browser.headers)
    expect(page.body).toContain('You are signed in as <b>Mary</b> (mary).')
    expect(page.body).not.toContain('name="password"')
    const refused = await send(app, app.browser, page, { decision: 'allow' }, { origin: 'https://a.example' })
    expect(refused.statusCode).toBe(403)
    const response = await send(app, app.browser, page, { decision: 'allow' })
    expect(response.body).toContain('Site is authorized')
    const grants = await app.database.selectFrom('oauth_grant').select(['user_id', 'auth_time']).execute()
    expect(grants).toMatchObject([{ user_id: app.mary.id, auth_time: expect.any(Number) as number }])
  })
})
