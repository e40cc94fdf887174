import { createHash } from 'node:crypto'

import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import { insertGroup } from '../../../../src/coordinator/accounts/groups/store.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { idTokenClaims } from '../../../../src/coordinator/ci/jobs/payload/id-tokens.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { Authenticator } from '../../../../src/coordinator/http/authentication/authenticator.js'
import { authenticateGit } from '../../../../src/coordinator/http/authentication/git-credentials.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { facts } from '../../ci/jobs/payload/payload-facts.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import { allow, ask, DEVICE_GRANT } from './device-scene.js'
import { BACK, bearer, type Form, type OauthApp, openOauthApp, PASSWORD } from './oauth-app.js'

const SCOPES = ['openid', 'profile', 'email', 'read_user']
const ROLE = 'https://gitlab.org/claims/groups'

/** An application that may know who its users are. */
function addSite({ database }: OauthApp): Promise<NewApplication> {
  return createApplication(database, { name: 'Site', redirect_uri: BACK, scopes: SCOPES, confidential: true })
}

/** The response to a site for its request and Mary's password, sent through the page. */
async function signIn(app: OauthApp, site: NewApplication, more: Form = {}): Promise<TokenResponse> {
  const request = { client_id: site.application_id, redirect_uri: BACK, response_type: 'code', ...more }
  const sent = await app.post('/oauth/authorize', { ...request, username: 'mary', password: PASSWORD })
  const code = new URL(String(sent.headers.location)).searchParams.get('code') ?? ''
  const traded = await app.asClient(site, { grant_type: 'authorization_code', code, redirect_uri: BACK })
  expect(traded.statusCode).toBe(200)
  return traded.json<TokenResponse>()
}

/** As a client checks it: with the keys that the coordinator shows. */
async function claimsIn(
  app: OauthApp,
  { id_token }: TokenResponse,
  site: NewApplication,
): Promise<JWTPayload> {
  const keys = (await app.get('/oauth/discovery/keys')).json<JSONWebKeySet>()
  const expected = { issuer: EXTERNAL_URL, audience: site.application_id, algorithms: ['RS256'] }
  return (await jwtVerify(id_token ?? '', createLocalJWKSet(keys), expected)).payload
}

async function addGroups({ database, mary }: OauthApp): Promise<void> {
  const group = (path: string, parent?: { id: number; full_path: string }) =>
    inTransaction(database, (tx) => {
      const full_path = parent ? `${parent.full_path}/${path}` : path
      const values = { kind: 'group', name: path, path, full_path, parent_id: parent?.id ?? null } as const
      return insertGroup(tx, { ...values, visibility: 'private', created_at: Date.now() })
    })
  const join = async (path: string, access_level: number, expires_at: number | null = null) => {
    const joined = await group(path)
    const values = { group_id: joined.id, user_id: mary.id, access_level, expires_at, created_at: Date.now() }
    await database.insertInto('member').values(values).execute()
    return joined
  }
  await group('below', await join('top', 50))
  await join('other', 30)
  await join('guests', 10)
  await join('passed', 40, Date.now() - 1)
  await group('strangers')
}

describeOnDatabase('An application that signs people in', (open) => {
  test('gets a signed token with the user and the time of sign-in', async () => {
    const app = await openOauthApp(open)
    const site = await addSite(app)
    await addGroups(app)
    const tokens = await signIn(app, site, { scope: 'openid profile email', nonce: 'n-0S6_WzA2Mj' })
    expect(tokens.scope).toBe('openid profile email')
    const claims = await claimsIn(app, tokens, site)
    const given = await app.database.selectFrom('oauth_grant').select('created_at').executeTakeFirstOrThrow()
    expect(claims).toEqual({
      iss: EXTERNAL_URL,
      sub: String(app.mary.id),
      aud: site.application_id,
      nonce: 'n-0S6_WzA2Mj',
      iat: expect.any(Number) as number,
      exp: Number(claims.iat) + 120,
      auth_time: Math.floor(given.created_at / 1000),
      at_hash: createHash('sha256')
        .update(tokens.access_token)
        .digest()
        .subarray(0, 16)
        .toString('base64url'),
      name: 'Mary',
      nickname: 'mary',
      preferred_username: 'mary',
      email: 'mary@example.com',
      email_verified: true,
      profile: `${EXTERNAL_URL}/mary`,
      groups_direct: ['guests', 'other', 'top'],
    })
    expect((await app.get('/oauth/userinfo', bearer(tokens))).json()).toEqual({
      sub: String(app.mary.id),
      name: 'Mary',
      nickname: 'mary',
      preferred_username: 'mary',
      email: 'mary@example.com',
      email_verified: true,
      profile: `${EXTERNAL_URL}/mary`,
      groups: ['guests', 'other', 'top', 'top/below'],
      [`${ROLE}/owner`]: ['top'],
      [`${ROLE}/developer`]: ['other'],
    })
  })

  test('gets such tokens for a refresh token, a password and a device too', async () => {
    const app = await openOauthApp(open)
    const site = await addSite(app)
    const scope = 'openid'
    const first = await signIn(app, site, { scope, nonce: 'once' })
    const { auth_time } = await claimsIn(app, first, site)
    await app.database
      .updateTable('oauth_grant')
      .set({ created_at: Date.now() - 50_000 })
      .execute()
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' }
    const later = (await app.asClient(site, refresh)).json<TokenResponse>()
    const claims = await claimsIn(app, later, site)
    expect([claims.sub, claims['nonce']]).toEqual([String(app.mary.id), undefined])
    expect(Number(claims['auth_time'])).toBeLessThan(Number(auth_time))

    const login = { grant_type: 'password', username: 'mary', password: PASSWORD, scope }
    const device = await ask(app, { scope }, site)
    await allow(app, device)
    const polled = { grant_type: DEVICE_GRANT, device_code: device.device_code }
    for (const form of [login, polled]) {
      const tokens = (await app.asClient(site, form)).json<TokenResponse>()
      expect((await claimsIn(app, tokens, site)).sub).toBe(String(app.mary.id))
    }
  })
})

