import { expect, test } from 'vitest'

import { createApplication } from '../../../src/coordinator/accounts/applications/applications.js'
import { tokenDigest } from '../../../src/lib/tokens.js'
import { BY_PASSWORD, callAs, CODE_PAGE, enrol } from '../../coordinator/sessions/app-of-user.js'
import {
  openSignInScene,
  PASSWORD,
  type SignInScene,
  type Visitor,
} from '../../coordinator/sessions/scene.js'
import { SoftwarePasskey } from '../../coordinator/sessions/software-passkey.js'
import { openForFile } from '../../support/lifetime.js'

const HTTPS = 'https://switchyard.example'
const HERE = { origin: HTTPS, rpId: 'switchyard.example' }

interface PasskeyScene extends SignInScene {
  passkey: SoftwarePasskey
  owner: Visitor
}

/** Mary has a passkey and no app. */
async function openPasskeyScene(): Promise<PasskeyScene> {
  const scene = await openSignInScene({ externalUrl: HTTPS })
  const owner = scene.visitor()
  await owner.signIn(BY_PASSWORD)
  const passkey = new SoftwarePasskey()
  expect((await register(scene, owner, passkey)).statusCode).toBe(201)
  return Object.assign(scene, { passkey, owner })
}

/** Shared by the tests that leave it as it was. */
const shared = openForFile(() => openPasskeyScene())

async function register(scene: SignInScene, visitor: Visitor, passkey: SoftwarePasskey, changes = {}) {
  const options = await callAs(scene, visitor, 'POST', '/user/two_factor/passkeys/options')
  const { challenge } = options.json<{ challenge: string }>()
  const credential = passkey.register({ ...HERE, challenge, ...changes })
  return callAs(scene, visitor, 'POST', '/user/two_factor/passkeys', { name: 'Phone', credential })
}

function challengeIn(page: string): string {
  return /&quot;challenge&quot;:&quot;([\w-]+)&quot;/.exec(page)?.[1] ?? ''
}

/** Opens a page that asks for a passkey, and sends what `sign` makes of its challenge. */
async function present(visitor: Visitor, path: string, sign: (challenge: string) => string) {
  let page = await visitor.get(path)
  if (page.statusCode === 303) page = await visitor.get(String(page.headers.location))
  return visitor.submit(path, { credential: sign(challengeIn(page.body)) })
}

test('a passkey is the second step of a sign-in', async () => {
  const { visitor, passkey } = shared()
  const mary = visitor()
  expect((await mary.signIn(BY_PASSWORD)).headers.location).toBe(CODE_PAGE)
  const signed = await present(mary, CODE_PAGE, (challenge) => passkey.sign({ ...HERE, challenge }))
  expect(signed.statusCode).toBe(303)
  expect(await mary.name()).toBe('mary')
})

test('a passkey that has verified the person signs in alone, one that has not does not', async () => {
  const { visitor, passkey } = shared()
  const mary = visitor()
  const sign = (isVerified: boolean) => (challenge: string) =>
    passkey.sign({ ...HERE, challenge, isVerified })
  expect((await present(mary, '/users/passkey', sign(false))).statusCode).toBe(401)
  expect((await present(mary, '/users/passkey', sign(true))).statusCode).toBe(303)
  expect(await mary.name()).toBe('mary')
})

test.each([
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another site', { rpId: 'evil.example' }],
  ['of a challenge that was never asked', { challenge: 'AAAA' }],
])('a signature %s is refused', async (_name, changes) => {
  const { visitor, passkey } = shared()
  const mary = visitor()
  const signed = await present(mary, '/users/passkey', (challenge) =>
    passkey.sign({ ...HERE, challenge, ...changes }),
  )
  expect(signed.statusCode).toBe(401)
  expect(await mary.name()).toBe(401)
})

test('a passkey of another origin or site is not registered', async () => {
  const scene = shared()
  for (const changes of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
  ]) {
    const refused = await register(scene, scene.owner, new SoftwarePasskey(), changes)
    expect(refused.json()).toEqual({ message: '403 Forbidden - The passkey was not accepted' })
  }
})

test('a copy of a passkey is found by its counter', async () => {
  const { visitor, passkey } = shared()
  const sign = (challenge: string) => passkey.sign({ ...HERE, challenge })
  passkey.counter = 60
  expect((await present(visitor(), '/users/passkey', sign)).statusCode).toBe(303)
  passkey.counter = 3
  expect((await present(visitor(), '/users/passkey', sign)).statusCode).toBe(401)
  passkey.counter = 100
})

test('a signature is for one browser and one purpose, and counts once', async () => {
  const scene = shared()
  const { visitor, passkey, owner } = scene
  const [mary, thief] = [visitor(), visitor()]
  let stolen = ''
  await present(mary, '/users/passkey', (challenge) => (stolen = passkey.sign({ ...HERE, challenge })))
  expect((await present(thief, '/users/passkey', () => stolen)).statusCode).toBe(401)
  const confirmed = await callAs(scene, owner, 'POST', '/user/sessions/confirm', { passkey: stolen })
  expect(confirmed.statusCode).toBe(403)
  const other = visitor()
  let asked = ''
  await present(other, '/users/passkey', (challenge) => {
    asked = challenge
    return 'nothing'
  })
  expect(
    (await present(thief, '/users/passkey', () => passkey.sign({ ...HERE, challenge: asked }))).statusCode,
  ).toBe(401)
})

