import { expect, test } from 'vitest'

import { createApplication } from '../../../../src/coordinator/accounts/applications/applications.js'
import { applicationOperations } from '../../../../src/coordinator/accounts/applications/operations.js'
import { ownApplicationOperations } from '../../../../src/coordinator/accounts/applications/own-operations.js'
import type { NewApplication } from '../../../../src/coordinator/accounts/applications/schema.js'
import { userApplicationOperations } from '../../../../src/coordinator/accounts/applications/user-operations.js'
import { tokenDigest } from '../../../../src/lib/tokens.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { setSettings } from '../../support/set-settings.js'
import { addPerson, openApp } from '../../support/test-app.js'

const APPLICATION = { name: 'Desk', redirect_uri: 'https://desk.example/back', scopes: 'api read_user' }

async function serve(open: OpenDatabase = openSqlite) {
  const { database } = await open()
  const app = openApp(database, [
    ...applicationOperations({ database }),
    ...ownApplicationOperations({ database }),
    ...userApplicationOperations({ database }),
  ])
  return { database, app, root: await addPerson(database, 'root', { admin: true }) }
}

describeOnDatabase('OAuth applications', (open) => {
  test('an application is created with a secret that is shown once and stored as a digest', async () => {
    const { database, app, root } = await serve(open)
    const made = await app.call(root, 'POST /applications', APPLICATION)
    expect(made.statusCode).toBe(201)
    const { secret, ...record } = made.json<NewApplication>()
    expect(secret).toMatch(/^gloas-[\w-]{20,}$/)
    expect(record).toEqual({
      id: record.id,
      application_name: 'Desk',
      confidential: true,
      application_id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      callback_url: 'https://desk.example/back',
      scopes: ['api', 'read_user'],
    })
    const row = await database.selectFrom('oauth_application').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ secret_digest: tokenDigest(secret), scopes: ['api', 'read_user'] })
    expect(JSON.stringify(row)).not.toContain(secret)
    expect((await app.call(root, 'GET /applications')).json()).toEqual([record])

    expect((await app.call(root, `DELETE /applications/${record.id}`)).statusCode).toBe(204)
    const again = await app.call(root, `DELETE /applications/${record.id}`)
    expect([again.statusCode, again.json()]).toEqual([404, { message: '404 Not found' }])
    expect((await app.call(root, 'GET /applications')).json()).toEqual([])
  })

  test('record their creation and deletion as audit events, without the secret', async () => {
    const { database, app, root } = await serve(open)
    const { id, secret } = (await app.call(root, 'POST /applications', APPLICATION)).json<NewApplication>()
    await app.call(root, `DELETE /applications/${id}`)
    const events = await database.selectFrom('audit_event').selectAll().orderBy('id').execute()
    expect(events.map(({ details }) => details)).toMatchObject([
      { add: 'application', target_type: 'Application', target_id: id, target_details: 'Desk' },
      { remove: 'application', target_type: 'Application', target_id: id },
    ])
    expect(JSON.stringify(events)).not.toContain(secret)
  })
})

test('several addresses come one a line, and scopes as a list or as a text', async () => {
  const { database, app, root } = await serve()
  const uris =
    'https://a.example/back\r\n  http://127.0.0.1/back \n\ncom.example.desk:/back\nhttps://a.example/back'
  const body = { ...APPLICATION, redirect_uri: uris, scopes: ['openid', 'api', 'read_user api'] }
  const made = await app.call(root, 'POST /applications', { ...body, confidential: false })
  expect(made.json()).toMatchObject({
    callback_url: 'https://a.example/back\nhttp://127.0.0.1/back\ncom.example.desk:/back',
    confidential: false,
  })
  const { scopes } = await database.selectFrom('oauth_application').select('scopes').executeTakeFirstOrThrow()
  expect(scopes).toEqual(['openid', 'api', 'read_user'])
})

const FORBIDDEN_URI = { redirect_uri: ['is forbidden by the server.'] }
const INVALID_URI = { redirect_uri: ['must be a valid URI.'] }
const RELATIVE_URI = { redirect_uri: ['must be an absolute URI.'] }

