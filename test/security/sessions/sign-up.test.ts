import { expect, test } from 'vitest'

import { SIGN_UPS_PER_HOUR } from '../../../src/coordinator/sessions/sign-up-routes.js'
import { openSignInScene, type Visitor } from '../../coordinator/sessions/scene.js'
import { sendMails } from '../../coordinator/support/mail-scene.js'
import { setSettings } from '../../coordinator/support/set-settings.js'
import { startMailServer } from '../../support/mail-server.js'
import { sceneForFile } from '../../support/scene-for-file.js'

const EVE = { name: 'Eve', username: 'eve', email: 'eve@example.com', password: 'an apple a day' }

const signUps = sceneForFile((open) => openSignUps({ open }))

async function openSignUps(options: Parameters<typeof openSignInScene>[0] = {}) {
  const scene = await openSignInScene(options)
  await setSettings(scene.services, { signup_enabled: true, require_admin_approval_after_user_signup: false })
  const count = async () => (await scene.database.selectFrom('user').select('id').execute()).length
  return { ...scene, count }
}

async function signUp(
  visitor: Visitor,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  await visitor.get('/users/sign_up')
  return visitor.submit('/users/sign_up', { ...EVE, ...fields }, headers)
}

test('a visitor who signs up does not learn whether an address has an account', async () => {
  const { visitor, count } = await signUps()
  const before = await count()
  const known = await signUp(visitor(), { email: 'MARY@example.com' })
  expect(await count()).toBe(before)
  const unknown = await signUp(visitor(), {})
  expect(await count()).toBe(before + 1)
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
})

test('nor with mails: the owner of the address gets one', async () => {
  const server = await startMailServer()
  const scene = await openSignUps({ settings: { mail: server.settings } })
  const { sent } = sendMails(scene.services, server)
  const known = await signUp(scene.visitor(), { email: 'mary@example.com' })
  expect(await sent()).toMatchObject([{ to: 'mary@example.com', subject: 'Reset your password' }])
  const unknown = await signUp(scene.visitor(), {})
  expect(await sent()).toMatchObject([{ to: 'eve@example.com', subject: 'Confirm your e-mail address' }])
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
})

test('an address that is not confirmed gives no invitation of its owner', async () => {
  const { app, root, database, visitor } = await signUps()
  const headers = { 'private-token': root.token }
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, headers, payload })
  const group = (await post('/api/v4/groups', { name: 'Secret', path: 'secret' })).json<{ id: number }>()
  await post(`/api/v4/groups/${group.id}/invitations`, { email: EVE.email, access_level: 50 })
  await signUp(visitor(), {})
  const members = await database
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('username')
    .execute()
  expect(members.map(({ username }) => username)).not.toContain('eve')
})

test('no other site signs a browser up', async () => {
  const { visitor, count } = await signUps()
  const before = await count()
  for (const [name, value] of [
    ['origin', 'https://attacker.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
  ] as const) {
    expect((await signUp(visitor(), {}, { [name]: value })).statusCode).toBe(403)
  }
  // A form that the attacker has got for another browser.
  const attacker = visitor()
  const { body } = await attacker.get('/users/sign_up')
  const authenticity_token = /name="authenticity_token" value="([^"]+)"/.exec(body)?.[1] ?? ''
  const response = await visitor().post('/users/sign_up', { ...EVE, authenticity_token })
  expect(response.statusCode).toBe(403)
  expect(await count()).toBe(before)
})

test('an address cannot try usernames, or make accounts, without limit', async () => {
  const { visitor, count } = await openSignUps()
  const browser = visitor()
  await browser.get('/users/sign_up')
  const attempt = (username: string) => browser.submit('/users/sign_up', { ...EVE, username, password: '' })
  for (let turn = 0; turn < SIGN_UPS_PER_HOUR; turn++) expect((await attempt('mary')).statusCode).toBe(400)
  const before = await count()
  const refused = await browser.submit('/users/sign_up', EVE)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await count()).toBe(before)
})

test('the page of the sign-up shows markup as text, cannot be framed and runs no script', async () => {
  const { visitor } = await signUps()
  const markup = '"><img src=x onerror=alert(1)>'
  const { body, headers } = await signUp(visitor(), { name: markup, username: markup, email: markup })
  expect(body).not.toContain('<img')
  expect(body).not.toMatch(/<script/)
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toContain('script-src')
})

test('two visitors who want one username at once get one account', async () => {
  const { visitor, count } = await signUps()
  const before = await count()
  const [one, other] = [visitor(), visitor()]
  const responses = await Promise.all([signUp(one, {}), signUp(other, { email: 'other@example.com' })])
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
  expect(await count()).toBe(before + 1)
})
