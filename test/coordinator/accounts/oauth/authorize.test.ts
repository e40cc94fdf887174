import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'

import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import {
  BACK,
  bearer,
  CHALLENGE,
  type Form,
  type OauthApp,
  openOauthApp,
  PASSWORD,
  VERIFIER,
} from './oauth-app.js'

const MARY = { username: 'mary', password: PASSWORD }
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

/** The request of a client with the changes of a test; empty values are left out. */
function asking(client: NewApplication, more: Form = {}): Form {
  const request = {
    client_id: client.application_id,
    redirect_uri: BACK,
    response_type: 'code',
    state: 'xyz',
  }
  return Object.fromEntries(Object.entries({ ...request, ...more }).filter(([, value]) => value !== ''))
}

function see(app: OauthApp, form: Form): Promise<LightMyRequestResponse> {
  return app.get(`/oauth/authorize?${new URLSearchParams(form).toString()}`)
}

function send(app: OauthApp, form: Form): Promise<LightMyRequestResponse> {
  return app.post('/oauth/authorize', form)
}

/** The redirect target of a response, and its parameters. */
function sentTo({ statusCode, headers }: LightMyRequestResponse): { to: string; says: Form } {
  expect(statusCode).toBe(302)
  const url = new URL(String(headers.location))
  const says = Object.fromEntries(url.searchParams)
  return { to: url.origin + url.pathname, says }
}

describeOnDatabase('authorization page', (open) => {
  test('gives a code for name and password, which the application trades for tokens', async () => {
    const app = await openOauthApp(open)
    const form = asking(app.phone, { ...PKCE, scope: 'openid read_user' })
    const page = await see(app, form)
    expect(page.statusCode).toBe(200)
    const hidden = [...page.body.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
    expect(Object.fromEntries(hidden.map(([, name, value]) => [name, value]))).toEqual(form)

    const { to, says } = sentTo(await send(app, { ...form, ...MARY }))
    expect([to, says]).toEqual([
      BACK,
      { state: 'xyz', code: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    ])
    const traded = await app.asClient(app.phone, {
      grant_type: 'authorization_code',
      code: says['code'] ?? '',
      redirect_uri: BACK,
      code_verifier: VERIFIER,
    })
    expect(traded.json()).toMatchObject({ scope: 'read_user', expires_in: 7200 })
    const user = await app.get('/api/v4/user', bearer(traded.json<TokenResponse>()))
    expect(user.json()).toEqual({ username: 'mary' })

    const rows = await app.database.selectFrom('oauth_grant').selectAll().execute()
    const events = await app.database.selectFrom('audit_event').selectAll().execute()
    expect(events.map(({ details }) => details)).toMatchObject([
      { add: 'oauth_grant', target_details: 'Phone', scopes: 'read_user', author_name: 'Mary' },
    ])
    expect(JSON.stringify([rows, events])).not.toContain(says['code'])
  })

  test('is shown again, and counts, for a wrong password', async () => {
    const app = await openOauthApp(open)
    const wrong = await send(app, { ...asking(app.desk), ...MARY, password: 'wrong' })
    expect([wrong.statusCode, wrong.headers.location]).toEqual([401, undefined])
    expect(wrong.body).toContain('Wrong username or password.')
    expect(wrong.body).toContain('value="mary"')
    expect(wrong.body).not.toContain('value="wrong"')
    const events = await app.database.selectFrom('audit_event').selectAll().execute()
    expect(events.map(({ details }) => details)).toMatchObject([{ failed_login: 'STANDARD' }])
    for (let time = 1; time < 10; time++) await send(app, { ...asking(app.desk), ...MARY, password: 'wrong' })
    expect((await send(app, { ...asking(app.desk), ...MARY })).statusCode).toBe(401)
    expect(await app.database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
  })
})

test('the page names the application and the scopes, runs no script and cannot be framed', async () => {
  const app = await openOauthApp()
  await app.database.updateTable('oauth_application').set({ name: '<b>"Desk"</b>' }).execute()
  const { body, headers } = await see(app, asking(app.desk, { scope: 'api read_user', state: '"><script>' }))
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
  })
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' https:\/\/desk\.example$/,
  )
  expect(body).toContain('Authorize &lt;b&gt;&quot;Desk&quot;&lt;/b&gt;?')
  expect(body).toContain('<li>Read and change everything that you can access, and pull and push</li>')
  expect(body).toContain('<li>Read your profile, with your e-mail address</li>')
  expect(body).not.toContain('<script>')
})