test('there is no ID token without the openid scope or for the client credentials grant', async () => {
  const app = await openOauthApp()
  const site = await addSite(app)
  expect(await signIn(app, site, { scope: 'read_user profile' })).not.toHaveProperty('id_token')
  const own = await app.asClient(site, { grant_type: 'client_credentials', scope: 'openid' })
  expect(own.json()).not.toHaveProperty('id_token')
  const told = await app.get('/oauth/userinfo', bearer(own.json<TokenResponse>()))
  expect([told.statusCode, told.json()]).toMatchObject([401, { error: 'invalid_token' }])
})

test('an application that was made without these scopes does without them', async () => {
  const app = await openOauthApp()
  const tokens = await signIn(app, app.desk, { scope: 'openid profile email read_user' })
  expect(tokens.scope).toBe('read_user')
  expect(tokens).not.toHaveProperty('id_token')
})

testAtNight(
  'without the email scope, userinfo has the public email address, marked as unverified',
  async () => {
    const app = await openOauthApp()
    const site = await addSite(app)
    const tokens = await signIn(app, site, { scope: 'openid' })
    const told = async () => (await app.get('/oauth/userinfo', bearer(tokens))).json<Form>()
    expect(await told()).not.toHaveProperty('email')
    expect(await told()).not.toHaveProperty('email_verified')
    const showing = (public_email: string) =>
      app.database
        .updateTable('user_profile')
        .set({ public_email, website_url: 'https://mary.example' })
        .where('user_id', '=', app.mary.id)
        .execute()
    await showing('m@example.com')
    const values = { user_id: app.mary.id, email: 'm@example.com', created_at: 0, confirmed_at: 1 }
    await app.database.insertInto('user_email').values(values).execute()
    expect(await told()).toMatchObject({
      email: 'm@example.com',
      email_verified: false,
      website: 'https://mary.example',
    })
    await showing('mary@example.com')
    expect(await told()).toMatchObject({ email: 'mary@example.com', email_verified: true })
    await app.database.updateTable('user_profile').set({ confirmed_at: null }).execute()
    expect(await told()).toMatchObject({ email: 'mary@example.com', email_verified: false })
  },
)

test('a token with only OpenID scopes gives no other access', async () => {
  const app = await openOauthApp()
  const tokens = await signIn(app, await addSite(app), { scope: 'openid profile email' })
  for (const [method, url] of [
    ['GET', '/api/v4/user'],
    ['PUT', '/api/v4/user'],
  ] as const) {
    const refused = await app.app.inject({ method, url, headers: bearer(tokens) })
    expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: 'insufficient_scope' }])
  }
  const basic = `Basic ${Buffer.from(`oauth2:${tokens.access_token}`).toString('base64')}`
  await expect(authenticateGit(new Authenticator(app.database), basic)).rejects.toMatchObject({ status: 401 })
})

