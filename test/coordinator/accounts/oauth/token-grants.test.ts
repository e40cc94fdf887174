import { hash } from 'node:crypto'

import { expect, test } from 'vitest'

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
  postForm,
  serveOauth,
  shown,
  VERIFIER,
} from './oauth-app.js'

const LOGIN = { grant_type: 'password', username: 'mary', password: PASSWORD }
const someToken = expect.stringMatching(/^[0-9a-f]{64}$/) as string
const someSecond = expect.any(Number) as number

const RESPONSE = {
  access_token: someToken,
  token_type: 'Bearer',
  expires_in: 7200,
  refresh_token: someToken,
  scope: 'api',
  created_at: someSecond,
}

async function refusal(response: ReturnType<OauthApp['post']>): Promise<[number, string]> {
  const { statusCode, json } = await response
  const body = json<{ error: string; error_description: string }>()
  expect(Object.keys(body)).toEqual(['error', 'error_description'])
  return [statusCode, body.error]
}

/** Lets stored exchanges of refresh tokens be `milliseconds` older. */
function passTime({ database }: OauthApp, milliseconds: number) {
  return database
    .updateTable('oauth_token')
    .set(({ eb }) => ({ refreshed_at: eb('refreshed_at', '-', milliseconds) }))
    .execute()
}