const withoutApplications = openForFile(() => serve())

test.each([
  [{ redirect_uri: 'javascript:alert(1)' }, FORBIDDEN_URI],
  [{ redirect_uri: 'JavaScript:alert(1)' }, FORBIDDEN_URI],
  [{ redirect_uri: 'data:text/html,x' }, FORBIDDEN_URI],
  [{ redirect_uri: 'vbscript:x' }, FORBIDDEN_URI],
  [{ redirect_uri: 'file:///etc/passwd' }, FORBIDDEN_URI],
  [{ redirect_uri: 'blob:https://a.example/x' }, FORBIDDEN_URI],
  [{ redirect_uri: 'https://user:pass@a.example/' }, FORBIDDEN_URI],
  [{ redirect_uri: 'https://a.example/\njavascript:alert(1)' }, FORBIDDEN_URI],
  [{ redirect_uri: 'https://a.example/#' }, { redirect_uri: ['cannot contain a fragment.'] }],
  [{ redirect_uri: '/back' }, RELATIVE_URI],
  [{ redirect_uri: '//a.example/back' }, RELATIVE_URI],
  [{ redirect_uri: 'https://' }, INVALID_URI],
  [{ redirect_uri: 'https://a.example\\@b.example/' }, INVALID_URI],
  [{ redirect_uri: 'https://a.example/a\tb' }, INVALID_URI],
  [{ redirect_uri: 'https://a.example/a b' }, INVALID_URI],
  [{ redirect_uri: ' \n ' }, { redirect_uri: ["can't be blank"] }],
  [{ scopes: ' ' }, { scopes: ["can't be blank"] }],
  [{ scopes: 'openid phone' }, { scopes: ["doesn't match configured on the server."] }],
  [{ scopes: 'api everything' }, { scopes: ["doesn't match configured on the server."] }],
  [
    { redirect_uri: 'x', scopes: 'x' },
    { ...RELATIVE_URI, scopes: ["doesn't match configured on the server."] },
  ],
])('%j is refused', async (change, message) => {
  const { app, root } = withoutApplications()
  const refused = await app.call(root, 'POST /applications', { ...APPLICATION, ...change })
  expect([refused.statusCode, refused.json()]).toEqual([400, { message }])
  expect((await app.call(root, 'GET /applications')).json()).toEqual([])
})

describeOnDatabase('applications of a user', (open) => {
  test('are registered, changed and deleted by their owner alone', async () => {
    const { database, app, root } = await serve(open)
    const [ada, mary] = [await addPerson(database, 'ada'), await addPerson(database, 'mary')]
    const made = await app.call(ada, 'POST /user/applications', APPLICATION)
    expect(made.statusCode).toBe(201)
    const { secret, ...record } = made.json<NewApplication>()
    const path = `/user/applications/${record.id}`
    expect((await app.call(ada, 'GET /user/applications')).json()).toEqual([record])
    for (const person of [mary, root]) {
      expect((await app.call(person, 'GET /user/applications')).json()).toEqual([])
      expect((await app.call(person, `PUT ${path}`, { name: 'Mine' })).statusCode).toBe(404)
      expect((await app.call(person, `POST ${path}/renew-secret`)).statusCode).toBe(404)
      expect((await app.call(person, `DELETE ${path}`)).statusCode).toBe(404)
    }
    // Those of the instance are others.
    expect((await app.call(root, 'GET /applications')).json()).toEqual([])
    expect((await app.call(root, `DELETE /applications/${record.id}`)).statusCode).toBe(404)

    const changes = { redirect_uri: 'https://desk.example/other', scopes: ['read_user'] }
    const changed = await app.call(ada, `PUT ${path}`, changes)
    expect(changed.json()).toEqual({ ...record, callback_url: changes.redirect_uri, scopes: changes.scopes })
    const refused = await app.call(ada, `PUT ${path}`, { redirect_uri: 'javascript:alert(1)' })
    expect(refused.statusCode).toBe(400)
    const renewed = (await app.call(ada, `POST ${path}/renew-secret`)).json<NewApplication>()
    expect(renewed).toMatchObject({ id: record.id, application_id: record.application_id })
    expect(renewed.secret).not.toBe(secret)
    const row = await database.selectFrom('oauth_application').selectAll().executeTakeFirstOrThrow()
    expect(row.secret_digest).toBe(tokenDigest(renewed.secret))

    expect((await app.call(ada, `DELETE ${path}`)).statusCode).toBe(204)
    const events = await database.selectFrom('audit_event').selectAll().orderBy('id').execute()
    expect(events.map(({ details }) => details)).toMatchObject([
      { add: 'application', target_type: 'Application', target_id: record.id, target_details: 'Desk' },
      { change: 'callback_url', from: record.callback_url, to: changes.redirect_uri },
      { change: 'scopes', from: 'api, read_user', to: 'read_user' },
      { change: 'application', target_id: record.id },
      { remove: 'application', target_id: record.id },
    ])
    expect(JSON.stringify(events)).not.toContain(renewed.secret)
  })
})

