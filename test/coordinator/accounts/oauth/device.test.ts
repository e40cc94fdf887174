import { expect, test } from 'vitest'

import { deleteExpiredGrants } from '../../../../src/coordinator/accounts/oauth/delete-expired.js'
import type { TokenResponse } from '../../../../src/coordinator/accounts/oauth/issue-token.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { EXTERNAL_URL } from '../../support/test-app.js'
import {
  allow,
  ask,
  DEVICE_GRANT,
  errorOf,
  letTimePass,
  MARY,
  poll,
  pollLater,
  type,
} from './device-scene.js'
import { bearer, openOauthApp, postForm, serveOauth, shown } from './oauth-app.js'

const HOUR = 3600_000

describeOnDatabase('A device without a browser', (open) => {
  test('gets tokens once after a user has entered its code and approved it', async () => {
    const app = await openOauthApp(open)
    const device = await ask(app, { scope: 'read_user' })
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/) as string,
      verification_uri: `${EXTERNAL_URL}/oauth/device`,
      verification_uri_complete: `${EXTERNAL_URL}/oauth/device?user_code=${device.user_code}`,
      expires_in: 300,
      interval: 5,
    })
    const pending = await poll(app, device)
    expect([pending.statusCode, errorOf(pending)]).toEqual([400, 'authorization_pending'])

    const typed = await type(app, device)
    expect([typed.statusCode, typed.body]).toEqual([200, expect.stringContaining('Authorize Phone?')])
    expect(typed.body).toContain('<li>Read your profile, with your e-mail address</li>')
    expect(await pollLater(app, device)).toBe('authorization_pending')
    const allowed = await allow(app, device)
    expect([allowed.statusCode, allowed.body]).toEqual([200, expect.stringContaining('Phone is authorized')])

    await letTimePass(app)
    const tokens = (await poll(app, device)).json<TokenResponse>()
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'read_user', expires_in: 7200 })
    expect((await app.get('/api/v4/user', bearer(tokens))).json()).toEqual({ username: 'mary' })
    const refreshed = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
    const fresh = (await app.asClient(app.phone, refreshed)).json<TokenResponse>()
    expect((await app.get('/api/v4/user', bearer(fresh))).statusCode).toBe(200)

    const kept = await app.database.selectFrom('oauth_device_request').selectAll().execute()
    const events = await app.database.selectFrom('audit_event').selectAll().execute()
    expect(events.map(({ details }) => details)).toMatchObject([
      { add: 'oauth_grant', target_details: 'Phone', scopes: 'read_user', author_name: 'Mary' },
    ])
    const letters = device.user_code.replace('-', '')
    for (const secret of [device.device_code, device.user_code, letters]) {
      expect(JSON.stringify([kept, events])).not.toContain(secret)
    }
    // Somebody else has seen the code.
    expect(await pollLater(app, device)).toBe('invalid_grant')
    expect((await app.get('/api/v4/user', bearer(fresh))).statusCode).toBe(401)
  })

  test('gets the same status from every coordinator, and tokens from one of them', async () => {
    const app = await openOauthApp(open)
    const other = await serveOauth(app.database)
    const device = await ask(app)
    const pollOther = () =>
      postForm(other, '/oauth/token', {
        ...shown(app.phone),
        grant_type: DEVICE_GRANT,
        device_code: device.device_code,
      })
    expect(errorOf(await poll(app, device))).toBe('authorization_pending')
    expect(errorOf(await pollOther())).toBe('slow_down')
    await letTimePass(app)
    expect(errorOf(await pollOther())).toBe('authorization_pending')
    expect(errorOf(await poll(app, device))).toBe('slow_down')

    await allow(app, device)
    await letTimePass(app)
    const both = await Promise.all([poll(app, device), pollOther()])
    expect(both.map((response) => errorOf(response)).sort()).toEqual(['slow_down', undefined])
    const [tokens] = both.filter(({ statusCode }) => statusCode === 200)
    expect((await app.get('/oauth/token/info', bearer(tokens?.json() as TokenResponse))).statusCode).toBe(200)
  })

  test('the first decision counts, be it to allow or to deny', async () => {
    const app = await openOauthApp(open)
    const device = await ask(app)
    const both = await Promise.all([allow(app, device), type(app, device, { decision: 'deny' })])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
    const isAllowed = both[0].statusCode === 200
    const grants = await app.database.selectFrom('oauth_grant').select('id').execute()
    expect(grants).toHaveLength(isAllowed ? 1 : 0)
    expect(errorOf(await poll(app, device))).toBe(isAllowed ? undefined : 'access_denied')
  })

  test('is deleted an hour after its code has expired, and with the application', async () => {
    const app = await openOauthApp(open)
    const left = () => app.database.selectFrom('oauth_device_request').select('id').execute()
    const device = await ask(app)
    await deleteExpiredGrants(app.database, Date.now() + HOUR)
    expect(await left()).toHaveLength(1)
    await deleteExpiredGrants(app.database, Date.now() + 2 * HOUR)
    expect(await left()).toEqual([])
    expect(errorOf(await poll(app, device))).toBe('invalid_grant')
    await allow(app, await ask(app))
    await app.database.deleteFrom('oauth_grant').where('user_id', '=', app.mary.id).execute()
    expect(await left()).toEqual([])
    await ask(app, {}, app.desk)
    await app.database.deleteFrom('oauth_application').where('id', '=', app.desk.id).execute()
    expect(await left()).toEqual([])
  })
})

