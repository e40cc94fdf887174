import { expect, test } from 'vitest'

import { mailEndingOfKeys } from '../../../../../src/coordinator/accounts/users/keys/mail-ending.js'
import { mailEndingOfTokens } from '../../../../../src/coordinator/accounts/users/tokens/mail-ending.js'
import { storeSettings } from '../../../../../src/coordinator/database/stores/application-setting-store.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../../support/databases.js'
import { startMailServer } from '../../../../support/mail-server.js'
import { testAtNight } from '../../../../support/nightly.js'
import { openPlanningScene } from '../../../planning/support/planning-scene.js'
import { sendMails } from '../../../support/mail-scene.js'
import { EXTERNAL_URL } from '../../../support/test-app.js'
import { ED25519_KEY, RSA_KEY } from '../example-keys.js'

/** A coordinator whose mails arrive at a server on loopback, and a browser without scripts. */
async function openAccounts(open: OpenDatabase = openSqlite) {
  const server = await startMailServer()
  const scene = await openPlanningScene(open, { settings: { mail: server.settings } })
  const { app } = scene.app
  const page = async (url: string, form?: Record<string, string>) => {
    const at = { url: url.replace(EXTERNAL_URL, '') }
    const { statusCode, body } = form
      ? await app.inject({
          ...at,
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams(form).toString(),
        })
      : await app.inject({ ...at, method: 'GET' })
    return `${statusCode} ${/<h1>(.*)<\/h1>/.exec(body)?.[1] ?? ''}`
  }
  /** Whether git takes the password: 401 if it does not. */
  const signIn = async (username: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const url = '/team/app.git/info/refs?service=git-receive-pack'
    return (await app.inject({ method: 'GET', url, headers: { authorization } })).statusCode
  }
  const mails = sendMails(scene.services, server)
  const linkIn = async () => {
    const [mail] = await mails.sent()
    const url = /https?:\/\/\S+token=\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    return { mail, url, token: url.split('token=')[1] ?? '' }
  }
  return { ...scene, ...mails, server, page, signIn, linkIn }
}

const NEW = { username: 'ada', name: 'Ada', email: 'ada@example.com' }

describeOnDatabase('mails about accounts', (open) => {
  test('a new user chooses a password by a link that works once', async () => {
    const { ok, page, signIn, linkIn, brief } = await openAccounts(open)
    await ok('POST /users', { ...NEW, reset_password: true })
    const { mail, url, token } = await linkIn()
    expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'Your account was created' })
    expect(await page(url)).toBe('200 Choose a password for ada')
    const set = (password: string, password_confirmation = password) =>
      page('/users/password/edit', { reset_password_token: token, password, password_confirmation })
    expect(await set('correct horse', 'other')).toBe('400 Choose a password for ada')
    expect(await set('short')).toBe('400 Choose a password for ada')
    expect(await signIn('ada', 'correct horse')).toBe(401)
    expect(await set('correct horse')).toBe('200 Your password is set')
    expect(await signIn('ada', 'correct horse')).toBe(403)
    expect(await brief()).toEqual(['ada: Your password was changed'])
    expect(await set('another horse')).toBe('404 This link leads nowhere')
    expect(await page(url)).toBe('404 This link leads nowhere')
  })

  test('an address counts once its owner has confirmed it', async () => {
    const { ok, person, page, linkIn, sent } = await openAccounts(open)
    const ben = await person('ben')
    await ok('POST /user/emails', { email: 'Ben@Work.example' }, ben)
    const { mail, url, token } = await linkIn()
    expect(mail).toMatchObject({ to: 'Ben@work.example', subject: 'Confirm your e-mail address' })
    const confirmed = async () =>
      (await ok<{ confirmed_at: string | null }[]>('GET /user/emails', undefined, ben)).map(
        ({ confirmed_at }) => confirmed_at !== null,
      )
    expect(await page(url)).toBe('200 Confirm your e-mail address')
    expect(await confirmed()).toEqual([false])
    const confirm = () => page('/users/confirmation', { confirmation_token: token })
    expect(await confirm()).toBe('200 Your address is confirmed')
    expect(await confirmed()).toEqual([true])
    expect(await confirm()).toBe('404 This link leads nowhere')
    await ok('PUT /notification_settings', { notification_email: 'ben@work.example' }, ben)
    await ok('POST /users', { ...NEW, password: 'correct horse' })
    expect(await sent()).toEqual([])
  })

  testAtNight('with confirmation, new users sign in and are members once they have confirmed', async () => {
    const { database, ok, call, P, page, signIn, linkIn, sent } = await openAccounts(open)
    await inTransaction(database, (tx) =>
      storeSettings(tx, [{ name: 'send_user_confirmation_email', value: 'true', updated_at: Date.now() }]),
    )
    await ok(`POST ${P}/invitations`, { email: NEW.email, access_level: 30 })
    expect((await sent()).map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
      'ada@example.com: Invitation to the project team/app',
    ])
    await ok('POST /users', { ...NEW, password: 'correct horse' })
    const { url, token } = await linkIn()
    expect(await signIn('ada', 'correct horse')).toBe(403)
    const members = async () =>
      (await ok<{ username: string }[]>(`GET ${P}/members`)).map(({ username }) => username)
    expect(await members()).not.toContain('ada')
    expect(await page(url)).toBe('200 Confirm your e-mail address')
    expect(await page('/users/confirmation', { confirmation_token: token })).toBe(
      '200 Your address is confirmed',
    )
    expect(await members()).toContain('ada')
    expect(await signIn('ada', 'correct horse')).toBe(200)

    const [, [user]] = (await call('GET /users?username=ada')) as [number, { id: number; email: string }[]]
    const change = { email: 'ada@new.example' }
    expect(await ok<{ email: string }>(`PUT /users/${user?.id}`, change)).toMatchObject({ email: NEW.email })
    const mails = await sent()
    expect(mails.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
      'ada@example.com: Your e-mail address is being changed',
      'ada@new.example: Confirm your e-mail address',
    ])
    const other = /token=(\S+)/.exec(mails[1]?.text ?? '')?.[1] ?? ''
    await page('/users/confirmation', { confirmation_token: other })
    expect(await ok<{ email: string }>(`GET /users/${user?.id}`)).toMatchObject(change)
  })
})

