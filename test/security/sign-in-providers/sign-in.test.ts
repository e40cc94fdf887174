import { generateKeyPair } from 'jose'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { addressIn, corp } from '../../coordinator/sessions/providers/scene.js'
import { openSignInScene, PASSWORD, type Visitor } from '../../coordinator/sessions/scene.js'
import { EXTERNAL_URL } from '../../coordinator/support/test-app.js'
import { openForFile } from '../../support/lifetime.js'
import { HostileProvider, type TokenMaker, unsigned } from './hostile-provider.js'

// Attacks on the sign-in by identity providers: forged ID tokens, responses of another provider or for another browser,
// accounts of others, and more rights than the settings give.

const scene = openForFile(async () => {
  const [provider, other] = [await HostileProvider.start(), await HostileProvider.start()]
  const rules = { newAccounts: true, groups: new Map([['devs', [{ path: 'app', accessLevel: 30 }]]]) }
  const providers = [corp(provider.issuer, rules), corp(other.issuer, rules, 'other')]
  const opened = await openSignInScene({ settings: { signIn: { isAutomatic: false, providers } } })
  await opened.call(opened.root, 'POST /groups', { name: 'app', path: 'app' })
  await opened.call(opened.root, 'POST /groups', { name: 'secret', path: 'secret' })
  await opened.call(opened.root, `PUT /users/${opened.mary.id}`, {
    provider: 'corp',
    extern_uid: 'mary-at-corp',
  })
  return Object.assign(opened, { call: opened.call.bind(opened), provider, other })
})

beforeEach(() => {
  for (const each of [scene().provider, scene().other]) {
    each.tokenOf = (claims) => each.sign(claims)
    each.claims = { sub: 'mary-at-corp' }
    each.callback = {}
  }
})

/** Sends a visitor to the provider, and returns the callback to which it leads. */
async function leave(visitor: Visitor, query = '', name: 'corp' | 'other' = 'corp'): Promise<URL> {
  await visitor.get(`/users/sign_in${query}`)
  const page = await visitor.submit(`/users/auth/${name}`)
  return (name === 'corp' ? scene().provider : scene().other).authorize(addressIn(page))
}

const pathOf = ({ pathname, search }: URL) => pathname + search

async function signIn(query = '') {
  const visitor = scene().visitor()
  const response = await visitor.get(pathOf(await leave(visitor, query)))
  return { visitor, response, status: response.statusCode, name: await visitor.name() }
}

test('a right ID token signs in', async () => {
  expect(await signIn()).toMatchObject({ status: 303, name: 'mary' })
})

describe('an ID token', () => {
  test.each<[string, TokenMaker]>([
    ['without a signature', (claims) => unsigned(claims)],
    ['with the public key as a secret', (claims, provider) => provider.signWithPublicKey(claims)],
    [
      'with the key of another one',
      async (claims, provider) => provider.sign(claims, { key: (await generateKeyPair('RS256')).privateKey }),
    ],
    ['of another issuer', (claims, provider) => provider.sign({ ...claims, iss: 'http://attacker.example' })],
    ['for another client', (claims, provider) => provider.sign({ ...claims, aud: 'another' })],
    [
      'for several clients without the authorized one',
      (claims, provider) => provider.sign({ ...claims, aud: ['switchyard', 'another'], azp: 'another' }),
    ],
    ['with another nonce', (claims, provider) => provider.sign({ ...claims, nonce: 'another' })],
    ['without a nonce', (claims, provider) => provider.sign({ ...claims, nonce: undefined })],
    [
      'that has expired',
      (claims, provider) => provider.sign({ ...claims, exp: Number(claims['iat']) - 3600 }),
    ],
    ['without an expiry', (claims, provider) => provider.sign({ ...claims, exp: undefined })],
    ['without a subject', (claims, provider) => provider.sign({ ...claims, sub: undefined })],
    ['with an empty subject', (claims, provider) => provider.sign({ ...claims, sub: '' })],
    ['that is none', () => 'x.y.z'],
  ])('%s signs nobody in', async (_, tokenOf) => {
    scene().provider.tokenOf = tokenOf
    const { status, name, response } = await signIn()
    expect([status, name]).toEqual([400, 401])
    expect(response.body).toContain('The response of Corp is not valid.')
  })
})