describeOnDatabase('Tokens for applications', (open) => {
  test('come of a code, of a refresh token, of a password and of the application itself', async () => {
    const app = await openOauthApp(open)
    const code = await app.code(app.desk)
    const byCode = await app.asClient(app.desk, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: BACK,
    })
    expect([byCode.statusCode, byCode.json()]).toEqual([200, RESPONSE])
    expect(byCode.headers).toMatchObject({
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'content-type': 'application/json',
    })
    expect(Math.abs(byCode.json<TokenResponse>().created_at - Date.now() / 1000)).toBeLessThan(60)

    const { refresh_token = '' } = byCode.json<TokenResponse>()
    const refreshed = await app.asClient(app.desk, { grant_type: 'refresh_token', refresh_token })
    expect([refreshed.statusCode, refreshed.json()]).toEqual([200, RESPONSE])

    const byPassword = await app.asClient(app.desk, { ...LOGIN, scope: 'read_user api' })
    expect([byPassword.statusCode, byPassword.json()]).toEqual([200, { ...RESPONSE, scope: 'read_user api' }])

    const own = await app.asClient(app.desk, { grant_type: 'client_credentials' })
    const { refresh_token: _none, ...withoutRefresh } = RESPONSE
    expect([own.statusCode, own.json()]).toEqual([200, withoutRefresh])

    for (const { access_token } of [refreshed, byPassword].map((each) => each.json<TokenResponse>())) {
      const user = await app.get('/api/v4/user', { authorization: `Bearer ${access_token}` })
      expect([user.statusCode, user.json()]).toEqual([200, { username: 'mary' }])
    }
    const nobody = await app.get('/api/v4/user', bearer(own.json()))
    expect([nobody.statusCode, nobody.json()]).toEqual([401, { message: '401 Unauthorized' }])
  })

  test('are stored as digests, and the authorization of an application is stored without them', async () => {
    const app = await openOauthApp(open)
    const { access_token, refresh_token = '' } = await app.tokens()
    const rows = [
      ...(await app.database.selectFrom('oauth_token').selectAll().execute()),
      ...(await app.database.selectFrom('oauth_grant').selectAll().execute()),
    ]
    const events = await app.database.selectFrom('audit_event').selectAll().execute()
    expect(events).toMatchObject([
      {
        author_id: app.mary.id,
        entity_type: 'User',
        entity_id: app.mary.id,
        details: {
          add: 'oauth_grant',
          target_type: 'Application',
          target_id: app.desk.id,
          scopes: 'api',
          target_details: 'Desk',
          entity_path: 'mary',
          ip_address: '127.0.0.1',
        },
      },
    ])
    for (const secret of [access_token, refresh_token, PASSWORD, app.desk.secret]) {
      expect(JSON.stringify([rows, events])).not.toContain(secret)
    }
  })

  test('are all revoked when a refresh token is used again after 30 seconds, with the tokens issued for it', async () => {
    const app = await openOauthApp(open)
    const first = await app.tokens()
    const trade = (form: Form) => app.asClient(app.desk, { grant_type: 'refresh_token', ...form })
    const second = (await trade({ refresh_token: first.refresh_token ?? '' })).json<TokenResponse>()
    expect((await app.get('/api/v4/user', bearer(first))).statusCode).toBe(401)
    expect((await app.get('/api/v4/user', bearer(second))).statusCode).toBe(200)
    await passTime(app, 30_000)
    expect(await refusal(trade({ refresh_token: first.refresh_token ?? '' }))).toEqual([400, 'invalid_grant'])
    expect((await app.get('/api/v4/user', bearer(second))).statusCode).toBe(401)
    expect(await refusal(trade({ refresh_token: second.refresh_token ?? '' }))).toEqual([
      400,
      'invalid_grant',
    ])
  })

  test('are issued again for a refresh token that is used again at once, by other coordinators too', async () => {
    const app = await openOauthApp(open)
    const other = await serveOauth(app.database)
    const refresh_token = (await app.tokens()).refresh_token ?? ''
    const form = { grant_type: 'refresh_token', refresh_token, ...shown(app.desk) }
    const coordinators = [app, other, app, other, app, other]
    const traded = await Promise.all(coordinators.map((each) => postForm(each, '/oauth/token', form)))
    expect(traded.map(({ statusCode }) => statusCode)).toEqual(traded.map(() => 200))
    await passTime(app, 20_000)
    const late = await postForm(other, '/oauth/token', form)
    for (const tokens of [...traded, late].map((response) => response.json<TokenResponse>())) {
      expect((await app.get('/api/v4/user', bearer(tokens))).statusCode).toBe(200)
    }
    // Its reuse does not prolong the time.
    await passTime(app, 10_000)
    expect(await refusal(postForm(other, '/oauth/token', form))).toEqual([400, 'invalid_grant'])
    expect((await app.get('/api/v4/user', bearer(late.json()))).statusCode).toBe(401)
  })

  test('end with their grant, also while their refresh token could be used again', async () => {
    const app = await openOauthApp(open)
    const { refresh_token = '' } = await app.tokens()
    const trade = () => app.asClient(app.desk, { grant_type: 'refresh_token', refresh_token })
    const { access_token } = (await trade()).json<TokenResponse>()
    await app.post('/oauth/revoke', { ...shown(app.desk), token: access_token })
    expect(await refusal(trade())).toEqual([400, 'invalid_grant'])
  })

  test('end when their code comes a second time', async () => {
    const app = await openOauthApp(open)
    const form = { grant_type: 'authorization_code', code: await app.code(app.desk), redirect_uri: BACK }
    const tokens = (await app.asClient(app.desk, form)).json<TokenResponse>()
    expect(await refusal(app.asClient(app.desk, form))).toEqual([400, 'invalid_grant'])
    const gone = await app.get('/api/v4/user', bearer(tokens))
    expect([gone.statusCode, gone.json()]).toMatchObject([401, { error: 'invalid_token' }])
  })

  test('a code is exchanged once, by the first of several requests', async () => {
    const app = await openOauthApp(open)
    const form = { grant_type: 'authorization_code', code: await app.code(app.desk), redirect_uri: BACK }
    const many = await Promise.all(Array.from({ length: 5 }, () => app.asClient(app.desk, form)))
    expect(many.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect(await app.database.selectFrom('oauth_token').select('id').execute()).toHaveLength(1)
  })
})

const GRANTS = {
  code: { grant_type: 'authorization_code', redirect_uri: BACK },
  password: LOGIN,
  client: { grant_type: 'client_credentials' },
}

