import { describe, expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import { deleteUnusedDynamicApplications } from '../../../../src/coordinator/accounts/applications/store.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openBrowser } from '../../support/browser.js'
import { setSettings } from '../../support/set-settings.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { BACK, CHALLENGE, type Form, openOauthApp, PASSWORD, shown, VERIFIER } from './oauth-app.js'

const EVIL = 'https://evil.example/back'

const scene = sceneForFile(async (open) => {
  const app = await openOauthApp(open)
  const application = (redirect_uri: string, owner: number | null) =>
    createApplication(
      app.database,
      { name: 'Site', redirect_uri, scopes: ['openid', 'api'], confidential: true },
      { owner },
    )
  return {
    ...app,
    site: await application(BACK, null),
    own: await application(EVIL, app.mary.id),
    browser: await openBrowser(app.database, app.mary),
    register: (metadata: unknown) =>
      app.app.inject({ method: 'POST', url: '/oauth/register', payload: metadata as object }),
  }
})
type Scene = Awaited<ReturnType<typeof scene>>

const query = (form: Form) => new URLSearchParams(form).toString()
const asked = ({ application_id: client_id }: NewApplication, more: Form = {}): Form => ({
  client_id,
  response_type: 'code',
  scope: 'openid',
  state: 'a&b',
  ...more,
})

/** The hidden fields of the first form of a page. */
function fieldsOf({ body }: { body: string }): Form {
  const [form = ''] = body.split('</form>')
  const fields = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
}

const sentByPage = { origin: EXTERNAL_URL, 'sec-fetch-site': 'same-origin' }

describe('the discovery documents', () => {
  test('both name every endpoint, and each of them is there', async () => {
    const { get, app } = await scene()
    const document = (await get('/.well-known/openid-configuration')).json<Record<string, string>>()
    expect((await get('/.well-known/oauth-authorization-server')).json()).toEqual(document)
    expect(document).toMatchObject({
      introspection_endpoint: `${EXTERNAL_URL}/oauth/introspect`,
      registration_endpoint: `${EXTERNAL_URL}/oauth/register`,
      end_session_endpoint: `${EXTERNAL_URL}/oauth/end_session`,
      response_modes_supported: ['query', 'fragment', 'form_post'],
    })
    for (const [name, url] of Object.entries(document)) {
      if (!name.endsWith('_endpoint')) continue
      const { pathname } = new URL(url)
      const statuses = await Promise.all(
        (['GET', 'POST'] as const).map(
          async (method) => (await app.inject({ method, url: pathname })).statusCode,
        ),
      )
      expect(
        statuses.some((status) => status !== 404),
        name,
      ).toBe(true)
    }
  })
})

describe('introspection', () => {
  const introspect = (app: Scene, token: string, client: Form) =>
    app.post('/oauth/introspect', { token, ...client })

  test('describes access and refresh tokens to their client, and calls all others inactive', async () => {
    const app = await scene()
    const { access_token, refresh_token = '' } = await app.tokens({ scope: 'read_user' })
    for (const token of [access_token, refresh_token]) {
      const described = await introspect(app, token, shown(app.desk))
      expect(described.headers['cache-control']).toBe('no-store')
      expect(described.json()).toEqual({
        active: true,
        scope: 'read_user',
        client_id: app.desk.application_id,
        token_type: 'Bearer',
        exp: expect.any(Number) as number,
        iat: expect.any(Number) as number,
        iss: EXTERNAL_URL,
        sub: String(app.mary.id),
      })
      expect((await introspect(app, token, shown(app.phone))).json()).toEqual({ active: false })
    }
    expect((await introspect(app, 'unknown', shown(app.desk))).json()).toEqual({ active: false })
    await app.asClient(app.desk, { grant_type: 'refresh_token', refresh_token })
    expect((await introspect(app, access_token, shown(app.desk))).json()).toEqual({ active: false })
  })

  test.each<[string, (app: Scene) => Promise<unknown>]>([
    ['has expired', ({ database }) => database.updateTable('oauth_token').set({ expires_at: 1 }).execute()],
    ['was revoked', ({ database }) => database.updateTable('oauth_grant').set({ revoked_at: 1 }).execute()],
    [
      'is of a blocked user',
      ({ database }) => database.updateTable('user').set({ state: 'blocked' }).execute(),
    ],
  ])('calls a token inactive that %s', async (_what, change) => {
    const app = await scene()
    const { access_token } = await app.tokens()
    await change(app)
    expect((await introspect(app, access_token, shown(app.desk))).json()).toEqual({ active: false })
  })

  test('requires a client', async () => {
    const app = await scene()
    const { access_token } = await app.tokens()
    const refused = await introspect(app, access_token, {})
    expect([refused.statusCode, refused.json()]).toMatchObject([401, { error: 'invalid_client' }])
    const wrong = { client_id: app.desk.application_id, client_secret: 'wrong' }
    expect((await introspect(app, access_token, wrong)).statusCode).toBe(401)
  })
})

describe('an application that registers itself', () => {
  test('is public or gets a secret, and users see that nobody has verified it', async () => {
    const app = await scene()
    const response = await app.register({
      redirect_uris: [BACK],
      client_name: 'Editor',
      token_endpoint_auth_method: 'none',
      scope: 'openid api',
      logo_uri: 'https://logo.example',
    })
    expect([response.statusCode, response.headers['cache-control']]).toEqual([201, 'no-store'])
    expect(response.json()).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      client_id_issued_at: expect.any(Number) as number,
      client_name: 'Editor',
      redirect_uris: [BACK],
      scope: 'openid api',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
    const { client_id } = response.json<{ client_id: string }>()
    const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
    const request = { client_id, response_type: 'code', scope: 'openid', ...pkce }
    const page = await app.get(`/oauth/authorize?${query(request)}`)
    expect(page.body).toContain('Nobody has verified this application')
    const sent = await app.post('/oauth/authorize', { ...request, username: 'mary', password: PASSWORD })
    const code = new URL(String(sent.headers.location)).searchParams.get('code') ?? ''
    const traded = await app.post('/oauth/token', {
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: VERIFIER,
    })
    expect(traded.statusCode).toBe(200)
    const confidential = await app.register({ redirect_uris: [BACK] })
    expect(confidential.json()).toMatchObject({
      client_secret: expect.any(String) as string,
      client_secret_expires_at: 0,
    })
  })

  test.each([
    [undefined, 'invalid_redirect_uri'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`${BACK}\nhttps://evil.example`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`${BACK}#x`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [BACK], scope: 'sudo' }, 'invalid_client_metadata'],
    [{ redirect_uris: [BACK], scope: 'api manage_runner' }, 'invalid_client_metadata'],
    [{ redirect_uris: [BACK], client_name: 7 }, 'invalid_client_metadata'],
    [{ redirect_uris: [BACK], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ redirect_uris: [BACK], grant_types: ['password'] }, 'invalid_client_metadata'],
    [{ redirect_uris: [BACK], response_types: ['token'] }, 'invalid_client_metadata'],
  ])('with %j is refused', async (metadata, error) => {
    const { register, database } = await scene()
    const response = await register(metadata)
    expect([response.statusCode, response.json()]).toMatchObject([400, { error }])
    expect(
      await database.selectFrom('oauth_application').where('dynamic', '=', true).select('id').execute(),
    ).toEqual([])
  })

  test('gets no tokens for a password or itself, and is deleted while nobody authorizes it', async () => {
    const { app, database, post, asClient, desk } = await openOauthApp()
    const registered = await app.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: { redirect_uris: [BACK] },
    })
    const { client_id, client_secret } = registered.json<Form>()
    const client = { client_id: client_id ?? '', client_secret: client_secret ?? '' }
    for (const grant_type of ['password', 'client_credentials']) {
      const refused = await post('/oauth/token', {
        grant_type,
        ...client,
        username: 'mary',
        password: PASSWORD,
      })
      expect([refused.statusCode, refused.json()]).toMatchObject([400, { error: 'unauthorized_client' }])
    }
    await deleteUnusedDynamicApplications(database, Date.now() + 23 * 3_600_000)
    expect((await post('/oauth/introspect', { token: 'x', ...client })).statusCode).toBe(200)
    await deleteUnusedDynamicApplications(database, Date.now() + 25 * 3_600_000)
    expect((await post('/oauth/introspect', { token: 'x', ...client })).statusCode).toBe(401)
    expect((await asClient(desk, { grant_type: 'client_credentials' })).statusCode).toBe(200)
  })

  test('is refused where users may register none, and too often', async () => {
    const { app, database } = await openOauthApp()
    const register = async () =>
      (await app.inject({ method: 'POST', url: '/oauth/register', payload: { redirect_uris: [BACK] } }))
        .statusCode
    await setSettings({ database }, { user_oauth_applications: false })
    expect(await register()).toBe(403)
    await setSettings({ database }, { user_oauth_applications: true })
    const statuses = []
    for (let time = 0; time < 20; time++) statuses.push(await register())
    expect([new Set(statuses.slice(0, 19)), statuses.at(-1)]).toEqual([new Set([201]), 429])
  })
})