describe('a response', () => {
  test('of one provider is refused at the callback of another one, which gets no code', async () => {
    const visitor = scene().visitor()
    const callback = await leave(visitor, '', 'other')
    const before = scene().provider.exchanged.length
    const response = await visitor.get(pathOf(callback).replace('/other/', '/corp/'))
    expect(response.statusCode).toBe(400)
    expect(scene().provider.exchanged.length).toBe(before)
    expect(await visitor.name()).toBe(401)
  })

  test('with the issuer of another provider gets no token', async () => {
    const { provider, other } = scene()
    provider.callback = { iss: other.issuer }
    const before = provider.exchanged.length
    expect(await signIn()).toMatchObject({ status: 400, name: 401 })
    expect(provider.exchanged.length).toBe(before)
  })

  test('is accepted once', async () => {
    const { provider } = scene()
    const browser = scene().visitor()
    const callback = await leave(browser)
    const cookies = new Map(browser.cookies)
    expect((await browser.get(pathOf(callback))).statusCode).toBe(303)
    const before = provider.exchanged.length
    const thief = scene().visitor()
    for (const [name, value] of cookies) thief.cookies.set(name, value)
    expect((await thief.get(pathOf(callback))).statusCode).toBe(400)
    expect(provider.exchanged.length).toBe(before)
    expect(await thief.name()).toBe(401)
  })

  test('that another browser began signs nobody in', async () => {
    const attacker = scene().visitor()
    const callback = pathOf(await leave(attacker))
    const fresh = scene().visitor()
    const busy = scene().visitor()
    await leave(busy)
    for (const victim of [fresh, busy]) {
      expect((await victim.get(callback)).statusCode).toBe(400)
      expect(await victim.name()).toBe(401)
    }
  })

  test('with another state, a forged cookie or after 15 minutes is refused', async () => {
    const visitor = scene().visitor()
    const callback = await leave(visitor)
    const changed = new URL(callback)
    changed.searchParams.set('state', 'another')
    expect((await visitor.get(pathOf(changed))).statusCode).toBe(400)
    const forger = scene().visitor()
    const attempt = { provider: 'corp', state: 'x', kept: {}, purpose: 'sign-in', until: 9e15 }
    forger.cookies.set('switchyard_attempt', Buffer.from(JSON.stringify(attempt)).toString('base64url'))
    expect((await forger.get('/users/auth/corp/callback?code=1&state=x')).statusCode).toBe(400)
    const late = scene().visitor()
    const lateCallback = await leave(late)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
    expect((await late.get(pathOf(lateCallback))).statusCode).toBe(400)
    vi.useRealTimers()
  })
})

test('a page of another site cannot send a browser to a provider', async () => {
  for (const [name, value] of [
    ['origin', 'https://attacker.example'],
    ['sec-fetch-site', 'cross-site'],
  ] as const) {
    const victim = scene().visitor()
    await victim.get('/users/sign_in')
    expect((await victim.submit('/users/auth/corp', {}, { [name]: value })).statusCode).toBe(403)
  }
  const attacker = scene().visitor()
  const { body } = await attacker.get('/users/sign_in')
  const authenticity_token = /name="authenticity_token" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const victim = scene().visitor()
  expect((await victim.post('/users/auth/corp', { authenticity_token })).statusCode).toBe(403)
})

test.each(['https://attacker.example', '//attacker.example', '/\\attacker.example', 'javascript:alert(1)'])(
  'the page after the sign-in is never %s',
  async (returnTo) => {
    const { response } = await signIn(`?return_to=${encodeURIComponent(returnTo)}`)
    expect(response.headers.location).toBe('/')
  },
)

test('the session that was in the browser before ends, and its cookie is replaced', async () => {
  const { app, visitor } = scene()
  const browser = visitor()
  await browser.signIn({ username: 'mary', password: PASSWORD })
  const before = browser.cookies.get('switchyard_session') ?? ''
  const page = await browser.get('/users/sign_in?return_to=/x')
  expect(page.statusCode).toBe(303)
  const victim = visitor()
  const callback = await leave(victim)
  victim.cookies.set('switchyard_session', before)
  await victim.get(pathOf(callback))
  expect(victim.cookies.get('switchyard_session')).not.toBe(before)
  const headers = { cookie: `switchyard_session=${before}` }
  expect((await app.inject({ url: '/api/v4/user', headers })).statusCode).toBe(401)
})