test('a client may ask in both ways at once, as the OAuth library of Go does until one has worked', async () => {
  const app = await openOauthApp()
  const device = await ask(app)
  const authorization = `Basic ${Buffer.from(`${app.phone.application_id}:`).toString('base64')}`
  const form = { ...shown(app.phone), grant_type: DEVICE_GRANT, device_code: device.device_code }
  const byHeader = () => app.post('/oauth/token', form, { authorization })
  for (let time = 0; time < 2; time++) {
    expect(errorOf(await byHeader())).toBe('authorization_pending')
    expect(errorOf(await poll(app, device))).toBe('authorization_pending')
    expect(errorOf(await byHeader())).toBe('slow_down')
    expect(errorOf(await poll(app, device))).toBe('slow_down')
    await letTimePass(app)
  }
})

test('a device that asks too often may go on asking', async () => {
  const app = await openOauthApp()
  const device = await ask(app)
  await poll(app, device)
  await allow(app, device)
  for (let time = 0; time < 3; time++) expect(errorOf(await poll(app, device))).toBe('slow_down')
  expect(await pollLater(app, device)).toBeUndefined()
})

test('a denial needs no password and is reported to the device', async () => {
  const app = await openOauthApp()
  const device = await ask(app)
  const denied = await type(app, device, { decision: 'deny' })
  expect([denied.statusCode, denied.body]).toEqual([200, expect.stringContaining('Phone is not authorized')])
  expect(errorOf(await poll(app, device))).toBe('access_denied')
  expect((await allow(app, device)).statusCode).toBe(400)
  expect(await pollLater(app, device)).toBe('access_denied')
})

test('a wrong password authorizes nothing and counts for the rate limit', async () => {
  const app = await openOauthApp()
  const device = await ask(app)
  const wrong = await allow(app, device, { password: 'wrong' })
  expect([wrong.statusCode, wrong.body]).toEqual([
    401,
    expect.stringContaining('Wrong username or password.'),
  ])
  expect(wrong.body).toContain('value="mary"')
  expect(wrong.body).not.toContain('value="wrong"')
  expect((await allow(app, device, { username: '', password: '' })).statusCode).toBe(401)
  for (let time = 1; time < 10; time++) await allow(app, device, { password: 'wrong' })
  expect((await allow(app, device)).statusCode).toBe(401)
  expect(errorOf(await poll(app, device))).toBe('authorization_pending')
})

test('blocked users cannot approve a device, before or after the request', async () => {
  const app = await openOauthApp()
  const [before, after] = [await ask(app), await ask(app)]
  await allow(app, before)
  await app.database.updateTable('user').set({ state: 'blocked' }).where('id', '=', app.mary.id).execute()
  expect(errorOf(await poll(app, before))).toBe('invalid_grant')
  const blocked = await allow(app, after)
  expect([blocked.statusCode, blocked.body]).toEqual([403, expect.stringContaining('has been blocked.')])
  expect(errorOf(await poll(app, after))).toBe('authorization_pending')
  await app.database.updateTable('user').set({ state: 'active' }).execute()
  expect(await pollLater(app, before)).toBeUndefined()
})

