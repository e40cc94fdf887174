import { describe, expect, test, vi } from 'vitest'

import { openForFile } from '../../../../support/lifetime.js'
import { openBrowser } from '../../../support/browser.js'
import { openDirectoryScene } from '../ldap-scene.js'
import { sync } from '../sync-scene.js'

const GROUPS = new Map([
  ['devs', [{ path: 'app', accessLevel: 30 }]],
  ['company', [{ path: 'all', accessLevel: 10 }]],
])

const scene = openForFile(async () => {
  const opened = await openDirectoryScene({
    isEmailVerified: true,
    userFilter: '(&(objectClass=inetOrgPerson)(!(employeeType=left)))',
    rules: { newAccounts: true, groups: GROUPS },
    groups: {
      base: 'ou=groups,dc=example,dc=org',
      filter: '(objectClass=groupOfNames)',
      name: 'cn',
      member: 'member',
      nested: 'walk',
    },
  })
  const { server, root, call } = opened
  const mary = await server.addUser('mary', 'secret', { cn: 'Mary of Corp', mail: 'mary@corp.example' })
  await server.addUser('joe', 'his secret')
  const devs = await server.addGroup('devs', [mary])
  // A cycle: each is a member of the other one.
  const company = await server.addGroup('company', [devs])
  await server.change(devs, { member: [mary, company] })
  for (const path of ['app', 'all']) await call(root, 'POST /groups', { name: path, path })
  return opened
})

const MARY = { username: 'mary', password: 'secret' }
const JOE = { username: 'joe', password: 'his secret' }

test('the sign-in page has a form for the directory beside that of passwords', async () => {
  const browser = scene().visitor()
  const usual = await browser.get('/users/sign_in?return_to=/app')
  expect(usual.body).toContain('<a href="sign_in?return_to=%2Fapp&amp;tab=provider%3Acorp">Corp</a>')
  expect(usual.body).toContain('Username or e-mail address')
  const form = await browser.get('/users/sign_in?tab=provider%3Acorp')
  expect(form.body).toContain('Username at Corp')
})