describe('the account of another user', () => {
  test('is not taken over by an address, verified or not', async () => {
    for (const email_verified of [true, false, 'true', undefined]) {
      scene().provider.claims = { sub: 'attacker', email: 'root@example.com', email_verified }
      expect(await signIn()).toMatchObject({ status: 403, name: 401 })
    }
  })

  test('is not taken over by its username', async () => {
    scene().provider.claims = { sub: 'namesake', preferred_username: 'root', email: 'namesake@corp.example' }
    expect((await signIn()).name).toBe('root2')
  })

  test('is not that of the same subject at another provider', async () => {
    const visitor = scene().visitor()
    scene().other.claims = { sub: 'mary-at-corp', email: 'other-mary@corp.example' }
    await visitor.get(pathOf(await leave(visitor, '', 'other')))
    expect(await visitor.name()).toBe('other-mary')
  })

  test('is not linked with a page of the attacker, or in a session of another one', async () => {
    const { root, database, visitor, call } = scene()
    const attacker = visitor()
    await attacker.signIn({ username: 'mary', password: PASSWORD })
    const forged = await attacker.post('/users/auth/other', { purpose: 'link' })
    expect(forged.statusCode).toBe(403)
    const identities = (await call(root, `GET /users/${root.id}`)).json<{ identities: unknown[] }>()
      .identities
    expect(identities).toEqual([])
    expect(
      await database.selectFrom('user_identity').select('id').where('user_id', '=', root.id).execute(),
    ).toEqual([])
  })
})

test('a subject whose account was deleted gets a new account without its rights', async () => {
  const { provider, call, root, database } = scene()
  provider.claims = { sub: 'leaver', preferred_username: 'leaver', email: 'leaver@corp.example' }
  expect((await signIn()).name).toBe('leaver')
  const { id } = await database
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'leaver')
    .executeTakeFirstOrThrow()
  await call(root, 'POST /groups/secret/members', { user_id: id, access_level: 40 })
  expect((await call(root, `DELETE /users/${id}?hard_delete=true`)).statusCode).toBe(204)
  await expect.poll(() => database.selectFrom('user').select('id').where('id', '=', id).execute()).toEqual([])
  expect((await signIn()).name).toBe('leaver')
  const again = await database
    .selectFrom('user')
    .select('id')
    .where('username', '=', 'leaver')
    .executeTakeFirstOrThrow()
  expect(again.id).not.toBe(id)
  const members = await database
    .selectFrom('member')
    .select('group_id')
    .where('user_id', '=', again.id)
    .execute()
  expect(members).toEqual([])
})

describe('a claim of groups', () => {
  const membershipsOf = async (username: string) =>
    scene()
      .database.selectFrom('member')
      .innerJoin('user', 'user.id', 'member.user_id')
      .innerJoin('namespace', 'namespace.id', 'member.group_id')
      .select(['namespace.full_path', 'member.access_level'])
      .where('user.username', '=', username)
      .execute()

  test('gives the groups and levels of the settings, and no other', async () => {
    const claims = { sub: 'climber', preferred_username: 'climber', email: 'climber@corp.example' }
    const groups = ['devs', 'secret', 'app', 'app:owner', 'admin', 'devs:owner', '__proto__', 'constructor']
    scene().provider.claims = { ...claims, groups, is_admin: true, admin: true }
    expect((await signIn()).name).toBe('climber')
    expect(await membershipsOf('climber')).toEqual([{ full_path: 'app', access_level: 30 }])
    const user = await scene()
      .database.selectFrom('user')
      .selectAll()
      .where('username', '=', 'climber')
      .executeTakeFirst()
    expect(user?.is_admin).toBe(false)
    scene().provider.claims = { ...claims, groups: [] }
    await signIn()
    expect(await membershipsOf('climber')).toEqual([])
  })

  test('leaves memberships alone that others have given', async () => {
    const { call, root, mary } = scene()
    await call(root, 'POST /groups/app/members', { user_id: mary.id, access_level: 10 })
    scene().provider.claims = { sub: 'mary-at-corp', groups: ['devs'] }
    await signIn()
    expect(await membershipsOf('mary')).toEqual([{ full_path: 'app', access_level: 10 }])
    scene().provider.claims = { sub: 'mary-at-corp' }
    await signIn()
    expect(await membershipsOf('mary')).toEqual([{ full_path: 'app', access_level: 10 }])
  })
})