const withoutTokens = openForFile(() => openOauthApp())

test.each<[string, Form, [number, string]]>([
  ['no grant type', {}, [400, 'invalid_request']],
  ['an unknown grant type', { grant_type: 'constructor' }, [400, 'unsupported_grant_type']],
  ['the implicit grant', { grant_type: 'token' }, [400, 'unsupported_grant_type']],
  ['no code', GRANTS.code, [400, 'invalid_request']],
  ['an unknown code', { ...GRANTS.code, code: 'x' }, [400, 'invalid_grant']],
  ['no refresh token', { grant_type: 'refresh_token' }, [400, 'invalid_request']],
  ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, [400, 'invalid_grant']],
  ['no user name', { ...LOGIN, username: '' }, [400, 'invalid_request']],
  ['no password', { ...LOGIN, password: '' }, [400, 'invalid_request']],
  ['a wrong password', { ...LOGIN, password: 'x' }, [400, 'invalid_grant']],
  ['an unknown user', { ...LOGIN, username: 'paul' }, [400, 'invalid_grant']],
  ['a user name with a NUL', { ...LOGIN, username: 'mary\0' }, [400, 'invalid_request']],
  ['a wrong secret', { ...LOGIN, client_secret: 'gloas-x' }, [401, 'invalid_client']],
  ['no secret', { ...LOGIN, client_secret: '' }, [401, 'invalid_client']],
  ['an unknown client', { ...LOGIN, client_id: 'a'.repeat(64) }, [401, 'invalid_client']],
  ['no client', { ...LOGIN, client_id: '', client_secret: '' }, [401, 'invalid_client']],
  ['a scope the application has not', { ...LOGIN, scope: 'api sudo' }, [400, 'invalid_scope']],
  ['an unknown scope', { ...GRANTS.client, scope: 'everything' }, [400, 'invalid_scope']],
  ['only a scope that is passed over', { ...LOGIN, scope: 'openid' }, [400, 'invalid_scope']],
])('%s is refused', async (_name, form, told) => {
  const app = withoutTokens()
  const response = await app.asClient(app.desk, form)
  expect(await refusal(Promise.resolve(response))).toEqual(told)
  expect(response.headers['www-authenticate']).toBe(told[0] === 401 ? 'Basic realm="OAuth"' : undefined)
  expect(await app.database.selectFrom('oauth_token').select('id').execute()).toEqual([])
})

test('a parameter that is given twice, and one that is no text, are refused', async () => {
  const app = await openOauthApp()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const twice = { payload: 'grant_type=password&grant_type=password', headers }
  for (const request of [twice, { payload: { grant_type: 1 } }, { payload: { grant_type: { a: 1 } } }]) {
    const response = app.app.inject({ method: 'POST', url: '/oauth/token', ...request })
    expect(await refusal(response)).toEqual([400, 'invalid_request'])
  }
})

test('a client authenticates by Basic, by a body of any kind, or by both alike', async () => {
  const app = await openOauthApp()
  const { application_id, secret } = app.desk
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  const right = basic(`${application_id}:${encodeURIComponent(secret)}`)
  const statuses = async (form: Form, headers: Form): Promise<number> =>
    (await app.post('/oauth/token', form, headers)).statusCode
  expect(await statuses(LOGIN, right)).toBe(200)
  expect(await statuses({ ...LOGIN, client_id: application_id }, right)).toBe(200)
  expect(await statuses({ ...LOGIN, client_id: application_id, client_secret: secret }, right)).toBe(200)
  expect(await statuses({ ...LOGIN, client_secret: secret }, right)).toBe(200)
  expect(await statuses({ ...LOGIN, client_secret: 'other' }, right)).toBe(400)
  expect(await statuses({ ...LOGIN, client_id: app.phone.application_id }, right)).toBe(400)
  expect(await statuses(LOGIN, basic(`${application_id}:wrong`))).toBe(401)
  expect(await statuses(LOGIN, basic(`${application_id}:`))).toBe(401)
  expect(await statuses(LOGIN, basic('nothing'))).toBe(401)
  expect(await statuses(LOGIN, basic('a\0:b'))).toBe(401)
  const asJson = { ...LOGIN, client_id: application_id, client_secret: secret }
  const json = await app.app.inject({ method: 'POST', url: '/oauth/token', payload: asJson })
  expect(json.statusCode).toBe(200)
})