test('a denial is sent to the application and needs no password', async () => {
  const app = await openOauthApp()
  const { to, says } = sentTo(await send(app, { ...asking(app.desk), decision: 'deny' }))
  expect(to).toBe(BACK)
  expect(says).toMatchObject({ error: 'access_denied', state: 'xyz' })
  const both = sentTo(await send(app, { ...asking(app.desk), ...MARY, decision: 'deny' }))
  expect(both.says).toMatchObject({ error: 'access_denied' })
  expect(await app.database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
})

test('blocked users cannot authorize an application', async () => {
  const app = await openOauthApp()
  await app.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', app.mary.id).execute()
  const blocked = await send(app, { ...asking(app.desk), ...MARY })
  expect([blocked.statusCode, blocked.headers.location]).toEqual([403, undefined])
  expect(blocked.body).toContain('Your account has been blocked.')
})

test('guessing passwords is rate limited', async () => {
  const app = await openOauthApp(undefined, { failedAuthentications: 3 })
  const statuses = []
  // A minute may end in between.
  for (let time = 0; time < 7; time++) {
    const form = { ...asking(app.desk), username: `user${time}`, password: 'x' }
    statuses.push((await send(app, form)).statusCode)
  }
  expect(statuses.slice(0, 3)).toEqual([401, 401, 401])
  expect(statuses).toContain(429)
})

/** For requests that get no code. */
const withoutGrants = openForFile(() => openOauthApp())

test.each<[string, Form]>([
  ['no client', { client_id: '' }],
  ['an unknown client', { client_id: 'a'.repeat(64) }],
  ['a client that is a number', { client_id: '1' }],
  ['a longer address', { redirect_uri: `${BACK}/more` }],
  ['a shorter address', { redirect_uri: 'https://desk.example/' }],
  ['an address with more in its query', { redirect_uri: `${BACK}?next=https://evil.example` }],
  ['an address with a fragment', { redirect_uri: `${BACK}#x` }],
  ['an address in other letters', { redirect_uri: 'https://desk.example/BACK' }],
  ['a path that goes up', { redirect_uri: 'https://desk.example/x/../back' }],
  ['a host that begins alike', { redirect_uri: 'https://desk.example.evil.example/back' }],
  ['a host that ends alike', { redirect_uri: 'https://evildesk.example/back' }],
  ['a user that looks like the host', { redirect_uri: 'https://desk.example@evil.example/back' }],
  ['a backslash', { redirect_uri: 'https://evil.example\\@desk.example/back' }],
  ['another port', { redirect_uri: 'https://desk.example:8443/back' }],
  ['another scheme', { redirect_uri: 'http://desk.example/back' }],
  ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ['two addresses', { redirect_uri: `${BACK}\n${BACK}` }],
])('with %s there is no redirect', async (_what, change) => {
  const app = withoutGrants()
  for (const response of [
    await see(app, asking(app.desk, change)),
    await send(app, { ...asking(app.desk, change), ...MARY }),
    await send(app, { ...asking(app.desk, change), decision: 'deny' }),
  ]) {
    expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
    expect(response.headers['content-security-policy']).toContain("form-action 'none'")
    expect(response.body).not.toContain('evil')
  }
  expect(await app.database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
})

test('a parameter that is given twice leads nowhere either, where it says where to', async () => {
  const app = await openOauthApp()
  const query = new URLSearchParams(asking(app.desk)).toString()
  for (const more of ['redirect_uri=https://evil.example', `client_id=${app.phone.application_id}`]) {
    const response = await app.get(`/oauth/authorize?${query}&${more}`)
    expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
  }
  const { says } = sentTo(await app.get(`/oauth/authorize?${query}&state=other`))
  expect(says).toEqual({ error: 'invalid_request', error_description: expect.any(String) as string })
})

test.each<[string, 'desk' | 'phone', Form, string]>([
  ['no kind of response', 'desk', { response_type: '' }, 'invalid_request'],
  ['a token instead of a code', 'desk', { response_type: 'token' }, 'unsupported_response_type'],
  ['a scope the application has not', 'desk', { scope: 'api sudo' }, 'invalid_scope'],
  ['an unknown scope', 'desk', { scope: 'everything' }, 'invalid_scope'],
  ['no challenge, where there is no secret', 'phone', {}, 'invalid_request'],
  [
    'a challenge that shows its secret',
    'phone',
    { ...PKCE, code_challenge_method: 'plain' },
    'invalid_request',
  ],
  ['a challenge without a method', 'desk', { code_challenge: CHALLENGE }, 'invalid_request'],
  ['a method without a challenge', 'desk', { code_challenge_method: 'S256' }, 'invalid_request'],
  ['a challenge of a wrong length', 'phone', { ...PKCE, code_challenge: 'x' }, 'invalid_request'],
])('%s is reported to the registered redirect URI', async (_what, client, change, error) => {
  const app = withoutGrants()
  const form = asking(app[client], change)
  for (const response of [await see(app, form), await send(app, { ...form, ...MARY })]) {
    const { to, says } = sentTo(response)
    expect([to, says['error'], says['state']]).toEqual([BACK, error, 'xyz'])
    expect(Object.keys(says)).toEqual(['error', 'error_description', 'state'])
  }
  expect(await app.database.selectFrom('oauth_grant').select('id').execute()).toEqual([])
})

test('an application without a secret cannot leave its challenge out on the way back', async () => {
  const app = await openOauthApp()
  const form = { ...asking(app.phone, { ...PKCE }), ...MARY }
  const { code = '' } = sentTo(await send(app, form)).says
  const trade = (more: Form) =>
    app.asClient(app.phone, { grant_type: 'authorization_code', code, redirect_uri: BACK, ...more })
  expect((await trade({})).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await trade({ code_verifier: CHALLENGE })).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await trade({ code_verifier: VERIFIER })).statusCode).toBe(200)
})

