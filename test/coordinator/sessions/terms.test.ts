import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { setSettings } from '../support/set-settings.js'
import { openSignInScene, PASSWORD, type SignInScene, type Visitor } from './scene.js'

const REFUSAL = {
  error: 'terms_not_accepted',
  message: '403 Forbidden - You must accept the terms of service first, at /-/users/terms',
}
const PAGE = '/-/users/terms?redirect=%2Fdashboard%2Fprojects'

/** Settings as of now; a later call makes another version of the terms. */
function enforce({ services }: SignInScene, terms = 'Be *kind*. <script>alert(1)</script>') {
  return setSettings(services, { enforce_terms: true, terms })
}

async function open(options: Parameters<typeof openSignInScene>[0] = {}) {
  const scene = await openSignInScene(options)
  const mary = scene.visitor()
  await mary.signIn({ username: 'mary', password: PASSWORD })
  const read = (visitor: Visitor, path = '/api/v4/user') =>
    scene.app.inject({ url: path, headers: visitor.cookieHeader })
  return { scene, mary, read }
}

describeOnDatabase('terms of service', (openDatabase) => {
  test('a session may do nothing until its user accepts them, and again after they have changed', async () => {
    const { scene, mary, read } = await open({ open: openDatabase })
    await enforce(scene)
    const refused = await read(mary)
    expect([refused.statusCode, refused.json()]).toEqual([403, REFUSAL])

    const shown = await mary.get(PAGE)
    expect([shown.statusCode, shown.body]).toEqual([200, expect.stringContaining('Be <em>kind</em>.')])
    expect(shown.body).not.toContain('<script')
    const accepted = await mary.submit('/-/users/terms/accept')
    expect([accepted.statusCode, accepted.headers.location]).toEqual([303, '/dashboard/projects'])
    expect((await read(mary)).statusCode).toBe(200)
    // Another session of the same user is asked nothing.
    const other = scene.visitor()
    await other.signIn({ username: 'mary', password: PASSWORD })
    expect((await read(other)).statusCode).toBe(200)

    await scene.database.updateTable('application_setting').set({ updated_at: 1 }).execute()
    expect((await read(mary)).statusCode).toBe(403)
    const events = await scene.database.selectFrom('audit_event').selectAll().orderBy('id').execute()
    expect(events.map(({ author_id, details }) => [author_id, details.custom_message])).toContainEqual([
      scene.mary.id,
      'Accepted the terms of service',
    ])
  })
})

testAtNight('tokens of programs need no acceptance', async () => {
  const { scene } = await open()
  await enforce(scene)
  const headers = { 'private-token': scene.mary.token }
  expect((await scene.app.inject({ url: '/api/v4/user', headers })).statusCode).toBe(200)
})

testAtNight('a user who declines them is signed out, and is asked at the next sign-in', async () => {
  const { scene, mary, read } = await open()
  await enforce(scene)
  await mary.get(PAGE)
  const declined = await mary.submit('/-/users/terms/decline')
  expect(declined.headers.location).toBe('/users/sign_in?signed_out=1&return_to=%2Fdashboard%2Fprojects')
  expect(mary.cookies.has('switchyard_session')).toBe(false)
  await mary.signIn({ username: 'mary', password: PASSWORD })
  expect((await read(mary)).json()).toEqual(REFUSAL)
})

test('terms that have changed while a user read them are not accepted', async () => {
  const { scene, mary, read } = await open()
  await enforce(scene)
  await mary.get(PAGE)
  const response = await mary.submit('/-/users/terms/accept', { version: '5' })
  expect(response.headers.location).toBe(PAGE)
  expect((await read(mary)).statusCode).toBe(403)
})

test('a form without the token of the session accepts and declines nothing', async () => {
  const { scene, mary, read } = await open()
  await enforce(scene)
  await mary.get(PAGE)
  for (const action of ['accept', 'decline']) {
    const response = await mary.submit(`/-/users/terms/${action}`, { authenticity_token: 'x' })
    expect(response.statusCode).toBe(403)
  }
  expect((await read(mary)).json()).toEqual(REFUSAL)
})

testAtNight('visitors read them, and come back where there are none', async () => {
  const { scene } = await open()
  expect((await scene.visitor().get('/-/users/terms?redirect=//evil.example')).headers.location).toBe('/')
  await enforce(scene)
  const { body } = await scene.visitor().get('/-/users/terms')
  expect(body).toContain('Be <em>kind</em>.')
  expect(body).not.toContain('<form')
})

test('a visitor who signs up has accepted them', async () => {
  const { scene, read } = await open()
  await enforce(scene)
  await setSettings(scene.services, { signup_enabled: true })
  const ada = scene.visitor()
  await ada.get('/users/sign_up')
  const account = { name: 'Ada', username: 'ada', email: 'ada@example.com', password: 'a difference engine' }
  await ada.submit('/users/sign_up', { ...account, accepts_terms: '1' })
  await scene.database.updateTable('user').set({ state: 'active' }).where('username', '=', 'ada').execute()
  await ada.signIn({ username: 'ada', password: account.password })
  expect((await read(ada)).statusCode).toBe(200)
})

test('an application is authorized in no session, and with no password, before they are accepted', async () => {
  const { scene, mary } = await open()
  const application = { name: 'Site', redirect_uri: 'https://site.example/back', scopes: 'api' }
  const made = await scene.call(scene.root, 'POST /applications', application)
  const { application_id: client_id } = made.json<{ application_id: string }>()
  const { redirect_uri } = application
  const asked = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'api' })
  await enforce(scene)
  const path = `/oauth/authorize?${asked.toString()}`
  expect((await mary.get(path)).headers.location).toBe(`/-/users/terms?redirect=${encodeURIComponent(path)}`)
  const visitor = scene.visitor()
  await visitor.get(path)
  const credentials = { username: 'mary', password: PASSWORD, decision: 'allow' }
  const refused = await visitor.submit('/oauth/authorize', credentials)
  expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('to accept its terms')])
})