test('a forgotten password: the response is the same whether there is an account, and mails are rare', async () => {
  const { page, person, brief, sent } = await openAccounts()
  await person('ada')
  const ask = (email: string) => page('/users/password', { email })
  expect(await page('/users/password/new')).toBe('200 Reset your password')
  expect(await ask('nobody@example.com')).toBe('200 Look into your mailbox')
  expect(await ask('ADA@example.com')).toBe('200 Look into your mailbox')
  expect(await ask('ada@example.com')).toBe('200 Look into your mailbox')
  expect(await brief()).toEqual(['ada: Reset your password'])
  expect(await page('/users/password/edit?reset_password_token=x')).toBe('404 This link leads nowhere')
  expect(await sent()).toEqual([])
})

test('a link to an address that the account no longer has does not open it', async () => {
  const { ok, person, page, linkIn } = await openAccounts()
  const ada = await person('ada')
  await page('/users/password', { email: 'ada@example.com' })
  const { token } = await linkIn()
  await ok(`PUT /users/${ada.id}`, { email: 'new@example.com' })
  const password = 'correct horse'
  const form = { reset_password_token: token, password, password_confirmation: password }
  expect(await page('/users/password/edit', form)).toBe('404 This link leads nowhere')
})

test('two who use a link at once: one of them sets the password', async () => {
  const { person, page, linkIn } = await openAccounts()
  await person('ada')
  await page('/users/password', { email: 'ada@example.com' })
  const { token } = await linkIn()
  const set = (password: string) =>
    page('/users/password/edit', { reset_password_token: token, password, password_confirmation: password })
  const results = await Promise.all([set('correct horse'), set('another horse')])
  expect(results.toSorted()).toEqual(['200 Your password is set', '404 This link leads nowhere'])
})

testAtNight('people are reminded once of the tokens that end within a week', async () => {
  const { ok, person, database, sent } = await openAccounts()
  const ada = await person('ada')
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  for (const [name, days] of [
    ['soon', 3],
    ['later', 30],
  ] as const) {
    await ok(`POST /users/${ada.id}/personal_access_tokens`, {
      name,
      scopes: ['api'],
      expires_at: inDays(days),
    })
  }
  await mailEndingOfTokens(database)
  await mailEndingOfTokens(database)
  const mails = await sent()
  expect(mails.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'ada@example.com: Your access tokens end soon',
  ])
  expect(mails[0]?.text).toContain(`soon: until ${inDays(3)}`)
  expect(mails[0]?.text).not.toContain('later')
})