test('administrators list and delete the applications of a user, and nobody else does', async () => {
  const { database, app, root } = await serve()
  const [ada, mary] = [await addPerson(database, 'ada'), await addPerson(database, 'mary')]
  const { secret, ...record } = (
    await app.call(ada, 'POST /user/applications', APPLICATION)
  ).json<NewApplication>()
  const path = `/users/${ada.id}/applications`
  expect((await app.call(root, `GET ${path}`)).json()).toEqual([record])
  expect((await app.call(ada, `GET ${path}`)).statusCode).toBe(403)
  expect((await app.call(root, 'GET /users/999/applications')).statusCode).toBe(404)
  const ofMary = `DELETE /users/${mary.id}/applications/${record.id}`
  expect((await app.call(root, ofMary)).statusCode).toBe(404)
  expect((await app.call(ada, `DELETE ${path}/${record.id}`)).statusCode).toBe(403)
  expect((await app.call(root, `DELETE ${path}/${record.id}`)).statusCode).toBe(204)
  expect((await app.call(ada, 'GET /user/applications')).json()).toEqual([])
  const events = await database.selectFrom('audit_event').selectAll().orderBy('id').execute()
  expect(events.at(-1)?.details).toMatchObject({ remove: 'application', target_id: record.id })
})

test('administrators change the applications of the instance, and renew their secrets', async () => {
  const { app, root } = await serve()
  const { id, secret } = (await app.call(root, 'POST /applications', APPLICATION)).json<NewApplication>()
  const changed = await app.call(root, `PUT /applications/${id}`, { name: 'Table', confidential: false })
  expect(changed.json()).toMatchObject({ id, application_name: 'Table', confidential: false })
  const renewed = (await app.call(root, `POST /applications/${id}/renew-secret`)).json<NewApplication>()
  expect(renewed.secret).not.toBe(secret)
})

test('users register none where the instance forbids it, and at most 100', async () => {
  const { database, app } = await serve()
  const ada = await addPerson(database, 'ada')
  await setSettings({ database }, { user_oauth_applications: false })
  const refused = await app.call(ada, 'POST /user/applications', APPLICATION)
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    { message: '403 Forbidden - This instance does not let users register applications' },
  ])
  await setSettings({ database }, { user_oauth_applications: true })
  await createApplication(database, { ...APPLICATION, scopes: ['api'] }, { owner: ada.id })
  const [{ id: _id, ...row } = expect.unreachable()] = await database
    .selectFrom('oauth_application')
    .selectAll()
    .execute()
  const texts = { redirect_uris: JSON.stringify(row.redirect_uris), scopes: JSON.stringify(row.scopes) }
  const others = Array.from({ length: 99 }, (_, index) => ({ ...row, ...texts, uid: `uid ${index}` }))
  await database.insertInto('oauth_application').values(others).execute()
  const tooMany = await app.call(ada, 'POST /user/applications', APPLICATION)
  expect(tooMany.json()).toEqual({ message: '403 Forbidden - Users may have at most 100 applications' })
})