describe('the result of an authorization', () => {
  test('is in the fragment with response_mode=fragment', async () => {
    const { post, site } = await scene()
    const form = asked(site, { response_mode: 'fragment', username: 'mary', password: PASSWORD })
    const { statusCode, headers } = await post('/oauth/authorize', form)
    const url = new URL(String(headers.location))
    expect([statusCode, url.search, url.origin + url.pathname]).toEqual([302, '', BACK])
    expect(Object.fromEntries(new URLSearchParams(url.hash.slice(1)))).toEqual({
      code: expect.any(String) as string,
      state: 'a&b',
    })
  })

  test('is posted by a page with response_mode=form_post', async () => {
    const app = await scene()
    const page = await app.get(`/oauth/authorize?${query(asked(app.site, { response_mode: 'form_post' }))}`)
    expect(fieldsOf(page)).toMatchObject({ response_mode: 'form_post' })
    const sent = await app.post('/oauth/authorize', {
      ...fieldsOf(page),
      username: 'mary',
      password: PASSWORD,
    })
    expect([sent.statusCode, sent.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(sent.body).toContain(`<form method="post" action="${BACK}">`)
    expect(fieldsOf(sent)).toEqual({ code: expect.any(String) as string, state: 'a&b' })
    expect(sent.headers['content-security-policy']).toMatch(
      /script-src 'sha256-[^ ]+';.*form-action https:\/\/desk\.example$/,
    )
    expect(sent.body.match(/<script>/g)).toHaveLength(1)
  })

  test('with an unknown response_mode is an error in the query', async () => {
    const { get, site } = await scene()
    const { headers } = await get(`/oauth/authorize?${query(asked(site, { response_mode: 'web_message' }))}`)
    expect(new URL(String(headers.location)).searchParams.get('error')).toBe('invalid_request')
  })

  const WRONG: Form[] = [
    { response_type: 'token' },
    { response_type: '' },
    { scope: 'sudo' },
    { prompt: 'none' },
    { prompt: 'none login' },
    { max_age: 'x' },
    { code_challenge: 'x' },
    { response_mode: 'fragment', prompt: 'none' },
    { response_mode: 'form_post', prompt: 'none' },
  ]

  test.each(WRONG)('with %j, no link leads to an address that a user has registered', async (change) => {
    const { get, post, own, browser } = await scene()
    const url = `/oauth/authorize?${query(asked(own, change))}`
    for (const response of [
      await get(url),
      await get(url, browser.headers),
      ...('prompt' in change ? [] : [await post('/oauth/authorize', asked(own, change))]),
    ]) {
      expect([response.statusCode, response.headers.location]).toEqual([400, undefined])
      expect(response.body).toContain('Go back to evil.example')
      expect(response.body).not.toContain('<script>')
    }
  })

  test('is sent to such an address without a click once the user has authorized it', async () => {
    const { get, post, own, browser, database } = await scene()
    const none = () =>
      get(`/oauth/authorize?${query(asked(own, { prompt: 'none', scope: 'openid api' }))}`, browser.headers)
    const { headers } = await post('/oauth/authorize', asked(own, { username: 'mary', password: PASSWORD }))
    expect(String(headers.location)).toContain(EVIL)
    expect((await none()).statusCode).toBe(400)
    await database.updateTable('oauth_grant').set({ code_used_at: Date.now() }).execute()
    expect((await none()).headers.location).toContain(`${EVIL}?error=consent_required`)
  })
})

describe('the end of a session', () => {
  const PATH = '/oauth/end_session'
  const sessions = async ({ database }: Scene) =>
    (await database.selectFrom('web_session').select('id').execute()).length

  async function idToken(app: Scene, client: NewApplication): Promise<string> {
    const { headers } = await app.post(
      '/oauth/authorize',
      asked(client, { username: 'mary', password: PASSWORD }),
    )
    const code = new URL(String(headers.location)).searchParams.get('code') ?? ''
    const traded = await app.asClient(client, {
      grant_type: 'authorization_code',
      code,
    })
    return traded.json<TokenResponse>().id_token ?? ''
  }

  test('comes at once with an ID token of the user, and leads back to the application', async () => {
    const app = await scene()
    for (const client of [app.site, app.own]) {
      const browser = await openBrowser(app.database, app.mary)
      const before = await sessions(app)
      const [uri] = client.callback_url.split('\n')
      const form = {
        id_token_hint: await idToken(app, client),
        post_logout_redirect_uri: uri ?? '',
        state: 'x',
      }
      const ended = await app.get(`${PATH}?${query(form)}`, browser.headers)
      expect([ended.statusCode, ended.headers.location]).toEqual([303, `${String(uri)}?state=x`])
      expect(ended.headers['set-cookie']).toContain('Max-Age=0')
      expect(await sessions(app)).toBe(before - 1)
    }
  })

  test('is asked for without an ID token, or with one of another user', async () => {
    const app = await scene()
    const other = await openBrowser(app.database, app.root)
    const before = await sessions(app)
    const hint = await idToken(app, app.site)
    for (const [form, browser] of [
      [{ client_id: app.site.application_id, post_logout_redirect_uri: BACK }, app.browser],
      [{ id_token_hint: 'nonsense' }, app.browser],
      [{ id_token_hint: hint, post_logout_redirect_uri: BACK }, other],
    ] as const) {
      const page = await app.get(`${PATH}?${query(form)}`, browser.headers)
      expect([page.statusCode, page.body.includes('Sign out?')]).toEqual([200, true])
      expect(await sessions(app)).toBe(before)
    }
    const page = await app.get(
      `${PATH}?${query({ id_token_hint: hint, post_logout_redirect_uri: BACK })}`,
      other.headers,
    )
    const forged = await app.post(PATH, fieldsOf(page), { ...other.headers, origin: 'https://evil.example' })
    expect([forged.statusCode, await sessions(app)]).toEqual([403, before])
    const ended = await app.post(PATH, fieldsOf(page), { ...other.headers, ...sentByPage })
    expect([ended.statusCode, ended.headers.location, await sessions(app)]).toEqual([303, BACK, before - 1])
  })

  test('leads nowhere without a click for an application that a user has registered, and to no other address', async () => {
    const app = await scene()
    const own = { client_id: app.own.application_id, post_logout_redirect_uri: EVIL }
    const page = await app.get(`${PATH}?${query(own)}`)
    expect([page.statusCode, page.headers.location, page.body.includes('Go to evil.example')]).toEqual([
      ...[200, undefined, true],
    ])
    const forms: Form[] = [
      { post_logout_redirect_uri: EVIL },
      { client_id: app.site.application_id, post_logout_redirect_uri: EVIL },
      { client_id: app.own.application_id, id_token_hint: await idToken(app, app.site) },
    ]
    for (const form of forms) {
      const refused = await app.get(`${PATH}?${query(form)}`, app.browser.headers)
      expect([refused.statusCode, refused.headers.location]).toEqual([400, undefined])
    }
  })

  test('of a form of the application goes on as a link, so that the browser sends the cookie', async () => {
    const { post, site } = await scene()
    const form = { client_id: site.application_id, post_logout_redirect_uri: BACK }
    const sent = await post(PATH, form, { origin: 'https://desk.example', 'sec-fetch-site': 'cross-site' })
    expect([sent.statusCode, sent.headers.location]).toEqual([303, `${PATH}?${query(form)}`])
  })
})
