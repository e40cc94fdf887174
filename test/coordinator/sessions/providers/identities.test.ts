import { describe, expect, test } from 'vitest'

import { csrfTokenOf } from '../../../../src/coordinator/http/authentication/csrf.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { callAs, openBrowser } from '../../support/browser.js'
import { setSettings } from '../../support/set-settings.js'
import { CODE_PAGE, enrol } from '../app-of-user.js'
import { PASSWORD, type Visitor } from '../scene.js'
import { comeBack, openProviderScene, type ProviderScene, startServer } from './scene.js'

const HOUR = 3_600_000

const server = openForFile(startServer)

async function open(options: Parameters<typeof openProviderScene>[0] = {}) {
  const scene = await openProviderScene({ server: server(), ...options })
  server().forgetBrowser()
  server().user = { sub: 'mary-at-corp' }
  const mary = scene.visitor()
  await mary.signIn({ username: 'mary', password: PASSWORD })
  return Object.assign(scene, { call: scene.call.bind(scene), browser: mary })
}

/** Sends the form of the page of sessions, and comes back from the provider. */
async function send({ app }: ProviderScene, browser: Visitor, purpose: 'link' | 'confirm') {
  const page = await app.inject({ url: '/api/v4/user/identities', headers: browser.cookieHeader })
  expect(page.statusCode).toBe(200)
  const sent = await browser.post('/users/auth/corp', { purpose, authenticity_token: tokenOf(browser) })
  return sent.headers['refresh'] === undefined ? sent : browser.get(await comeBack(server(), sent))
}

function tokenOf({ cookies }: Visitor): string {
  return csrfTokenOf(cookies.get('switchyard_session') ?? '')
}

describeOnDatabase('a user', (openDatabase) => {
  test('links an identity, signs in with it, and unlinks it', async () => {
    const scene = await open({ open: openDatabase })
    const { browser, call, mary, root } = scene
    expect((await call(mary, 'GET /user/identities')).json()).toEqual([
      { provider: 'corp', label: 'Corp', extern_uid: null },
    ])
    const linked = await send(scene, browser, 'link')
    expect([linked.statusCode, linked.headers.location]).toEqual([303, '/-/user_settings/active_sessions'])
    expect((await call(mary, 'GET /user/identities')).json()).toMatchObject([{ extern_uid: 'mary-at-corp' }])
    const other = scene.visitor()
    await scene.signIn(other)
    expect(await other.name()).toBe('mary')
    expect((await call(mary, 'DELETE /user/identities/corp')).statusCode).toBe(204)
    expect((await call(mary, 'DELETE /user/identities/corp')).statusCode).toBe(404)
    expect((await scene.signIn(scene.visitor())).statusCode).toBe(403)
    const events = (await call(root, 'GET /audit_events')).json<{ details: object }[]>()
    expect(JSON.stringify(events)).toContain('Linked an identity of Corp')
  })
})

describe('linking', () => {
  test('needs a session that was confirmed in the last 30 minutes', async () => {
    const scene = await open()
    const { database, browser, app, mary } = scene
    await database
      .updateTable('web_session')
      .set({ confirmed_at: Date.now() - HOUR })
      .execute()
    const response = await send(scene, browser, 'link')
    expect(response.statusCode).toBe(403)
    expect(response.body).toContain('Confirm that it is you')
    const old = await openBrowser(database, mary, { isConfirmed: false })
    const check = await callAs(app, old, 'POST /user/identities/corp/link')
    expect([check.statusCode, check.json()]).toMatchObject([403, { error: 'confirmation_required' }])
    const fresh = await openBrowser(database, mary)
    expect((await callAs(app, fresh, 'POST /user/identities/corp/link')).statusCode).toBe(204)
    expect((await callAs(app, fresh, 'POST /user/identities/none/link')).statusCode).toBe(404)
  })

  test('takes no identity from another user, and replaces none', async () => {
    const scene = await open()
    const { call, root, mary, browser } = scene
    const give = (user: { id: number }, extern_uid: string) =>
      call(root, `PUT /users/${user.id}`, { provider: 'corp', extern_uid })
    await give(root, 'mary-at-corp')
    const taken = await send(scene, browser, 'link')
    expect(taken.statusCode).toBe(409)
    expect(taken.body).toContain('You at Corp are linked to another account.')
    await give(root, 'root-at-corp')
    await give(mary, 'mary-before')
    const second = await send(scene, browser, 'link')
    expect(second.body).toContain('Your account is linked to Corp already.')
    expect((await call(mary, 'GET /user/identities')).json()).toMatchObject([{ extern_uid: 'mary-before' }])
  })

  test('is for the session that began it', async () => {
    const scene = await open()
    const sent = await scene.browser.post('/users/auth/corp', {
      purpose: 'link',
      authenticity_token: tokenOf(scene.browser),
    })
    const callback = await comeBack(server(), sent)
    const { cookie } = await openBrowser(scene.database, scene.root)
    scene.browser.cookies.set('switchyard_session', cookie)
    expect((await scene.browser.get(callback)).statusCode).toBe(401)
    expect(await scene.database.selectFrom('user_identity').select('id').execute()).toEqual([])
  })
})