test('one registered address need not be named, several must', async () => {
  const app = await openOauthApp()
  const form = asking(app.desk, { redirect_uri: '' })
  const { to, says } = sentTo(await send(app, { ...form, ...MARY }))
  expect(to).toBe(BACK)
  const traded = await app.asClient(app.desk, { grant_type: 'authorization_code', code: says['code'] ?? '' })
  expect(traded.statusCode).toBe(200)
  const redirect_uris = JSON.stringify([BACK, 'https://other.example/back'])
  await app.database.updateTable('oauth_application').set({ redirect_uris }).execute()
  expect((await see(app, form)).statusCode).toBe(400)
  const other = { ...asking(app.desk, { redirect_uri: 'https://other.example/back' }), ...MARY }
  expect(sentTo(await send(app, other)).to).toBe('https://other.example/back')
})

test('the page tells that a user has registered the application', async () => {
  const app = await openOauthApp()
  const note = 'The user <b>Mary</b> (mary) has registered it'
  expect((await see(app, asking(app.desk))).body).not.toContain('has registered it')
  await app.database.updateTable('oauth_application').set({ owner_id: app.mary.id }).execute()
  expect((await see(app, asking(app.desk))).body).toContain(note)
  expect((await send(app, { ...asking(app.desk), username: 'mary', password: 'x' })).body).toContain(note)
})

test.each([
  ['http://127.0.0.1/back', 'http://127.0.0.1:50123/back', true],
  ['http://127.0.0.1:80/back', 'http://127.0.0.1:50123/back', true],
  ['http://[::1]/back', 'http://[::1]:50123/back', true],
  ['http://127.0.0.1/back', 'http://127.0.0.1:50123/other', false],
  ['http://127.0.0.1/back', 'http://127.0.0.1:99999/back', false],
  ['http://127.0.0.1/back', 'http://127.0.0.1:80@evil.example/back', false],
  ['http://127.0.0.1/back', 'http://127.0.0.1.evil.example:80/back', false],
  ['http://127.0.0.1/back', 'https://127.0.0.1:443/back', false],
  ['http://localhost/back', 'http://localhost:50123/back', false],
  ['com.example.desk:/back', 'com.example.desk:/back', true],
  ['https://desk.example/back?a=b', 'https://desk.example/back?a=b', true],
])('with %s registered, %s is an address to be sent to: %s', async (registered, redirect_uri, isGood) => {
  const app = await openOauthApp()
  const redirect_uris = JSON.stringify([registered])
  await app.database.updateTable('oauth_application').set({ redirect_uris }).execute()
  const { statusCode, headers } = await send(app, { ...asking(app.desk, { redirect_uri }), ...MARY })
  expect(statusCode).toBe(isGood ? 302 : 400)
  const mark = redirect_uri.includes('?') ? '&' : '?'
  if (isGood) expect(String(headers.location)).toContain(`${redirect_uri}${mark}code=`)
})