test('a user signs in with the password of the directory, whatever the case of the username', async () => {
  const { visitor, signIn, database, call, root } = scene()
  const first = visitor()
  const response = await signIn(first, MARY)
  expect([response.statusCode, response.headers.location]).toEqual([303, '/'])
  expect(await first.name()).toBe('mary2') // there is a mary already, who has nothing to do with this one
  const again = visitor()
  await signIn(again, { ...MARY, username: ' MARY ' })
  expect(await again.name()).toBe('mary2')
  const [user] = (await call(root, 'GET /users?username=mary2')).json<object[]>()
  expect(user).toMatchObject({
    name: 'Mary of Corp',
    email: 'mary@corp.example',
    identities: [{ provider: 'corp' }],
  })
  const session = await database
    .selectFrom('web_session')
    .select(['provider', 'confirmed_at'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(session).toEqual({ provider: 'corp', confirmed_at: expect.any(Number) as number })
})

test('groups give memberships, also those around groups, which may be members of each other', async () => {
  const { visitor, signIn, database } = scene()
  await signIn(visitor(), MARY)
  const memberships = await database
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .innerJoin('namespace', 'namespace.id', 'member.group_id')
    .select(['namespace.full_path', 'member.access_level'])
    .where('user.username', '=', 'mary2')
    .orderBy('namespace.full_path')
    .execute()
  expect(memberships).toEqual([
    { full_path: 'all', access_level: 10 },
    { full_path: 'app', access_level: 30 },
  ])
})

test('a wrong password and an unknown username show the same page, with the username', async () => {
  const { visitor, signIn } = scene()
  for (const username of ['mary', 'nobody']) {
    const response = await signIn(visitor(), { username, password: 'wrong' })
    expect(response.statusCode).toBe(401)
    expect(response.body).toContain('Wrong username or password.')
    expect(response.body).toContain(`value="${username}"`)
    expect(response.body).toContain('Username at Corp')
  }
})

describe('a user who is signed in', () => {
  test('links an identity, signs in with it and confirms the session with it', async () => {
    const { visitor, signIn, send, database, mary, root, call } = scene()
    const browser = visitor()
    browser.cookies.set('switchyard_session', (await openBrowser(database, mary)).cookie)
    const form = await send(browser, 'link')
    expect(form.body).toContain('Link your account to Corp')
    expect((await send(browser, 'link', { ...JOE, password: 'wrong' })).statusCode).toBe(401)
    const linked = await send(browser, 'link', JOE)
    expect([linked.statusCode, linked.headers.location]).toEqual([303, '/-/user_settings/active_sessions'])
    const other = visitor()
    await signIn(other, JOE)
    expect(await other.name()).toBe('mary')
    await database
      .updateTable('web_session')
      .set({ confirmed_at: 1 })
      .where('user_id', '=', mary.id)
      .execute()
    expect((await send(other, 'confirm', MARY)).body).toContain('You at Corp are not linked to this account.')
    expect((await send(other, 'confirm', JOE)).statusCode).toBe(303)
    const confirmed = database.selectFrom('web_session').select('id').where('confirmed_at', '>', 1)
    expect(await confirmed.where('user_id', '=', mary.id).execute()).toHaveLength(1)
    expect(JSON.stringify((await call(root, 'GET /audit_events')).json())).toContain(
      'Linked an identity of Corp',
    )
  })

  test('tries the directory as an administrator, and nobody is signed in', async () => {
    const { visitor, send, database, root } = scene()
    const admin = visitor()
    admin.cookies.set('switchyard_session', (await openBrowser(database, root)).cookie)
    const list = await admin.get('/users/auth')
    expect(list.body).toContain('<dt>Account</dt><dd>cn=reader,dc=example,dc=org</dd>')
    expect(list.body).not.toContain('the password of the reader')
    const page = await send(admin, 'try', MARY)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('mary@corp.example (verified)')
    expect(page.body).toContain('uid=mary,ou=people,dc=example,dc=org')
    expect(page.body).not.toContain('secret')
    expect(await admin.name()).toBe('root')
  })
})

test('a wrong password of a linked user is in the audit trail', async () => {
  const { visitor, signIn, call, root } = scene()
  await signIn(visitor(), MARY)
  await signIn(visitor(), { ...MARY, password: 'wrong' })
  const [event] = (await call(root, 'GET /audit_events')).json<{ details: object }[]>()
  expect(event?.details).toMatchObject({ failed_login: 'STANDARD', target_details: 'mary2' })
})

test('an account is blocked when its user is gone, and unblocked when the user is back', async () => {
  const { server, visitor, signIn, call, root } = scene()
  const dn = await server.addUser('ann', 'her secret')
  const browser = visitor()
  await signIn(browser, { username: 'ann', password: 'her secret' })
  const state = async () =>
    (await call(root, 'GET /users?username=ann')).json<{ id: number; state: string }[]>()[0]
  // Gone from what the user filter matches, as with an entry that is removed.
  await server.change(dn, { employeeType: 'left' })
  const onShutOut = vi.fn()
  await sync(scene(), onShutOut)
  const blocked = await state()
  expect(blocked?.state).toBe('ldap_blocked')
  expect(onShutOut.mock.calls).toEqual([[blocked?.id]])
  expect(await browser.name()).toBe(401)
  expect((await call(root, `POST /users/${blocked?.id}/unblock`)).json()).toEqual({
    message: '403 Forbidden - LDAP blocked users cannot be modified by the API',
  })
  await server.change(dn, { employeeType: 'staff' })
  expect((await signIn(visitor(), { username: 'ann', password: 'her secret' })).body).toContain(
    'Your account is blocked because you were gone or disabled at your directory.',
  )
  await sync(scene())
  expect((await state())?.state).toBe('active')
  const events = JSON.stringify((await call(root, 'GET /audit_events')).json())
  expect(events).toContain('Blocked: the user is gone at the directory')
  expect(events).toContain('Unblocked: no directory says any more that the user is gone')
})
