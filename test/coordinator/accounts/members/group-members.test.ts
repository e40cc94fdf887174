import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { addProject, type PeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

async function openWithGroups(open?: OpenDatabase) {
  const api = await openPeopleApi(open)
  const owner = await addPerson(api.database, 'owner')
  const mary = await addPerson(api.database, 'mary')
  const stranger = await addPerson(api.database, 'stranger')
  const top = await addGroup(api, owner, { name: 'Top', path: 'top' })
  const sub = await addGroup(api, owner, { name: 'Sub', path: 'sub', parent_id: top })
  const { id: project } = await addProject(api, owner, { name: 'it', namespace_id: sub })
  return { api, owner, mary, stranger, top, sub, project }
}

async function addGroup(api: PeopleApi, as: Person, params: object): Promise<number> {
  const response = await api.call(as, 'POST /groups', params)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json<{ id: number }>().id
}

const give = (user: Person, access_level: number, more: object = {}) => ({
  user_id: user.id,
  access_level,
  ...more,
})

test('a member of a group is one of all groups and projects in it, until that ends', async () => {
  const { api, owner, mary, top, sub, project } = await openWithGroups()
  const added = await api.call(owner, `POST /groups/${top}/members`, give(mary, 30))
  expect(added.statusCode).toBe(201)
  expect(added.json()).toMatchObject({
    username: 'mary',
    access_level: 30,
    created_by: { username: 'owner' },
  })
  expect((await api.call(mary, `GET /projects/${project}`)).json()).toMatchObject({
    permissions: { project_access: null, group_access: { access_level: 30 } },
  })
  expect((await api.call(owner, `GET /groups/${sub}/members/${mary.id}`)).statusCode).toBe(404)
  for (const place of [`groups/${sub}`, `projects/${project}`]) {
    expect((await api.call(mary, `GET /${place}/members/all/${mary.id}`)).json()).toMatchObject({
      access_level: 30,
    })
    const all = (await api.call(mary, `GET /${place}/members/all`)).json<{ username: string }[]>()
    expect(all.map(({ username }) => username)).toEqual(['owner', 'mary'])
  }
  const ended = await api.call(owner, `PUT /groups/${top}/members/${mary.id}`, {
    access_level: 30,
    expires_at: '2020-01-01',
  })
  expect([ended.statusCode, ended.json()]).toEqual([
    400,
    { message: { expires_at: ['cannot be a date in the past'] } },
  ])
  await api.database
    .updateTable('member')
    .set({ expires_at: Date.now() })
    .where('user_id', '=', mary.id)
    .execute()
  expect((await api.call(mary, `GET /projects/${project}`)).statusCode).toBe(404)
  expect((await api.call(mary, `GET /groups/${sub}/members`)).statusCode).toBe(404)
})

test('a level that comes from above cannot be undercut', async () => {
  const { api, owner, mary, top, project } = await openWithGroups()
  await api.call(owner, `POST /groups/${top}/members`, give(mary, 30))
  const less = await api.call(owner, `POST /projects/${project}/members`, give(mary, 20))
  expect([less.statusCode, less.json()]).toEqual([
    400,
    {
      message: {
        access_level: ['should be greater than or equal to Developer inherited membership from group Top'],
      },
    },
  ])
  expect((await api.call(owner, `POST /projects/${project}/members`, give(mary, 40))).statusCode).toBe(201)
})

test('the last owner of a group cannot be removed, and only owners change access levels', async () => {
  const { api, owner, mary, top, sub } = await openWithGroups()
  await api.call(owner, `POST /groups/${top}/members`, give(mary, 40))
  expect((await api.call(mary, `POST /groups/${top}/members`, give(mary, 50))).statusCode).toBe(403)
  expect((await api.call(mary, `PUT /groups/${top}/members/${mary.id}`, give(mary, 50))).statusCode).toBe(403)
  expect((await api.call(owner, `DELETE /groups/${top}/members/${owner.id}`)).statusCode).toBe(403)
  const lower = await api.call(owner, `PUT /groups/${top}/members/${owner.id}`, { access_level: 40 })
  expect(lower.statusCode).toBe(403)
  // A group inside has an owner above it.
  expect((await api.call(owner, `DELETE /groups/${sub}/members/${owner.id}`)).statusCode).toBe(204)
  await api.call(owner, `PUT /groups/${top}/members/${mary.id}`, { access_level: 50 })
  expect((await api.call(owner, `DELETE /groups/${top}/members/${owner.id}`)).statusCode).toBe(204)
  expect((await api.call(owner, `GET /groups/${top}`)).statusCode).toBe(404)
})

test('removing a group member removes the memberships below the group, unless skipped', async () => {
  const { api, owner, mary, top, project } = await openWithGroups()
  for (const skip of [true, false]) {
    await api.call(owner, `POST /groups/${top}/members`, give(mary, 20))
    await api.call(owner, `POST /projects/${project}/members`, give(mary, 30))
    await api.call(owner, `DELETE /groups/${top}/members/${mary.id}?skip_subresources=${skip}`)
    expect((await api.call(mary, `GET /projects/${project}`)).statusCode).toBe(skip ? 200 : 404)
  }
})

test('a group with the membership lock refuses new members of its projects', async () => {
  const { api, owner, mary, sub, project } = await openWithGroups()
  await api.database.updateTable('namespace').set({ membership_lock: true }).where('id', '=', sub).execute()
  expect((await api.call(owner, `POST /projects/${project}/members`, give(mary, 20))).statusCode).toBe(403)
})

test('a user who can see a group may request access once; a maintainer accepts or denies it', async () => {
  const { api, owner, mary, stranger, top } = await openWithGroups()
  const requests = `/groups/${top}/access_requests`
  expect((await api.call(mary, `POST ${requests}`)).statusCode).toBe(404)
  await api.database.updateTable('namespace').set({ visibility: 'internal' }).where('id', '=', top).execute()
  expect((await api.call(undefined, `POST ${requests}`)).statusCode).toBe(401)
  const asked = await api.call(mary, `POST ${requests}`)
  expect([asked.statusCode, asked.json()]).toMatchObject([201, { username: 'mary', requested_at: /./ }])
  expect((await api.call(mary, `POST ${requests}`)).json()).toEqual({
    message: { user_id: ['already exists in source'] },
  })
  expect((await api.call(owner, `POST ${requests}`)).statusCode).toBe(403)
  expect((await api.call(mary, `PUT ${requests}/${mary.id}/approve`)).statusCode).toBe(403)
  expect((await api.call(stranger, `DELETE ${requests}/${mary.id}`)).statusCode).toBe(403)
  expect((await api.call(owner, `GET ${requests}`)).json()).toMatchObject([{ username: 'mary' }])
  const approved = await api.call(owner, `PUT ${requests}/${mary.id}/approve`)
  expect([approved.statusCode, approved.json()]).toMatchObject([201, { access_level: 30 }])
  expect((await api.call(owner, `PUT ${requests}/${mary.id}/approve`)).statusCode).toBe(404)
  await api.call(stranger, `POST ${requests}`)
  expect((await api.call(stranger, `DELETE ${requests}/${stranger.id}`)).statusCode).toBe(204)
})

test('an address is invited: its user is a member at once, or when the account is made', async () => {
  const { api, owner, mary, project, top } = await openWithGroups()
  const invited = await api.call(owner, `POST /projects/${project}/invitations`, {
    email: 'MARY@example.com,new@example.com,nonsense',
    access_level: 20,
  })
  expect([invited.statusCode, invited.json()]).toEqual([
    201,
    { status: 'error', message: { nonsense: 'Invite email is invalid' } },
  ])
  expect((await api.call(mary, `GET /projects/${project}`)).statusCode).toBe(200)
  const one = `/projects/${project}/invitations/new%40example.com`
  expect((await api.call(owner, `PUT ${one}`, { access_level: 30 })).json()).toMatchObject({
    invite_email: 'new@example.com',
    access_level: 30,
    created_by_name: 'owner',
  })
  expect((await api.call(owner, `GET /projects/${project}/invitations`)).json()).toHaveLength(1)
  const given = { email: 'new@example.com', access_level: 10 }
  await api.call(owner, `POST /groups/${top}/invitations`, given)
  const again = await api.call(owner, `POST /groups/${top}/invitations`, given)
  expect(again.json()).toEqual({
    status: 'error',
    message: { 'new@example.com': 'Invite email has already been taken' },
  })
  expect((await api.call(owner, `DELETE /groups/${top}/invitations/new%40example.com`)).statusCode).toBe(204)
  const late = await addPerson(api.database, 'new')
  expect((await api.call(late, `GET /projects/${project}/members/${late.id}`)).json()).toMatchObject({
    access_level: 30,
  })
  expect((await api.call(late, `GET /groups/${top}`)).statusCode).toBe(404)
  expect((await api.call(owner, `DELETE ${one}`)).statusCode).toBe(404)
})

test('private groups and their members are hidden, whatever they are called by', async () => {
  const { api, stranger, top, sub } = await openWithGroups()
  for (const group of [top, 'top', sub, 'top%2Fsub', 'TOP%2Fsub']) {
    for (const what of ['', '/members', '/members/all', '/members/1']) {
      expect((await api.call(stranger, `GET /groups/${group}${what}`)).json()).toEqual({
        message: '404 Group Not Found',
      })
    }
    const join = await api.call(stranger, `POST /groups/${group}/members`, give(stranger, 50))
    expect(join.statusCode).toBe(404)
  }
})

test('e-mail addresses are for administrators', async () => {
  const { api, owner, top } = await openWithGroups()
  const path = `GET /groups/${top}/members`
  expect((await api.call(owner, path)).json()).not.toMatchObject([{ email: /./ }])
  expect((await api.call(api.root, path)).json()).toMatchObject([{ email: 'owner@example.com' }])
})

test('members of many groups are listed once each, with the highest level and in order', async () => {
  const { api, owner, mary, stranger, project } = await openWithGroups()
  for (let number = 0; number < 12; number++) {
    const group = await addGroup(api, owner, { name: `Guest ${number}`, path: `guest-${number}` })
    await api.call(owner, `POST /groups/${group}/members`, give(mary, number === 11 ? 30 : 10))
    if (number > 9) await api.call(owner, `POST /groups/${group}/members`, give(stranger, 20))
    const share = { group_id: group, group_access: 40 }
    expect((await api.call(owner, `POST /projects/${project}/share`, share)).statusCode).toBe(201)
  }
  const list = async (query: string) =>
    (await api.call(owner, `GET /projects/${project}/members/all?${query}`))
      .json<{ id: number; access_level: number }[]>()
      .map(({ id, access_level }) => [id, access_level])
  const everybody = [
    [owner.id, 50],
    [mary.id, 30],
    [stranger.id, 20],
  ]
  expect(await list('')).toEqual(everybody)
  expect(await list('per_page=1&page=3')).toEqual(everybody.slice(2))
  expect(await list('query=mar')).toEqual([[mary.id, 30]])
})

describeOnDatabase('the sources of a member', (open) => {
  test('are all memberships, the one that decides first', async () => {
    const { api, owner, mary, stranger, top, sub, project } = await openWithGroups(open)
    const helpers = await addGroup(api, owner, { name: 'Helpers', path: 'helpers' })
    const hidden = await addGroup(api, stranger, { name: 'Hidden', path: 'hidden', visibility: 'private' })
    await api.call(owner, `POST /groups/${top}/members`, give(mary, 20))
    await api.call(owner, `POST /projects/${project}/members`, give(mary, 30))
    await api.call(owner, `POST /groups/${helpers}/members`, give(mary, 50))
    const share = { group_id: helpers, group_access: 40 }
    expect((await api.call(owner, `POST /projects/${project}/share`, share)).statusCode).toBe(201)
    await api.call(stranger, `POST /groups/${hidden}/members`, give(mary, 50))
    const secret = { group_id: hidden, group_access: 50 }
    expect((await api.call(api.root, `POST /projects/${project}/share`, secret)).statusCode).toBe(201)
    const list = (as: Person, place: string) =>
      api.call(as, `GET /${place}/member_sources?user_ids[]=${mary.id}`)
    const sources = (await list(owner, `projects/${project}`)).json<object[]>()
    expect(sources).toEqual([
      {
        user_id: mary.id,
        kind: 'invited_group',
        access_level: 40,
        member_level: 50,
        group_name: 'Helpers',
        group_full_path: 'helpers',
      },
      expect.objectContaining({ kind: 'direct', access_level: 30, group_full_path: null }),
      expect.objectContaining({ kind: 'group', access_level: 20, group_full_path: 'top' }),
    ])
    expect((await list(api.root, `projects/${project}`)).json<object[]>()[0]).toMatchObject({
      access_level: 50,
      group_full_path: 'hidden',
    })
    expect((await list(owner, `groups/${sub}`)).json()).toEqual([expect.objectContaining({ kind: 'group' })])
    const outsider = await addPerson(api.database, 'outsider')
    expect((await list(outsider, `projects/${project}`)).statusCode).toBe(404)
  })
})