test('an application without a secret asks with its name alone, and for itself not at all', async () => {
  const app = await openOauthApp()
  expect((await app.asClient(app.phone, LOGIN)).statusCode).toBe(200)
  const wrong = app.asClient(app.phone, { ...LOGIN, client_secret: 'gloas-x' })
  expect(await refusal(wrong)).toEqual([401, 'invalid_client'])
  expect(await refusal(app.asClient(app.phone, GRANTS.client))).toEqual([400, 'unauthorized_client'])
})

test('a code is good for the client, the address and the time it was given for', async () => {
  const app = await openOauthApp()
  const trade = (code: string, form: Form = {}) =>
    refusal(app.asClient(app.desk, { ...GRANTS.code, code, ...form }))
  expect(await trade(await app.code(app.phone))).toEqual([400, 'invalid_grant'])
  expect(await trade(await app.code(app.desk, { expiresIn: -1 }))).toEqual([400, 'invalid_grant'])
  const code = await app.code(app.desk)
  for (const redirect_uri of [
    '',
    'https://desk.example/',
    `${BACK}/`,
    `${BACK}?x=1`,
    'https://evil.example',
  ]) {
    expect(await trade(code, { redirect_uri })).toEqual([400, 'invalid_grant'])
  }
  const good = await app.asClient(app.desk, { ...GRANTS.code, code })
  expect(good.statusCode).toBe(200)
  const unnamed = await app.code(app.desk, { redirect_uri: null })
  expect((await app.asClient(app.desk, { grant_type: 'authorization_code', code: unnamed })).statusCode).toBe(
    200,
  )
})

test("another client's code is of no use, and stays good for its own", async () => {
  const app = await openOauthApp()
  const code = await app.code(app.phone, { code_challenge: CHALLENGE })
  const form = { ...GRANTS.code, code, code_verifier: VERIFIER }
  expect(await refusal(app.asClient(app.desk, form))).toEqual([400, 'invalid_grant'])
  expect((await app.asClient(app.phone, form)).statusCode).toBe(200)
  expect(await refusal(app.asClient(app.desk, form))).toEqual([400, 'invalid_grant'])
})

test('a code with a challenge takes its verifier, and one without takes none', async () => {
  const app = await openOauthApp()
  const code = await app.code(app.desk, { code_challenge: CHALLENGE })
  const trade = (form: Form) => app.asClient(app.desk, { ...GRANTS.code, code, ...form })
  for (const code_verifier of ['', CHALLENGE, `${VERIFIER}x`, VERIFIER.slice(1), 'a'.repeat(129)]) {
    expect(await refusal(trade({ code_verifier }))).toEqual([400, 'invalid_grant'])
  }
  expect((await trade({ code_verifier: VERIFIER })).statusCode).toBe(200)
  const plain = await app.code(app.desk)
  const downgraded = trade({ code: plain, code_verifier: VERIFIER })
  expect(await refusal(downgraded)).toEqual([400, 'invalid_grant'])
  expect((await trade({ code: plain })).statusCode).toBe(200)
})

test.each(['=', '==', '+/=', ' ', 'ü', 'x'])(
  'a verifier that ends with %j is taken for its challenge',
  async (end) => {
    const app = await openOauthApp()
    const verifier = VERIFIER.slice(0, 20) + end
    const digest = hash('sha256', verifier, 'base64url')
    for (const code_challenge of [digest, `${digest}=`]) {
      const code = await app.code(app.desk, { code_challenge })
      const traded = await app.asClient(app.desk, { ...GRANTS.code, code, code_verifier: verifier })
      expect(traded.statusCode).toBe(200)
    }
  },
)