describe('the last way to sign in', () => {
  test('is not unlinked: without a password, or where passwords are off', async () => {
    const scene = await open()
    const { database, call, mary, browser } = scene
    await send(scene, browser, 'link')
    await setSettings(scene, { password_authentication_enabled_for_web: false })
    const refused = await call(mary, 'DELETE /user/identities/corp')
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toEqual({ message: '409 Conflict - It is the last way in which you can sign in' })
    await setSettings(scene, { password_authentication_enabled_for_web: true })
    await database.deleteFrom('user_password').execute()
    expect((await call(mary, 'DELETE /user/identities/corp')).statusCode).toBe(409)
    expect((await call(mary, 'GET /user/identities')).json()).toMatchObject([{ extern_uid: 'mary-at-corp' }])
  })
})

describe('a session', () => {
  test('is confirmed at the provider, which asks again', async () => {
    const scene = await open()
    const { database, browser } = scene
    await send(scene, browser, 'link')
    await database
      .updateTable('web_session')
      .set({ confirmed_at: Date.now() - HOUR })
      .execute()
    const response = await send(scene, browser, 'confirm')
    expect(response.statusCode).toBe(303)
    const { confirmed_at } = await database
      .selectFrom('web_session')
      .select('confirmed_at')
      .executeTakeFirstOrThrow()
    expect(confirmed_at).toBeGreaterThan(Date.now() - HOUR / 2)
  })

  test('of a user with a second factor needs it after the provider too, and is confirmed by nothing less', async () => {
    const scene = await open()
    const { database, browser } = scene
    await send(scene, browser, 'link')
    const { code } = await enrol(scene, browser)
    const refused = await send(scene, browser, 'confirm')
    expect(refused.statusCode).toBe(403)
    expect(refused.body).toContain('Confirm with your second factor')
    const other = scene.visitor()
    const waiting = await scene.signIn(other)
    expect([waiting.statusCode, waiting.headers.location]).toEqual([303, CODE_PAGE])
    expect(await other.name()).toBe(401)
    await other.get(CODE_PAGE)
    await other.submit(CODE_PAGE, { code: code() })
    expect(await other.name()).toBe('mary')
    const session = await database
      .selectFrom('web_session')
      .select(['factor', 'provider_subject'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(session).toEqual({ factor: 'totp', provider_subject: 'mary-at-corp' })
  })

  test('is not confirmed by another user of the provider', async () => {
    const scene = await open()
    const { database, browser } = scene
    await send(scene, browser, 'link')
    await database.updateTable('web_session').set({ confirmed_at: null }).execute()
    server().forgetBrowser()
    server().user = { sub: 'joe-at-corp' }
    expect((await send(scene, browser, 'confirm')).statusCode).toBe(403)
    const { confirmed_at } = await database
      .selectFrom('web_session')
      .select('confirmed_at')
      .executeTakeFirstOrThrow()
    expect(confirmed_at).toBeNull()
  })
})

describe('the memberships that the provider has given are taken away', () => {
  const groups = new Map([['devs', [{ path: 'app', accessLevel: 30 }]]])

  test.each([
    ['when the user unlinks it', 'user', 'DELETE /user/identities/corp', undefined],
    ['when an administrator deletes the identity', 'root', 'DELETE /users/:id/identities/corp', undefined],
    [
      'when an administrator empties the identity',
      'root',
      'PUT /users/:id',
      { provider: 'corp', extern_uid: '' },
    ],
  ] as const)('%s', async (_, by, route, body) => {
    const scene = await open({ rules: { groups } })
    const { database, call, root, mary, browser } = scene
    await call(root, 'POST /groups', { name: 'app', path: 'app' })
    await call(root, 'POST /groups', { name: 'own', path: 'own' })
    await call(root, 'POST /groups/own/members', { user_id: mary.id, access_level: 20 })
    await send(scene, browser, 'link')
    server().user = { sub: 'mary-at-corp', groups: ['devs'] }
    await scene.signIn(scene.visitor())
    const levels = async () => {
      const rows = await database
        .selectFrom('member')
        .select('access_level')
        .where('user_id', '=', mary.id)
        .execute()
      return rows.map(({ access_level }) => access_level).toSorted()
    }
    expect(await levels()).toEqual([20, 30])
    const response = await call(by === 'root' ? root : mary, route.replace(':id', String(mary.id)), body)
    expect(response.statusCode).toBeLessThan(300)
    expect(await levels()).toEqual([20])
  })
})

describe('administrators', () => {
  test('try a provider: they see the claims and the account, and nobody is signed in', async () => {
    const scene = await open({ rules: { newAccounts: true } })
    const { database, root, browser } = scene
    const admin = scene.visitor()
    const session = await openBrowser(database, root)
    admin.cookies.set('switchyard_session', session.cookie)
    const list = await admin.get('/users/auth')
    expect(list.body).toContain(`<dt>Issuer</dt><dd>${server().issuer}</dd>`)
    expect(list.body).not.toContain('the secret of the client')
    server().user = { sub: 'joe-at-corp', preferred_username: 'joe', email: 'joe@corp.example' }
    const page = await admin.get(await comeBack(server(), await admin.submit('/users/auth/corp')))
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('A sign-in would create an account like joe.')
    expect(page.body).toContain('joe@corp.example (not verified)')
    expect(await admin.name()).toBe('root')
    expect(await database.selectFrom('user').select('id').where('username', '=', 'joe').execute()).toEqual([])
    expect((await browser.get('/users/auth')).statusCode).toBe(403)
    expect((await scene.visitor().get('/users/auth')).statusCode).toBe(403)
  })
})
