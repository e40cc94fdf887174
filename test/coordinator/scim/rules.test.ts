import { expect, test } from 'vitest'

import { finishGroupChanges } from '../../../src/coordinator/scim/groups/apply-changes.js'
import { openForFile } from '../../support/lifetime.js'
import { setSettings } from '../support/set-settings.js'
import { ada, openScimScene, provision, refusalOf } from './scene.js'

const RULES = {
  allowedDomains: ['corp.example'],
  newAccountsExternal: true,
  newAccountsApproval: true,
  groups: new Map([['Developers', [{ path: 'app', accessLevel: 30 }]]]),
}

const scene = openForFile(() => openScimScene({ rules: RULES }))

test('the domains and the external accounts of the provider apply, its approval of sign-ins does not', async () => {
  const { corp, database } = scene()
  const foreign = { userName: 'eve', externalId: 'eve', emails: [{ value: 'eve@evil.example' }] }
  const refused = await corp.send('POST /Users', ada(foreign))
  expect(refusalOf(refused)).toEqual([400, 'invalidValue', 'scim_domain_not_allowed'])
  const id = await provision(corp)
  const user = database
    .selectFrom('user')
    .innerJoin('user_profile', 'user_profile.user_id', 'user.id')
    .selectAll('user')
    .select('user_profile.confirmed_at')
    .where('user.id', '=', id)
  const account = await user.executeTakeFirstOrThrow()
  expect(account).toMatchObject({ username: 'ada', name: 'Ada Lovelace', external: true, state: 'active' })
  expect(account.confirmed_at).not.toBeNull()
  const moved = await corp.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: foreign.emails })
  expect(refusalOf(moved)).toEqual([400, 'invalidValue', 'scim_domain_not_allowed'])
})

test('the domains of the instance apply', async () => {
  const { corp, services } = scene()
  await setSettings(services, { domain_denylist_enabled: true, domain_denylist: ['corp.example'] })
  const response = await corp.send(
    'POST /Users',
    ada({ userName: 'zoe@corp.example', externalId: 'z', emails: [] }),
  )
  expect(refusalOf(response)).toEqual([400, 'invalidValue', 'invalid_record'])
  await setSettings(services, { domain_denylist_enabled: false })
})

test('an account that an administrator has blocked stays blocked, whatever the provider says', async () => {
  const { corp, call, root, stateOf } = scene()
  const id = await provision(corp, { userName: 'bob@corp.example', externalId: 'bob', emails: [] })
  await call(root, `POST /users/${id}/block`)
  for (const value of [true, false, true]) {
    const { statusCode } = await corp.patch(`/Users/${id}`, { op: 'replace', path: 'active', value })
    expect([statusCode, await stateOf('bob')]).toEqual([200, 'blocked'])
  }
})

test('a user who is created inactive waits, and what users change stays until the provider changes it', async () => {
  const { corp, call, root, stateOf, database } = scene()
  const sue = { userName: 'sue@corp.example', externalId: 'sue', emails: [], displayName: 'Sue' }
  const id = await provision(corp, { ...sue, active: false })
  expect(await stateOf('sue')).toBe('blocked')
  await corp.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
  await call(root, `PUT /users/${id}`, { name: 'Susan' })
  await corp.send(`PUT /Users/${id}`, ada(sue))
  const name = () => database.selectFrom('user').select('name').where('id', '=', id).executeTakeFirst()
  expect(await name()).toEqual({ name: 'Susan' })
  await corp.send(`PUT /Users/${id}`, ada({ ...sue, displayName: 'Suzy' }))
  expect(await name()).toEqual({ name: 'Suzy' })
})

test('a resource has a version, by which clients read it again and change only what they know', async () => {
  const { corp } = scene()
  const id = await provision(corp, { userName: 'tim@corp.example', externalId: 'tim', emails: [] })
  const path = `/Users/${id}` as const
  const read = await corp.send(`GET ${path}`)
  const version = String(read.headers.etag)
  expect(read.json()).toMatchObject({ meta: { version } })
  expect((await corp.send(`GET ${path}`, undefined, { 'if-none-match': version })).statusCode).toBe(304)
  const changed = ada({ userName: 'tim@corp.example', displayName: 'Tim', emails: [] })
  const put = () => corp.send(`PUT ${path}`, { ...changed, externalId: 'tim' }, { 'if-match': version })
  expect([(await put()).statusCode, (await put()).statusCode]).toEqual([200, 412])
  const selected = await corp.send(`GET ${path}?attributes=userName,emails.value`)
  expect(Object.keys(selected.json()).toSorted()).toEqual(['emails', 'id', 'meta', 'schemas', 'userName'])
})

test('lists have pages, and say how many there are', async () => {
  const { corp } = scene()
  for (const name of ['p1', 'p2', 'p3'])
    await provision(corp, { userName: `${name}@corp.example`, externalId: name, emails: [] })
  const all = (await corp.send('GET /Users')).json<{ totalResults: number; Resources: { id: string }[] }>()
  const ids = all.Resources.map(({ id }) => id)
  expect(all.totalResults).toBe(ids.length)
  const page = await corp.send('GET /Users?startIndex=2&count=2')
  expect(page.json()).toMatchObject({
    totalResults: ids.length,
    startIndex: 2,
    itemsPerPage: 2,
    Resources: [{ id: ids[1] }, { id: ids[2] }],
  })
  expect((await corp.send('GET /Users?count=0')).json()).toMatchObject({ Resources: [] })
  expect((await corp.send('GET /Users?startIndex=-3&count=1')).json()).toMatchObject({ startIndex: 1 })
})

test('memberships that a request has left to change are changed by the periodic task', async () => {
  const { corp, call, root, levelsOf, database, services } = scene()
  await call(root, 'POST /groups', { name: 'app', path: 'app' })
  const id = await provision(corp, { userName: 'ned@corp.example', externalId: 'ned', emails: [] })
  const { id: group } = (await corp.send('POST /Groups', { displayName: 'Developers' })).json<{
    id: string
  }>()
  await database
    .insertInto('scim_group_member')
    .values({ scim_group_id: Number(group), user_id: id })
    .execute()
  await database.updateTable('scim_user').set({ has_group_changes: true }).where('user_id', '=', id).execute()
  await finishGroupChanges(services, new AbortController().signal)
  expect(await levelsOf(id)).toEqual({ app: 30 })
  await corp.send(`DELETE /Users/${id}`)
  expect(await levelsOf(id)).toEqual({})
})

test('two changes of the members of a group at once are both made', async () => {
  const { corp } = scene()
  const ids: string[] = []
  for (const name of ['x1', 'x2'])
    ids.push(
      String(await provision(corp, { userName: `${name}@corp.example`, externalId: name, emails: [] })),
    )
  const { id } = (await corp.send('POST /Groups', { displayName: 'Both' })).json<{ id: string }>()
  await Promise.all(
    ids.map((value) => corp.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value }] })),
  )
  const { members } = (await corp.send(`GET /Groups/${id}`)).json<{ members: { value: string }[] }>()
  expect(members.map(({ value }) => value)).toEqual(ids)
})
