import { expect, test } from 'vitest'

import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, openPeopleApi } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'

async function openWithProject() {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  const mary = await addPerson(api.database, 'mary')
  const { id } = await addProject(api, owner, { name: 'it' })
  return { api, owner, mary, path: `/projects/${id}/members`, id }
}

test('a member is added, found, changed and removed', async () => {
  const { api, owner, mary, path } = await openWithProject()
  const added = await api.call(owner, `POST ${path}`, {
    user_id: mary.id,
    access_level: 30,
    expires_at: '2999-01-01',
  })
  expect(added.statusCode).toBe(201)
  expect(added.json()).toMatchObject({
    id: mary.id,
    username: 'mary',
    access_level: 30,
    expires_at: '2999-01-01',
  })
  expect((await api.call(mary, `GET ${path}/${mary.id}`)).json()).toMatchObject({ access_level: 30 })
  const changed = await api.call(owner, `PUT ${path}/${mary.id}`, { access_level: 40 })
  expect(changed.json()).toMatchObject({ access_level: 40, expires_at: '2999-01-01' })
  expect((await api.call(owner, `DELETE ${path}/${mary.id}`)).statusCode).toBe(204)
  expect((await api.call(owner, `GET ${path}/${mary.id}`)).statusCode).toBe(404)
})

testAtNight('the maker is a member from the beginning', async () => {
  const { api, owner, path } = await openWithProject()
  for (const list of [path, `${path}/all`]) {
    expect((await api.call(owner, `GET ${list}`)).json()).toMatchObject([
      { username: 'owner', access_level: 50 },
    ])
  }
  expect((await api.call(owner, `GET ${path}?query=nobody`)).json()).toEqual([])
})

const unchanged = openForFile(() => openWithProject())

test.each([
  [
    { access_level: 30 },
    400,
    { error: 'user_id, username are missing, at least one parameter must be provided' },
  ],
  [{ user_id: 999, access_level: 30 }, 404, { message: '404 User Not Found' }],
  [
    { username: 'mary', access_level: 31 },
    400,
    { message: { access_level: ['is not included in the list'] } },
  ],
  [{ username: 'owner', access_level: 30 }, 409, { message: 'Member already exists' }],
])('adding %j is refused', async (params, status, body) => {
  const { api, owner, path } = unchanged()
  const response = await api.call(owner, `POST ${path}`, params)
  expect(response.statusCode).toBe(status)
  expect(response.json()).toEqual(body)
})

testAtNight('several are added at once', async () => {
  const { api, owner, mary, path } = await openWithProject()
  const paul = await addPerson(api.database, 'paul')
  const added = await api.call(owner, `POST ${path}`, { user_id: `${mary.id},${paul.id}`, access_level: 20 })
  expect(added.json()).toEqual({ status: 'success' })
  const eva = await addPerson(api.database, 'eva')
  const twice = await api.call(owner, `POST ${path}`, { user_id: `${eva.id},${eva.id}`, access_level: 20 })
  expect(twice.json()).toEqual({ status: 'success' })
  const again = await api.call(owner, `POST ${path}`, { user_id: `${mary.id},999`, access_level: 20 })
  expect(again.json()).toEqual({
    status: 'error',
    message: { mary: 'Member already exists', 999: '404 User Not Found' },
  })
})

test('users cannot grant or revoke a level above their own', async () => {
  const { api, owner, mary, path, id } = await openWithProject()
  await addMember(api, owner, id, mary, 40)
  const paul = await addPerson(api.database, 'paul')
  const give = await api.call(mary, `POST ${path}`, { user_id: paul.id, access_level: 50 })
  expect(give.statusCode).toBe(403)
  expect((await api.call(mary, `PUT ${path}/${owner.id}`, { access_level: 30 })).statusCode).toBe(403)
  expect((await api.call(mary, `DELETE ${path}/${owner.id}`)).statusCode).toBe(403)
})

test('every member may leave except the owner of the namespace', async () => {
  const { api, owner, mary, path, id } = await openWithProject()
  await addMember(api, owner, id, mary, 10)
  const paul = await addPerson(api.database, 'paul')
  await addMember(api, owner, id, paul, 10)
  expect((await api.call(mary, `DELETE ${path}/${paul.id}`)).statusCode).toBe(403)
  expect((await api.call(mary, `DELETE ${path}/${mary.id}`)).statusCode).toBe(204)
  expect((await api.call(owner, `DELETE ${path}/${owner.id}`)).statusCode).toBe(403)
})

test('the members of another project are added, with at most the level of the caller', async () => {
  const { api, owner, mary, path, id } = await openWithProject()
  const max = await addPerson(api.database, 'max')
  const eve = await addPerson(api.database, 'eve')
  await addMember(api, owner, id, mary, 20)
  await addMember(api, owner, id, max, 40)
  const other = await addProject(api, owner, { name: 'other' })
  for (const [user, access_level] of [
    [mary, 40],
    [max, 20],
    [eve, 30],
  ] as const) {
    await addMember(api, owner, other.id, user, access_level)
  }
  const route = `POST /projects/${id}/import_project_members`
  const imported = await api.call(max, `${route}/${other.id}`)
  expect([imported.statusCode, imported.json()]).toEqual([200, { status: 'success', total_members_count: 4 }])
  const members = (await api.call(owner, `GET ${path}`)).json<{ username: string; access_level: number }[]>()
  expect(Object.fromEntries(members.map(({ username, access_level }) => [username, access_level]))).toEqual({
    owner: 50,
    mary: 20,
    max: 40,
    eve: 30,
  })
  const hidden = await addProject(api, owner, { name: 'hidden' })
  expect((await api.call(max, `${route}/${hidden.id}`)).json()).toEqual({ message: '404 Project Not Found' })
  expect((await api.call(mary, `${route}/${other.id}`)).statusCode).toBe(403)
  const back = await api.call(max, `POST /projects/${other.id}/import_project_members/${id}`)
  expect(back.statusCode).toBe(403)
})
