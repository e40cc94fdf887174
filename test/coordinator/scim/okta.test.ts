import { expect, test } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { openScimScene } from './scene.js'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

const scene = openForFile(openScimScene)

/** As Okta documents what its provisioning sends. */
test('Okta provisions a user: search, creation, whole changes, deactivation, return', async () => {
  const { corp, stateOf } = scene()
  const search = 'GET /Users?filter=userName%20eq%20%22ada%40corp.example%22&startIndex=1&count=100'
  expect((await corp.send(search)).json()).toMatchObject({ totalResults: 0, Resources: [] })
  const body = {
    schemas: [USER],
    userName: 'ada@corp.example',
    name: { givenName: 'Ada', familyName: 'Byron' },
    emails: [{ primary: true, value: 'ada@corp.example', type: 'work' }],
    displayName: 'Ada Byron',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  }
  const created = await corp.send('POST /Users', body)
  const user = created.json<{ id: string }>()
  expect([created.statusCode, created.body.includes('1mz050nq')]).toEqual([201, false])
  const path = `/Users/${user.id}` as const
  expect((await corp.send(`GET ${path}`)).json()).toEqual(user)
  expect((await corp.send(search)).json()).toMatchObject({ totalResults: 1, Resources: [user] })
  const renamed = await corp.send(`PUT ${path}`, {
    ...body,
    id: user.id,
    name: { givenName: 'Ada', familyName: 'Lovelace', middleName: null },
    displayName: 'Ada Lovelace',
    meta: { resourceType: 'User' },
  })
  expect([renamed.statusCode, renamed.json()]).toMatchObject([200, { displayName: 'Ada Lovelace' }])
  const off = await corp.patch(path, { op: 'replace', value: { active: false } })
  expect([off.statusCode, off.json(), await stateOf('ada')]).toMatchObject([
    200,
    { active: false },
    'blocked',
  ])
  const on = await corp.send(`PUT ${path}`, body)
  expect([on.json(), await stateOf('ada')]).toMatchObject([{ active: true }, 'active'])
})

testAtNight('Okta pushes groups, and replaces, adds and removes members', async () => {
  const groups = new Map([['Engineering', [{ path: 'app', accessLevel: 30 }]]])
  const { corp, levelsOf, call, root } = await openScimScene({ rules: { groups } })
  await call(root, 'POST /groups', { name: 'app', path: 'app' })
  const members = await Promise.all(['one', 'two', 'three'].map(create))
  const [one, two, three] = members
  expect((await corp.send('GET /Groups?startIndex=1&count=100')).json()).toMatchObject({ totalResults: 0 })
  const created = await corp.send('POST /Groups', {
    schemas: [GROUP],
    displayName: 'Engineering',
    members: [{ value: one, display: 'one@corp.example' }],
  })
  const { id } = created.json<{ id: string }>()
  const path = `/Groups/${id}` as const
  expect(await levels()).toEqual([{ app: 30 }, {}, {}])
  const changed = await corp.patch(
    path,
    { op: 'remove', path: `members[value eq "${one}"]` },
    { op: 'add', path: 'members', value: [{ value: two, display: 'two@corp.example' }] },
  )
  expect([changed.statusCode, await levels()]).toEqual([200, [{}, { app: 30 }, {}]])
  await corp.patch(path, { op: 'replace', path: 'members', value: [{ value: three }] })
  expect(await levels()).toEqual([{}, {}, { app: 30 }])
  await corp.patch(path, { op: 'replace', value: { id, displayName: 'Design' } })
  expect(await levels()).toEqual([{}, {}, {}])
  const whole = { schemas: [GROUP], id, displayName: 'Engineering', members: [{ value: two }] }
  await corp.send(`PUT ${path}`, whole)
  expect(await levels()).toEqual([{}, { app: 30 }, {}])

  function levels() {
    return Promise.all(members.map((member) => levelsOf(Number(member))))
  }

  async function create(name: string): Promise<string> {
    const body = { schemas: [USER], externalId: name, userName: `${name}@corp.example` }
    return (await corp.send('POST /Users', body)).json<{ id: string }>().id
  }
})

test('the service says what it supports, as discovery requires', async () => {
  const { corp } = scene()
  const config = await corp.send('GET /ServiceProviderConfig')
  expect(config.json()).toMatchObject({ patch: { supported: true }, filter: { maxResults: 200 } })
  expect((await corp.send('GET /ResourceTypes')).json()).toMatchObject({
    totalResults: 2,
    Resources: [{ id: 'User', endpoint: '/Users', schema: USER }, { id: 'Group' }],
  })
  expect((await corp.send('GET /ResourceTypes/Group')).json()).toMatchObject({ schema: GROUP })
  expect((await corp.send(`GET /Schemas/${USER}`)).json()).toMatchObject({ name: 'User' })
  expect((await corp.send('GET /Schemas')).json()).toMatchObject({ totalResults: 2 })
})