test('the passkey of another user does not complete a sign-in', async () => {
  const { visitor, passkey, root, app, database } = shared()
  const other = { username: 'eve', name: 'Eve', email: 'eve@example.com', password: 'eve has a password' }
  const headers = { 'private-token': root.token }
  const url = '/api/v4/users'
  const payload = { ...other, skip_confirmation: true }
  const made = await app.inject({ method: 'POST', url, headers, payload })
  const { id } = made.json<{ id: number }>()
  const eves = {
    user_id: id,
    credential_id: 'eve',
    public_key: '',
    counter: 0,
    transports: '[]',
    name: 'Key',
  }
  await database
    .insertInto('passkey')
    .values({ ...eves, created_at: 0, last_used_at: null })
    .execute()
  const eve = visitor()
  expect((await eve.signIn({ username: 'eve', password: other.password })).headers.location).toBe(CODE_PAGE)
  const signed = await present(eve, CODE_PAGE, (challenge) => passkey.sign({ ...HERE, challenge }))
  expect(signed.statusCode).toBe(401)
  expect(await eve.name()).toBe(401)
})

test('a passkey of a user who is blocked does not sign in', async () => {
  const { visitor, passkey, database, mary } = await openPasskeyScene()
  await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', mary.id).execute()
  const browser = visitor()
  const signed = await present(browser, '/users/passkey', (challenge) => passkey.sign({ ...HERE, challenge }))
  expect(signed.statusCode).toBe(401)
})

test('a passkey confirms a session, and removes itself only then', async () => {
  const scene = await openPasskeyScene()
  const { visitor, passkey, mary } = scene
  const browser = visitor()
  await browser.get('/users/sign_in?tab=token')
  await browser.submit('/users/sign_in', { token: mary.token })
  const remove = () => callAs(scene, browser, 'DELETE', '/user/two_factor')
  expect((await remove()).statusCode).toBe(403)
  const options = await callAs(scene, browser, 'POST', '/user/sessions/passkey_options')
  const { challenge } = options.json<{ challenge: string }>()
  const body = { passkey: passkey.sign({ ...HERE, challenge }) }
  expect((await callAs(scene, browser, 'POST', '/user/sessions/confirm', body)).statusCode).toBe(200)
  expect((await remove()).statusCode).toBe(204)
})

test('a password that was reset does not replace the factor', async () => {
  const scene = await openSignInScene()
  await enrol(scene)
  const link = 'link-of-a-mail'
  const { id: user_id, email } = scene.mary
  const times = { created_at: Date.now(), expires_at: Date.now() + 60_000 }
  await scene.database
    .insertInto('account_link')
    .values({ user_id, email, kind: 'password', digest: tokenDigest(link), ...times })
    .execute()
  const browser = scene.visitor()
  const password = 'another battery staple'
  const given = { reset_password_token: link, password, password_confirmation: password }
  expect((await browser.post('/users/password/edit', given)).body).toContain('Your password is set')
  expect(await browser.name()).toBe(401)
  expect((await browser.signIn({ username: 'mary', password })).headers.location).toBe(CODE_PAGE)
})

test('no page and no grant of OAuth takes the password alone', async () => {
  const scene = await openSignInScene()
  const { code, recoveryCodes } = await enrol(scene)
  const { visitor, database } = scene
  const back = 'https://app.example/back'
  const desk = await createApplication(database, {
    name: 'Desk',
    redirect_uri: back,
    scopes: ['api'],
    confidential: true,
  })
  const client = { client_id: desk.application_id, client_secret: desk.secret }
  const granted = await visitor().post('/oauth/token', { ...client, grant_type: 'password', ...BY_PASSWORD })
  expect(granted.json()).toMatchObject({
    error: 'invalid_grant',
    error_description: expect.stringContaining('Use a personal access token') as unknown,
  })
  const request = { client_id: client.client_id, redirect_uri: back, response_type: 'code', scope: 'api' }
  const authorize = (given: object) =>
    visitor().post('/oauth/authorize', { ...request, ...BY_PASSWORD, decision: 'allow', ...given })
  const asked = await authorize({})
  expect([asked.statusCode, asked.headers.location, asked.body.includes('name="code"')]).toEqual([
    401,
    undefined,
    true,
  ])
  expect((await authorize({ code: code(5) })).headers.location).toBeUndefined()
  expect((await authorize({ code: code() })).headers.location).toMatch(/\?code=/)
  expect((await authorize({ code: code() })).headers.location).toBeUndefined()
  const started = await visitor().post('/oauth/authorize_device', { ...client, scope: 'api' })
  const { user_code } = started.json<{ user_code: string }>()
  const decide = (given: object) =>
    visitor().post('/oauth/device', { user_code, ...BY_PASSWORD, decision: 'allow', ...given })
  expect((await decide({})).body).toContain('name="code"')
  expect((await decide({ code: recoveryCodes[0] })).body).toContain('Desk is authorized')
})

test('git and the API take no password of a user with a factor', async () => {
  const scene = await openSignInScene()
  await enrol(scene)
  const authorization = `Basic ${Buffer.from(`mary:${PASSWORD}`).toString('base64')}`
  const git = await scene.app.inject({
    url: '/mary/app.git/info/refs?service=git-upload-pack',
    headers: { authorization },
  })
  expect([git.statusCode, git.body]).toEqual([
    403,
    expect.stringContaining('Use a personal access token instead of the password'),
  ])
  expect((await scene.app.inject({ url: '/api/v4/user', headers: { authorization } })).statusCode).toBe(401)
})

test('a link of an administrator signs in, and confirms nothing', async () => {
  const scene = await openSignInScene()
  await enrol(scene)
  const made = await scene.call(scene.root, `POST /users/${scene.mary.id}/sign_in_links`)
  const path = new URL(made.json<{ url: string }>().url).pathname
  const browser = scene.visitor()
  await browser.get(path)
  await browser.submit(path)
  expect(await browser.name()).toBe('mary')
  expect((await callAs(scene, browser, 'DELETE', '/user/two_factor')).json()).toEqual({
    error: 'confirmation_required',
  })
})
