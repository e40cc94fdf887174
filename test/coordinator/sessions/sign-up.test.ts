import { describe, expect, test } from 'vitest'

import { describeOnDatabase } from '../../support/databases.js'
import { openForFile } from '../../support/lifetime.js'
import { startMailServer } from '../../support/mail-server.js'
import { sampled, testAtNight } from '../../support/nightly.js'
import { sendMails } from '../support/mail-scene.js'
import { setSettings } from '../support/set-settings.js'
import { openSignInScene, type SignInScene, type Visitor } from './scene.js'

const ADA = {
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.com',
  password: 'a difference engine',
}

function signUp(visitor: Visitor, fields: Record<string, string> = {}) {
  return visitor.get('/users/sign_up').then(() => visitor.submit('/users/sign_up', { ...ADA, ...fields }))
}

/** A coordinator on which visitors sign up, whose mails arrive at a server. */
async function openWithMails() {
  const server = await startMailServer()
  const scene = await openSignInScene({ settings: { mail: server.settings } })
  const settings = { signup_enabled: true, require_admin_approval_after_user_signup: false }
  await setSettings(scene.services, settings)
  return { ...scene, ...sendMails(scene.services, server) }
}

function stateOf({ database }: Pick<SignInScene, 'database'>, username = 'ada') {
  return database.selectFrom('user').select('state').where('username', '=', username).executeTakeFirst()
}

describeOnDatabase('a visitor who signs up', (open) => {
  test('waits until an administrator approves the account', async () => {
    const scene = await openSignInScene({ open })
    await setSettings(scene.services, { signup_enabled: true })
    const ada = scene.visitor()
    const response = await signUp(ada)
    expect([response.statusCode, response.body]).toEqual([
      200,
      expect.stringContaining('approved your account'),
    ])
    expect(await stateOf(scene)).toEqual({ state: 'blocked_pending_approval' })
    const credentials = { username: ADA.username, password: ADA.password }
    expect((await ada.signIn(credentials)).statusCode).toBe(403)

    const headers = { 'private-token': scene.root.token }
    const path = '/api/v4/users?username=ada'
    const [user] = (await scene.app.inject({ url: path, headers })).json<{ id: number; state: string }[]>()
    expect(user).toMatchObject({ state: 'blocked_pending_approval' })
    const approval = { method: 'POST', url: `/api/v4/users/${user?.id}/approve`, headers } as const
    expect((await scene.app.inject(approval)).statusCode).toBe(201)
    expect((await ada.signIn(credentials)).statusCode).toBe(303)
    expect(await ada.name()).toBe('ada')
  })
})

test('an instance on which nobody has turned it on lets no visitor sign up', async () => {
  const scene = await openSignInScene()
  const visitor = scene.visitor()
  expect((await visitor.get('/users/sign_in')).body).not.toContain('sign_up')
  for (const response of [await visitor.get('/users/sign_up'), await visitor.submit('/users/sign_up', ADA)]) {
    expect([response.statusCode, response.body]).toEqual([
      404,
      expect.stringContaining('Ask an administrator'),
    ])
  }
  expect(await stateOf(scene)).toBeUndefined()
})

testAtNight('the sign-in page links to it, and users who are signed in are redirected', async () => {
  const { services, visitor } = await openSignInScene()
  await setSettings(services, { signup_enabled: true })
  const ada = visitor()
  expect((await ada.get('/users/sign_in')).body).toContain('<a href="sign_up">Sign up</a>')
  await ada.signIn({ username: 'mary', password: 'correct horse battery' })
  expect((await ada.get('/users/sign_up')).headers.location).toBe('/')
})

test('without passwords nobody signs up', async () => {
  const { services, visitor } = await openSignInScene()
  await setSettings(services, { signup_enabled: true, password_authentication_enabled_for_web: false })
  expect((await visitor().get('/users/sign_up')).statusCode).toBe(404)
})

test('with mails, the link in a mail opens the account', async () => {
  const scene = await openWithMails()
  const ada = scene.visitor()
  expect((await signUp(ada)).body).toContain('A mail with a link is on its way')
  expect(await stateOf(scene)).toEqual({ state: 'active' })
  const credentials = { username: ADA.username, password: ADA.password }
  expect((await ada.signIn(credentials)).statusCode).toBe(403)
  const [mail] = await scene.sent()
  expect(mail).toMatchObject({ to: ADA.email, subject: 'Confirm your e-mail address' })
  const token = /confirmation_token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  await ada.post('/users/confirmation', { confirmation_token: token })
  expect((await ada.signIn(credentials)).statusCode).toBe(303)
})

testAtNight('without mails, an administrator approves the account whatever the setting says', async () => {
  const scene = await openSignInScene()
  const settings = { signup_enabled: true, require_admin_approval_after_user_signup: false }
  await setSettings(scene.services, settings)
  await signUp(scene.visitor())
  expect(await stateOf(scene)).toEqual({ state: 'blocked_pending_approval' })
})