testAtNight('people are reminded once of the SSH keys that end within a week', async () => {
  const { ok, person, database, sent } = await openAccounts()
  const ada = await person('ada')
  const expires_at = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString()
  await ok('POST /user/keys', { title: 'laptop', key: ED25519_KEY.line, expires_at }, ada)
  await ok('POST /user/keys', { title: 'tower', key: RSA_KEY }, ada)
  await mailEndingOfKeys(database)
  await mailEndingOfKeys(database)
  const mails = await sent()
  expect(mails.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([
    'ada@example.com: Your SSH keys end soon',
  ])
  expect(mails[0]?.text).toMatch(new RegExp(`laptop: SHA256:\\S+, until ${expires_at.slice(0, 10)}`))
  expect(mails[0]?.text).not.toContain('tower')
})

describeOnDatabase('access tokens of projects and groups that end', (open) => {
  test('are mailed once to the maintainers of the project and the owners of the group', async () => {
    const { ok, person, P, G, database, brief } = await openAccounts(open)
    await person('owner', G, 50)
    await person('maintainer', G, 40)
    await person('developer', P, 30)
    await person('own-maintainer', P, 40)
    const expires_at = new Date(Date.now() + 3 * 24 * 3600 * 1000).toISOString().slice(0, 10)
    const token = { name: 'deploy', scopes: ['api'], expires_at }
    await ok(`POST ${P}/access_tokens`, token)
    await ok(`POST ${P}/access_tokens`, { ...token, name: 'second' })
    await ok(`POST ${G}/access_tokens`, token)
    await brief()
    await mailEndingOfTokens(database)
    await mailEndingOfTokens(database)
    const ofProject = 'Access tokens of team/app end soon'
    const ofGroup = 'Access tokens of team end soon'
    expect((await brief()).toSorted()).toEqual([
      `maintainer: ${ofProject}`,
      `own-maintainer: ${ofProject}`,
      `owner: ${ofGroup}`,
      `owner: ${ofProject}`,
      `root: ${ofGroup}`,
      `root: ${ofProject}`,
    ])
  })
})

testAtNight('a sign-in from another address than the last two is mailed to the user', async () => {
  const { services, person, brief } = await openAccounts()
  const ada = await person('ada')
  const from = async (address: string) => {
    services.signIns.record(ada.id, address)
    await services.signIns.write()
    return brief()
  }
  expect(await from('10.0.0.1')).toEqual([])
  expect(await from('10.0.0.2')).toEqual(['ada: Sign-in from another address'])
  const { database } = services
  await database.updateTable('user_profile').set({ current_sign_in_at: 0 }).execute()
  expect(await from('10.0.0.3')).toEqual(['ada: Sign-in from another address'])
})

testAtNight('a new member gets a mail, unless they added themselves', async () => {
  const { ok, person, P, sent } = await openAccounts()
  const ada = await person('ada')
  await ok(`POST ${P}/members`, { user_id: ada.id, access_level: 30 })
  const [mail] = await sent()
  expect(mail).toMatchObject({ to: 'ada@example.com', subject: 'You are a member of the project team/app' })
  expect(mail?.text).toContain('root has added you to the project team/app as Developer.')
})

test('tokens cannot be guessed without limit, and their text is escaped', async () => {
  const { app, page } = await openAccounts()
  const evil = '"><script>alert(1)</script>'
  const { body } = await app.app.inject({
    method: 'GET',
    url: `/users/confirmation?confirmation_token=${encodeURIComponent(evil)}`,
  })
  expect(body).toContain('&quot;&gt;&lt;script&gt;')
  expect(body).not.toContain('<script>')
  expect(await page('/users/confirmation?confirmation_token=a&confirmation_token=b')).toBe(
    '404 This link leads nowhere',
  )
  const guesses = await Promise.all(
    Array.from({ length: 130 }, (_, index) =>
      page('/users/confirmation', { confirmation_token: `guess-${index}` }),
    ),
  )
  expect(guesses).toContain('404 This link leads nowhere')
  expect(guesses.at(-1)).toMatch(/^429/)
  expect(await page('/users/password', { email: 'ada@example.com' })).toMatch(/^429/)
})

testAtNight('links lead to the external URL, whatever host a request names', async () => {
  const { app, person, sent } = await openAccounts()
  await person('ada')
  await app.app.inject({
    method: 'POST',
    url: '/users/password',
    headers: { host: 'evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=ada@example.com',
  })
  const [mail] = await sent()
  expect(mail?.text).toContain(`${EXTERNAL_URL}/users/password/edit?`)
  expect(mail?.text).not.toContain('evil')
})