test('no page of a provider can be framed or run a script, and what a provider says is text', async () => {
  const { visitor, provider } = scene()
  provider.callback = { error: 'access_denied', error_description: '<img src=x onerror=alert(1)>' }
  const browser = visitor()
  await browser.get('/users/sign_in')
  const pages = [
    await browser.submit('/users/auth/corp'),
    await browser.get('/users/auth/corp/callback'),
    await browser.get('/users/auth/nothing/callback'),
    (await signIn()).response,
  ]
  for (const { body, headers } of pages) {
    expect(body).not.toMatch(/<script|<img|javascript:/i)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cache-control']).toBe('no-store')
  }
})

describe('a logout token', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const now = () => Math.floor(Date.now() / 1000)
  const right = (jti: string) => ({
    iss: scene().provider.issuer,
    aud: 'switchyard',
    iat: now(),
    exp: now() + 120,
    jti,
    sub: 'mary-at-corp',
    events: EVENTS,
  })

  const send = async (token: string, name = 'corp') =>
    scene().app.inject({
      method: 'POST',
      url: `/users/auth/${name}/backchannel_logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    })

  test('ends the sessions of the sign-in by its provider, and no other', async () => {
    const { provider, visitor } = scene()
    provider.claims = { sub: 'mary-at-corp', sid: 'one' }
    const [one, other] = [await signIn(), visitor()]
    provider.claims = { sub: 'mary-at-corp', sid: 'two' }
    const two = await signIn()
    await other.signIn({ username: 'mary', password: PASSWORD })
    const ofOne = await send(await provider.sign({ ...right('a'), sub: undefined, sid: 'one' }))
    expect([ofOne.statusCode, ofOne.headers['cache-control']]).toEqual([200, 'no-store'])
    expect([await one.visitor.name(), await two.visitor.name()]).toEqual([401, 'mary'])
    expect((await send(await provider.sign(right('b'), { typ: 'logout+jwt' }))).statusCode).toBe(200)
    expect([await two.visitor.name(), await other.name()]).toEqual([401, 'mary'])
  })

  test('is valid once', async () => {
    const token = await scene().provider.sign(right('once'))
    expect((await send(token)).statusCode).toBe(200)
    const again = await send(token)
    expect(again.statusCode).toBe(400)
    expect(again.json()).toMatchObject({
      error: 'invalid_request',
      error_description: 'The token was used before',
    })
  })

  test('that is not right ends nothing', async () => {
    const { provider, other } = scene()
    const { visitor } = await signIn()
    const tokens = [
      unsigned(right('1')),
      await provider.signWithPublicKey(right('2')),
      await other.sign(right('3')),
      await provider.sign({ ...right('4'), iss: other.issuer }),
      await provider.sign({ ...right('5'), aud: 'another' }),
      await provider.sign({ ...right('6'), iat: now() - 3600, exp: undefined }),
      await provider.sign({ ...right('7'), exp: now() - 3600 }),
      await provider.sign({ ...right('8'), iat: undefined }),
      await provider.sign({ ...right('9'), jti: undefined }),
      await provider.sign({ ...right('10'), events: undefined }),
      await provider.sign({ ...right('11'), events: { other: {} } }),
      await provider.sign({ ...right('12'), nonce: 'x' }),
      await provider.sign({ ...right('13'), sub: undefined }),
      await provider.sign(right('14'), { typ: 'at+jwt' }),
      '',
      'x.y.z',
    ]
    for (const token of tokens) expect((await send(token)).statusCode).toBe(400)
    expect((await send(await provider.sign(right('15')), 'nothing')).statusCode).toBe(404)
    expect((await send(await provider.sign(right('16')), 'other')).statusCode).toBe(400)
    expect(await visitor.name()).toBe('mary')
  })
})

test('the callback is at the address of the instance, whatever a request says of its host', async () => {
  const browser = scene().visitor()
  await browser.get('/users/sign_in')
  const page = await browser.submit('/users/auth/corp', {}, { 'x-forwarded-host': 'attacker.example' })
  const callback = new URL(addressIn(page)).searchParams.get('redirect_uri')
  expect(callback).toBe(`${EXTERNAL_URL}/users/auth/corp/callback`)
})