describe('the form', () => {
  const denying = openForFile(async () => {
    const scene = await openSignInScene()
    const settings = {
      domain_denylist: ['evil.example'],
      domain_denylist_enabled: true,
      signup_enabled: true,
    }
    await setSettings(scene.services, settings)
    return scene
  })

  test.each([
    [{ name: ' ' }, 'Name can'],
    [{ name: 'n'.repeat(256) }, 'Name is too long'],
    [{ username: '' }, 'Username can'],
    [{ username: 'a/b' }, 'Username can contain only letters'],
    [{ username: 'admin' }, 'Username'],
    [{ username: 'Mary' }, 'Username is not available.'],
    [{ email: 'ada' }, 'Email is invalid.'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'Email is invalid.'],
    [{ email: 'ada@evil.example' }, 'Email is not from an allowed domain.'],
    [{ password: 'short' }, 'Password is too short (minimum is 8 characters).'],
    [{ password: '' }, 'Password can'],
    [{ password: 'passw0rd' }, 'Password is common or has been leaked: choose another one.'],
  ])('says what is wrong with %j, and keeps what was typed', async (fields, message) => {
    const response = await signUp(denying().visitor(), fields)
    expect(response.statusCode).toBe(400)
    expect(response.body).toContain(message)
    expect(response.body).not.toContain(ADA.password)
    expect(response.body).toContain(`value="${{ ...ADA, ...fields }.email}"`)
    expect(await stateOf(denying())).toBeUndefined()
  })

  test('has terms of service that must be accepted, rendered without markup of their own', async () => {
    const scene = await openSignInScene()
    const terms = '# Rules\n\n<script>alert(1)</script> Be *kind*.'
    await setSettings(scene.services, { signup_enabled: true, enforce_terms: true, terms })
    const { body } = await scene.visitor().get('/users/sign_up')
    expect(body).toContain('Be <em>kind</em>.')
    expect(body).not.toContain('<script')
    const refused = await signUp(scene.visitor())
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('Accept the terms')])
    expect((await signUp(scene.visitor(), { accepts_terms: '1' })).statusCode).toBe(200)
    expect(await stateOf(scene)).toBeDefined()
  })
})

testAtNight('the account has what new users have, and the text after the sign-up is shown', async () => {
  const scene = await openSignInScene()
  const after_sign_up_text = 'See you <soon>'
  await setSettings(scene.services, { signup_enabled: true, default_projects_limit: 3, after_sign_up_text })
  // Fields of administrators have no effect.
  const response = await signUp(scene.visitor(), { admin: 'true', projects_limit: '99', state: 'active' })
  expect(response.body).toContain('See you &lt;soon&gt;')
  const user = await scene.database
    .selectFrom('user')
    .selectAll()
    .where('username', '=', 'ada')
    .executeTakeFirst()
  expect(user).toMatchObject({
    is_admin: false,
    projects_limit: 3,
    state: 'blocked_pending_approval',
    kind: 'human',
  })
  const event = await scene.database.selectFrom('audit_event').selectAll().execute()
  expect(event.at(-1)).toMatchObject({
    author_id: user?.id,
    details: { custom_message: 'Signed up', ip_address: '127.0.0.1' },
  })
})

describe('email_confirmation_setting', () => {
  const DAY = 24 * 3_600_000
  const CREDENTIALS = { username: ADA.username, password: ADA.password }

  const CASES = [
    ['hard', 0, 403, 1],
    ['soft', 0, 303, 1],
    ['soft', 4, 403, 1],
    ['off', 4, 303, 0],
  ] as const

  test.each(sampled(CASES, 2))(
    '%s, %i days after the sign-up: %i, %i mails',
    async (setting, days, status, mails) => {
      const scene = await openWithMails()
      await setSettings(scene.services, { email_confirmation_setting: setting })
      const ada = scene.visitor()
      await signUp(ada)
      await scene.database
        .updateTable('user')
        .set({ created_at: Date.now() - days * DAY })
        .where('username', '=', 'ada')
        .execute()
      expect((await ada.signIn(CREDENTIALS)).statusCode).toBe(status)
      expect(await scene.sent()).toHaveLength(mails)
      const profile = scene.database
        .selectFrom('user_profile')
        .select('confirmed_at')
        .orderBy('user_id', 'desc')
      // No other provider may take the account to be that of the owner of the address.
      expect(await profile.executeTakeFirst()).toEqual({ confirmed_at: null })
    },
  )

  testAtNight(
    'another mail with a link is sent to an account that waits for it, at most every five minutes',
    async () => {
      const scene = await openWithMails()
      const ada = scene.visitor()
      await signUp(ada)
      expect((await ada.signIn(CREDENTIALS)).body).toContain('href="confirmation/new"')
      const ask = async (email: string) => (await ada.post('/users/confirmation/new', { email })).body
      const body = await ask(ADA.email)
      expect([await ask('mary@example.com'), await ask('nobody@example.com')]).toEqual([body, body])
      expect(await scene.sent()).toHaveLength(1)
      await scene.database.updateTable('account_link').set({ created_at: 0 }).execute()
      await ask(ADA.email)
      const [mail] = await scene.sent()
      const token = /confirmation_token=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
      await ada.post('/users/confirmation', { confirmation_token: token })
      expect((await ada.signIn(CREDENTIALS)).statusCode).toBe(303)
    },
  )
})