test("another client's code is of no use, and stays good for its own", async () => {
  const app = await openOauthApp()
  const device = await ask(app)
  await allow(app, device)
  expect(errorOf(await poll(app, device, app.desk))).toBe('invalid_grant')
  expect(errorOf(await poll(app, { ...device, device_code: device.user_code }))).toBe('invalid_grant')
  const asCode = { grant_type: 'authorization_code', code: device.device_code }
  expect(errorOf(await app.asClient(app.phone, asCode))).toBe('invalid_grant')
  expect(errorOf(await poll(app, device))).toBeUndefined()
})

test('an expired code is refused', async () => {
  const app = await openOauthApp()
  const [asked, allowed] = [await ask(app), await ask(app)]
  await allow(app, allowed)
  await app.database.updateTable('oauth_device_request').set({ expires_at: Date.now() }).execute()
  expect((await allow(app, asked)).statusCode).toBe(400)
  expect((await type(app, asked, { decision: 'deny' })).statusCode).toBe(400)
  for (const device of [asked, allowed]) expect(errorOf(await poll(app, device))).toBe('expired_token')
})

test('guessing user codes is rate limited, including the right code', async () => {
  const app = await openOauthApp(undefined, { failedAuthentications: 3 })
  const device = await ask(app)
  const statuses = []
  // A minute may end in between.
  for (let time = 0; time < 7; time++) {
    const guess = { ...device, user_code: `BBBB-BBB${'BCDFGHJ'.charAt(time)}` }
    statuses.push((await type(app, guess, MARY)).statusCode)
    if (statuses.at(-1) === 429) statuses.push((await type(app, device)).statusCode)
  }
  expect(statuses.slice(0, 3)).toEqual([400, 400, 400])
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1)
  expect(statuses).not.toContain(200)
})

test.each([
  ['an unknown code', 'x'.repeat(64)],
  ['no code', ''],
])('a device that asks with %s is refused', async (_what, device_code) => {
  const app = await openOauthApp()
  const refused = await app.asClient(app.phone, { grant_type: DEVICE_GRANT, device_code })
  expect([refused.statusCode, errorOf(refused)]).toEqual([
    400,
    device_code ? 'invalid_grant' : 'invalid_request',
  ])
})

testAtNight('device requests need a known application and allowed scopes, and are rate limited', async () => {
  const app = await openOauthApp()
  const request = (form: Record<string, string>) => app.post('/oauth/authorize_device', form)
  const { application_id: client_id } = app.desk
  expect(errorOf(await request({}))).toBe('invalid_client')
  expect(errorOf(await request({ client_id }))).toBe('invalid_client')
  expect(errorOf(await request({ ...shown(app.desk), scope: 'sudo' }))).toBe('invalid_scope')
  expect((await request(shown(app.desk))).headers['cache-control']).toBe('no-store')
  const statuses = []
  for (let time = 0; time < 60; time++) statuses.push((await request(shown(app.phone))).statusCode)
  expect(statuses).toContain(200)
  expect(statuses.at(-1)).toBe(429)
})

test('the page fills a code in, shows nothing for it before it is sent, and runs nothing', async () => {
  const app = await openOauthApp()
  await app.database.updateTable('oauth_application').set({ name: '<b>"Desk"</b>' }).execute()
  const device = await ask(app)
  const { body, headers } = await app.get(`/oauth/device?user_code=${device.user_code}`)
  expect(body).toContain(`value="${device.user_code}"`)
  expect(body).not.toContain('Desk')
  expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'; form-action 'self'$/)
  expect((await app.get(`/oauth/device?user_code=${encodeURIComponent('"><script>')}`)).body).toContain(
    'value="&quot;&gt;&lt;script&gt;"',
  )
  expect((await app.get('/oauth/device?user_code=a&user_code=b')).statusCode).toBe(400)
  const asked = await type(app, device)
  expect(asked.body).toContain('Authorize &lt;b&gt;&quot;Desk&quot;&lt;/b&gt;?')
  expect(asked.body).not.toContain('<script>')
})

test('a code is read however it is typed', async () => {
  const app = await openOauthApp()
  const device = await ask(app)
  const letters = device.user_code.replace('-', '')
  for (const user_code of [
    letters,
    letters.toLowerCase(),
    ` ${letters.split('').join(' ')} `,
    device.user_code,
  ]) {
    expect((await type(app, { ...device, user_code })).statusCode).toBe(200)
  }
  for (const user_code of ['', letters.slice(1), `${letters}B`, `${letters.slice(1)}A`]) {
    expect((await type(app, { ...device, user_code })).statusCode).toBe(400)
  }
})