describe('userinfo endpoint', () => {
  test('takes a token in the header, in the address and in a form', async () => {
    const app = await openOauthApp()
    const tokens = await signIn(app, await addSite(app), { scope: 'openid' })
    const { access_token } = tokens
    const responses = [
      await app.get('/oauth/userinfo', bearer(tokens)),
      await app.get(`/oauth/userinfo?access_token=${access_token}`),
      await app.post('/oauth/userinfo', { access_token }),
      await app.post('/oauth/userinfo', {}, bearer(tokens)),
      await app.app.inject({ method: 'POST', url: '/oauth/userinfo', headers: bearer(tokens) }),
    ]
    const who = { sub: String(app.mary.id), nickname: 'mary' }
    for (const response of responses) expect([response.statusCode, response.json()]).toMatchObject([200, who])
    expect(responses[0]?.headers['cache-control']).toContain('private')
    const asked = { origin: 'https://site.example', 'access-control-request-headers': 'authorization' }
    const preflight = await app.app.inject({ method: 'OPTIONS', url: '/oauth/userinfo', headers: asked })
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
  })

  test('refuses invalid tokens, tokens without the openid scope and tokens of blocked users', async () => {
    const app = await openOauthApp()
    const site = await addSite(app)
    const told = async (headers: Form) => (await app.get('/oauth/userinfo', headers)).statusCode
    expect(await told({})).toBe(401)
    expect(await told({ authorization: `Bearer ${app.root.token}` })).toBe(401)
    expect(await told(bearer(await signIn(app, site, { scope: 'read_user email' })))).toBe(403)
    const tokens = await signIn(app, site, { scope: 'openid' })
    expect(await told(bearer({ ...tokens, access_token: tokens.id_token ?? '' }))).toBe(401)
    const { database, mary } = app
    await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', mary.id).execute()
    expect(await told(bearer(tokens))).toBe(403)
    await database.updateTable('user').set({ state: 'active' }).execute()
    await database.updateTable('oauth_token').set({ expires_at: Date.now() }).execute()
    expect(await told(bearer(tokens))).toBe(401)
  })
})

test.each<[string, Form, string]>([
  ['signing in without being asked', { scope: 'openid', prompt: 'none' }, 'login_required'],
  ['a nonce without end', { scope: 'openid', nonce: 'x'.repeat(513) }, 'invalid_request'],
])('%s is refused', async (_what, more, error) => {
  const app = await openOauthApp()
  const { application_id: client_id } = await addSite(app)
  const request = new URLSearchParams({ client_id, redirect_uri: BACK, response_type: 'code', ...more })
  const { headers } = await app.get(`/oauth/authorize?${request.toString()}`)
  expect(new URL(String(headers.location)).searchParams.get('error')).toBe(error)
})

test('the page returns the nonce', async () => {
  const app = await openOauthApp()
  const { application_id: client_id } = await addSite(app)
  const request = { client_id, redirect_uri: BACK, response_type: 'code', scope: 'openid', nonce: 'once' }
  const { body } = await app.get(`/oauth/authorize?${new URLSearchParams(request).toString()}`)
  expect(body).toContain('<input type="hidden" name="nonce" value="once">')
  expect(body).toContain('<li>Read your identity: name, username, avatar and groups</li>')
})

testAtNight('clients find everything by the address of the coordinator', async () => {
  const app = await openOauthApp()
  const { statusCode, json } = await app.get('/.well-known/openid-configuration')
  const document = json<Record<string, string>>()
  expect([statusCode, document]).toMatchObject([
    200,
    {
      issuer: EXTERNAL_URL,
      grant_types_supported: expect.arrayContaining(['authorization_code', DEVICE_GRANT]) as string[],
      code_challenge_methods_supported: ['S256'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
  ])
  expect((await app.get('/.well-known/oauth-authorization-server')).json()).toEqual(document)
  const pages = Object.entries(document).filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri')
  expect(pages).toHaveLength(9)
  for (const [, url] of pages) {
    const path = url.slice(EXTERNAL_URL.length)
    const responses = [await app.get(path), await app.post(path, {})]
    expect(responses.some(({ statusCode: status }) => status !== 404 && status !== 405)).toBe(true)
  }
})

test('ID tokens of jobs and of users cannot be mistaken for each other', async () => {
  const app = await openOauthApp()
  const site = await addSite(app)
  await addGroups(app)
  const tokens = await signIn(app, site, { scope: 'openid profile email', nonce: 'once' })
  const environment = { name: 'prod', action: 'start' } as const
  const job = { ...facts.job, options: { ...facts.job.options, environment } }
  const ofJob = idTokenClaims({ ...facts, job, isEnvironmentProtected: false }, 0)
  const ofUser = { ...(await claimsIn(app, tokens, site)), groups: [], website: '', picture: '' }
  const shared = Object.keys(ofJob).filter((claim) => claim in ofUser)
  expect(shared.sort()).toEqual(['exp', 'iat', 'sub'])
  expect([ofJob['sub'], ofUser.sub]).toEqual([
    expect.stringMatching(/^project_path:/),
    expect.stringMatching(/^\d+$/),
  ])
})