test('a refresh token is good for its own client, for no more scopes than were given, and for 90 days', async () => {
  const app = await openOauthApp()
  const { refresh_token = '' } = await app.tokens({ scope: 'read_user' })
  const trade = (form: Form, client = app.desk) =>
    app.asClient(client, { grant_type: 'refresh_token', refresh_token, ...form })
  expect(await refusal(trade({}, app.phone))).toEqual([400, 'invalid_grant'])
  expect(await refusal(trade({ scope: 'api' }))).toEqual([400, 'invalid_scope'])
  expect((await trade({ scope: 'read_user' })).json()).toMatchObject({ scope: 'read_user' })

  const both = await app.tokens({ scope: 'api read_user' })
  const less = await trade({ refresh_token: both.refresh_token ?? '', scope: 'read_user' })
  expect(less.json()).toMatchObject({ scope: 'read_user' })
  const again = await trade({ refresh_token: less.json<TokenResponse>().refresh_token ?? '' })
  expect(again.json()).toMatchObject({ scope: 'api read_user' })

  const old = await app.tokens()
  const created_at = Date.now() - 90 * 24 * 3600 * 1000
  await app.database.updateTable('oauth_token').set({ created_at }).execute()
  expect(await refusal(trade({ refresh_token: old.refresh_token ?? '' }))).toEqual([400, 'invalid_grant'])
})

test('a blocked user gets no tokens', async () => {
  const app = await openOauthApp()
  const code = await app.code(app.desk)
  const { refresh_token = '' } = await app.tokens()
  await app.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', app.mary.id).execute()
  const trade = (form: Form) => app.asClient(app.desk, form)
  expect(await refusal(trade({ ...GRANTS.code, code }))).toEqual([400, 'invalid_grant'])
  expect(await refusal(trade({ grant_type: 'refresh_token', refresh_token }))).toEqual([400, 'invalid_grant'])
  const login = await trade(LOGIN)
  expect([login.statusCode, login.json()]).toEqual([
    403,
    { message: '403 Forbidden - Your account has been blocked.' },
  ])
  const failed = await app.database.selectFrom('audit_event').selectAll().orderBy('id', 'desc').execute()
  expect(failed[0]?.details).toMatchObject({ failed_login: 'STANDARD', target_id: app.mary.id })
})

test('guessing secrets, codes or passwords is rate limited', async () => {
  for (const form of [
    { ...LOGIN, client_secret: 'x' },
    { ...GRANTS.code, code: 'x' },
    { ...LOGIN, password: 'x' },
  ]) {
    const app = await openOauthApp(undefined, { failedAuthentications: 3 })
    const statuses = []
    // A minute may end in between.
    for (let time = 0; time < 7; time++) statuses.push((await app.asClient(app.desk, form)).statusCode)
    expect(statuses.slice(0, 3)).not.toContain(429)
    expect(statuses).toContain(429)
  }
})

test('ten wrong passwords close the account to the right one', async () => {
  const app = await openOauthApp()
  for (let time = 0; time < 10; time++) {
    expect(await refusal(app.asClient(app.desk, { ...LOGIN, password: 'x' }))).toEqual([400, 'invalid_grant'])
  }
  expect(await refusal(app.asClient(app.desk, LOGIN))).toEqual([400, 'invalid_grant'])
})

test('pages of other origins may ask', async () => {
  const { app } = await openOauthApp()
  for (const url of ['/oauth/token', '/oauth/revoke', '/oauth/token/info']) {
    const asked = { 'access-control-request-method': 'POST', origin: 'https://desk.example' }
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url, headers: asked })
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, '*'])
  }
})
