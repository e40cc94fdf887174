import { expect, test } from 'vitest'

import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { addProject, openPeopleApi, type PeopleApi } from '../../support/people-api.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'

interface GroupRecord extends Record<string, unknown> {
  id: number
  full_path: string
}

async function buildGroups(open: OpenDatabase) {
  const api = await openPeopleApi({ open })
  const owner = await addPerson(api.database, 'owner')
  const mary = await addPerson(api.database, 'mary')
  const top = await addGroup(api, owner, { name: 'Top', path: 'top' })
  const sub = await addGroup(api, owner, { name: 'Sub', path: 'sub', parent_id: top.id })
  const project = await addProject(api, owner, { name: 'it', namespace_id: sub.id })
  return { api, owner, mary, top, sub, project }
}

const openWithGroups = sceneForFile(buildGroups)

async function addGroup(api: PeopleApi, as: Person, params: object): Promise<GroupRecord> {
  const response = await api.call(as, 'POST /groups', params)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json<GroupRecord>()
}

test('a group is made with every setting, shown, and changed', async () => {
  const { api, owner, sub } = await openWithGroups()
  const settings = {
    description: 'All of it',
    share_with_group_lock: true,
    project_creation_level: 'noone',
    subgroup_creation_level: 'owner',
    two_factor_grace_period: 5,
    request_access_enabled: false,
  }
  const made = await addGroup(api, owner, { name: 'New', path: 'new', visibility: 'internal', ...settings })
  expect(made).toMatchObject({ ...settings, visibility: 'internal', full_name: 'New', parent_id: null })
  const changed = await api.call(owner, `PUT /groups/${made.id}`, { name: 'Newer', lfs_enabled: false })
  expect(changed.json()).toMatchObject({ ...settings, name: 'Newer', lfs_enabled: false })
  expect((await api.call(owner, `GET /groups/${sub.id}`)).json()).toMatchObject({
    full_name: 'Top / Sub',
    runners_token: /^GR1348941/,
    projects: [{ path: 'it' }],
    shared_projects: [],
  })
  const short: unknown = (await api.call(owner, `GET /groups/${sub.id}?with_projects=false`)).json()
  expect(short).not.toHaveProperty('projects')
})

const unchanged = openForFile(() => buildGroups(openSqlite))

test.each([
  [{ name: 'x', path: 'TOP' }, { message: 'Failed to save group {:path=>["has already been taken"]}' }],
  [{ path: 'x' }, { error: 'name is missing' }],
  [
    { name: 'x', path: 'x', project_creation_level: 'all' },
    { error: 'project_creation_level does not have a valid value' },
  ],
])('the group %j is refused', async (params, body) => {
  const { api, owner } = unchanged()
  const response = await api.call(owner, 'POST /groups', params)
  expect([response.statusCode, response.json()]).toEqual([400, body])
})

test('top-level groups require the permission of the user, subgroups the level set by the group', async () => {
  const { api, owner, mary, top } = await openWithGroups()
  await api.database.updateTable('user').set({ can_create_group: false }).where('id', '=', mary.id).execute()
  expect((await api.call(mary, 'POST /groups', { name: 'x', path: 'x' })).statusCode).toBe(403)
  const inside = { name: 'x', path: 'x', parent_id: top.id }
  expect((await api.call(mary, 'POST /groups', inside)).statusCode).toBe(404)
  await api.call(owner, `POST /groups/${top.id}/members`, { user_id: mary.id, access_level: 40 })
  expect((await api.call(mary, 'POST /groups', inside)).statusCode).toBe(201)
  await api.call(owner, `PUT /groups/${top.id}`, { subgroup_creation_level: 'owner' })
  expect((await api.call(mary, 'POST /groups', { ...inside, path: 'y' })).statusCode).toBe(403)
  const projects = { name: 'p', namespace_id: top.id }
  await api.call(owner, `PUT /groups/${top.id}`, { project_creation_level: 'noone' })
  expect((await api.call(mary, 'POST /projects', projects)).statusCode).toBe(403)
})

test('the visibility of a group is at most that of its parent and at least that of its contents', async () => {
  const { api, owner, top, sub, project } = await openWithGroups()
  const set = async (id: number, visibility: string) => {
    const response = await api.call(owner, `PUT /groups/${id}`, { visibility })
    return response.statusCode === 200 ? 200 : response.json<{ message: unknown }>().message
  }
  expect(await set(sub.id, 'public')).toEqual({
    visibility_level: ['public is not allowed since the parent group has a private visibility.'],
  })
  expect([await set(top.id, 'public'), await set(sub.id, 'internal')]).toEqual([200, 200])
  expect(await set(top.id, 'private')).toEqual({
    visibility_level: ['private is not allowed since there are sub-groups with higher visibility.'],
  })
  await api.call(owner, `PUT /projects/${project.id}`, { visibility: 'internal' })
  expect(await set(sub.id, 'private')).toEqual({
    visibility_level: ['private is not allowed since this group contains projects with higher visibility.'],
  })
  const made = await api.call(owner, 'POST /groups', {
    name: 'x',
    path: 'x',
    parent_id: sub.id,
    visibility: 'public',
  })
  expect(made.json()).toEqual({
    message:
      'Failed to save group {:visibility_level=>["public is not allowed since the parent group has a internal visibility."]}',
  })
})

test('renaming the path of a group moves all of its contents', async () => {
  const { api, owner, top, project } = await openWithGroups()
  expect((await api.call(owner, `PUT /groups/${top.id}`, { path: 'owner' })).json()).toEqual({
    message: { path: ['has already been taken'] },
  })
  expect((await api.call(owner, `PUT /groups/${top.id}`, { path: 'up' })).json()).toMatchObject({
    full_path: 'up',
  })
  expect((await api.call(owner, 'GET /groups/up%2Fsub')).json()).toMatchObject({ full_path: 'up/sub' })
  expect((await api.call(owner, 'GET /projects/up%2Fsub%2Fit')).json()).toMatchObject({ id: project.id })
  expect((await api.call(owner, 'GET /groups/top')).statusCode).toBe(301)
})

test('a group moves into another one and back to the top, with its members', async () => {
  const { api, owner, mary, top, sub } = await openWithGroups()
  const other = await addGroup(api, owner, { name: 'Other', path: 'other' })
  await api.call(owner, `POST /groups/${other.id}/members`, { user_id: mary.id, access_level: 20 })
  const transfer = (id: number, group_id?: number) =>
    api.call(owner, `POST /groups/${id}/transfer`, group_id === undefined ? {} : { group_id })
  expect((await transfer(top.id, sub.id)).json()).toEqual({
    message: 'Transfer failed: Cannot transfer group to one of its subgroup.',
  })
  expect((await transfer(top.id, other.id)).json()).toMatchObject({
    full_path: 'other/top',
    parent_id: other.id,
  })
  expect((await api.call(mary, 'GET /projects/other%2Ftop%2Fsub%2Fit')).statusCode).toBe(200)
  expect((await transfer(top.id)).json()).toMatchObject({ full_path: 'top', parent_id: null })
  expect((await api.call(mary, 'GET /projects/top%2Fsub%2Fit')).statusCode).toBe(404)
  expect((await api.call(mary, `POST /groups/${other.id}/transfer`, {})).statusCode).toBe(403)
})

test('deleting a group deletes all of its contents', async () => {
  const { api, owner, top, sub, project } = await openWithGroups()
  const removed = await api.call(owner, `DELETE /groups/${top.id}`)
  expect([removed.statusCode, removed.json()]).toEqual([202, { message: '202 Accepted' }])
  expect(api.repositories.deleted).toEqual([project.id])
  expect((await api.call(owner, `GET /groups/${sub.id}`)).statusCode).toBe(404)
  for (const table of ['group_tree', 'group_removal', 'member'] as const) {
    expect(await api.database.selectFrom(table).selectAll().execute(), table).toEqual([])
  }
})

testAtNight(
  'lists have the groups of the caller, the subgroups of a group, or all groups on request',
  async () => {
    const { api, owner, mary, top, sub } = await openWithGroups()
    await addGroup(api, owner, { name: 'Open', path: 'open', visibility: 'public' })
    const paths = async (as: Person | undefined, query: string): Promise<string[]> => {
      const response = await api.call(as, `GET /groups${query}`)
      return response.json<GroupRecord[]>().map(({ full_path }) => full_path)
    }
    expect(await paths(owner, '')).toEqual(['open', 'top/sub', 'top'])
    expect(await paths(owner, '?order_by=path&sort=desc')).toEqual(['top', 'top/sub', 'open'])
    expect(await paths(owner, `?skip_groups[]=${top.id}&search=TO`)).toEqual(['top/sub'])
    expect(await paths(owner, '?top_level_only=true&owned=true')).toEqual(['open', 'top'])
    expect(await paths(mary, '')).toEqual([])
    expect(await paths(mary, '?all_available=true')).toEqual(['open'])
    expect(await paths(undefined, '')).toEqual(['open'])
    expect(await paths(undefined, '?owned=true')).toEqual([])
    expect(await paths(owner, `/${top.id}/subgroups`)).toEqual(['top/sub'])
    await addGroup(api, owner, { name: 'Deep', path: 'deep', parent_id: sub.id })
    expect(await paths(owner, `/${top.id}/descendant_groups`)).toEqual(['top/sub/deep', 'top/sub'])
    const [record] = (await api.call(api.root, `GET /groups?statistics=true&search=open`)).json<
      GroupRecord[]
    >()
    expect(record).toMatchObject({ statistics: { storage_size: 0 } })
  },
)

test('custom attributes of a group are shown to administrators only', async () => {
  const { api, owner, top, sub } = await openWithGroups()
  await api.call(api.root, `PUT /groups/${top.id}/custom_attributes/zone`, { value: 'eu' })
  await api.call(api.root, `PUT /groups/${top.id}/custom_attributes/cost`, { value: '7' })
  const noted = [
    { key: 'zone', value: 'eu' },
    { key: 'cost', value: '7' },
  ]
  const wanted = 'with_custom_attributes=true'
  expect((await api.call(api.root, `GET /groups/${top.id}?${wanted}`)).json()).toMatchObject({
    custom_attributes: noted,
  })
  const list = (await api.call(api.root, `GET /groups?${wanted}`)).json<GroupRecord[]>()
  expect(list.find(({ id }) => id === top.id)).toMatchObject({ custom_attributes: noted })
  expect(list.find(({ id }) => id === sub.id)).toMatchObject({ custom_attributes: [] })
  for (const [as, query] of [
    [api.root, ''],
    [owner, wanted],
  ] as const) {
    expect((await api.call(as, `GET /groups/${top.id}?${query}`)).json()).not.toHaveProperty(
      'custom_attributes',
    )
    for (const record of (await api.call(as, `GET /groups?${query}`)).json<GroupRecord[]>()) {
      expect(record).not.toHaveProperty('custom_attributes')
    }
  }
})

testAtNight('groups are walked by keyset, by name unless another order is asked for', async () => {
  const api = await openPeopleApi()
  const owner = await addPerson(api.database, 'owner')
  for (const path of ['c', 'a', 'd', 'b']) {
    // Two have the same name.
    await addGroup(api, owner, { name: path === 'd' ? 'a' : path, path, visibility: 'public' })
  }
  const walk = async (as: Person | undefined, query: string): Promise<string[]> => {
    const found: string[] = []
    let next: string | undefined = `${query}&pagination=keyset&per_page=1`
    while (next !== undefined) {
      const response = await api.call(as, `GET /groups?${next}`)
      found.push(...response.json<GroupRecord[]>().map(({ full_path }) => full_path))
      next = /\?(.*)>; rel="next"/.exec(String(response.headers['link']))?.[1]
    }
    return found
  }
  expect(await walk(undefined, 'top_level_only=true')).toEqual(['a', 'd', 'b', 'c'])
  expect(await walk(owner, 'order_by=name&sort=desc')).toEqual(['c', 'b', 'd', 'a'])
  expect(await walk(api.root, 'order_by=id&sort=desc')).toEqual(['b', 'd', 'a', 'c'])
  expect(await walk(owner, 'order_by=path')).toEqual(['a', 'b', 'c', 'd'])
  const other = await api.call(owner, 'GET /groups?pagination=keyset&order_by=similarity')
  expect(other.statusCode).toBe(405)
})

testAtNight(
  'a project is shared with a group that the sharer sees, at no more than the own level',
  async () => {
    const { api, owner, mary, project } = await openWithGroups()
    const team = await addGroup(api, mary, { name: 'Team', path: 'team' })
    const share = (group_id: number, more: object = {}) =>
      api.call(owner, `POST /projects/${project.id}/share`, { group_id, group_access: 30, ...more })
    expect((await share(team.id)).json()).toEqual({ message: '404 Group Not Found' })
    await api.call(mary, `PUT /groups/${team.id}`, { visibility: 'internal' })
    const shared = await share(team.id, { expires_at: '2999-01-01' })
    expect([shared.statusCode, shared.json()]).toMatchObject([
      201,
      { project_id: project.id, group_id: team.id, group_access: 30, expires_at: '2999-01-01' },
    ])
    const again = await share(team.id)
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { message: 'Project is already shared with this group' },
    ])
    expect((await api.call(mary, `GET /projects/${project.id}`)).json()).toMatchObject({
      permissions: { project_access: null, group_access: { access_level: 30 } },
      shared_with_groups: [{ group_id: team.id, group_full_path: 'team', group_access_level: 30 }],
    })
    const users = (await api.call(owner, `GET /projects/${project.id}/users`)).json<{ username: string }[]>()
    expect(users.map(({ username }) => username)).toEqual(['owner', 'mary'])
    const groups = `GET /projects/${project.id}/groups?with_shared=true`
    expect((await api.call(mary, groups)).json()).toMatchObject([{ full_path: 'team' }])
    expect((await api.call(mary, `GET /groups/${team.id}/projects`)).json()).toMatchObject([
      { id: project.id },
    ])
    expect((await api.call(mary, `GET /groups/${team.id}/projects?with_shared=false`)).json()).toEqual([])
    const remove = `DELETE /projects/${project.id}/share/${team.id}`
    expect((await api.call(mary, remove)).statusCode).toBe(403)
    expect((await api.call(owner, remove)).statusCode).toBe(204)
    expect((await api.call(owner, remove)).statusCode).toBe(404)
    expect((await api.call(mary, `GET /projects/${project.id}`)).statusCode).toBe(404)
  },
)

test('a project cannot be shared with one of its own ancestor groups', async () => {
  const { api, owner } = await openWithGroups()
  const outer = await addGroup(api, owner, { name: 'Outer', path: 'outer' })
  const inner = await addGroup(api, owner, { name: 'Inner', path: 'inner', parent_id: outer.id })
  const { id, ...record } = await addProject(api, owner, { name: 'Zoë', namespace_id: inner.id })
  expect(record).toMatchObject({
    path: 'zoe',
    namespace: { web_url: `${EXTERNAL_URL}/groups/outer/inner` },
  })
  for (const group of [outer, inner]) {
    const params = { group_id: group.id, group_access: 30 }
    const refused = await api.call(owner, `POST /projects/${id}/share`, params)
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        message: {
          base: ['Project cannot be shared with the group it is in or one of its ancestors.'],
        },
      },
    ])
  }
})

test('members by a share with a group that is hidden are hidden too', async () => {
  const { api, owner, mary, project } = await openWithGroups()
  const team = await addGroup(api, mary, { name: 'Team', path: 'team' })
  await api.call(api.root, `POST /projects/${project.id}/share`, { group_id: team.id, group_access: 30 })
  const all = (await api.call(owner, `GET /projects/${project.id}/members/all`)).json<Person[]>()
  expect(all.map(({ username }) => username)).toEqual(['owner'])
  expect((await api.call(owner, `GET /projects/${project.id}`)).json()).toMatchObject({
    shared_with_groups: [],
  })
})

testAtNight('a group is shared with another one, unless the lock of a group keeps its projects', async () => {
  const { api, owner, mary, top, sub, project } = await openWithGroups()
  const team = await addGroup(api, mary, { name: 'Team', path: 'team', visibility: 'internal' })
  const params = { group_id: team.id, group_access: 20 }
  expect((await api.call(mary, `POST /groups/${top.id}/share`, params)).statusCode).toBe(404)
  const shared = await api.call(owner, `POST /groups/${top.id}/share`, params)
  expect([shared.statusCode, shared.json()]).toMatchObject([
    201,
    { id: top.id, shared_with_groups: [{ group_id: team.id, group_access_level: 20 }] },
  ])
  expect((await api.call(mary, `GET /projects/${project.id}`)).statusCode).toBe(200)
  expect((await api.call(mary, `GET /groups/${sub.id}/members/all/${mary.id}`)).json()).toMatchObject({
    access_level: 20,
  })
  expect((await api.call(mary, `GET /groups/${team.id}/groups/shared`)).json()).toMatchObject([
    { id: top.id },
  ])
  await api.call(owner, `PUT /groups/${top.id}`, { share_with_group_lock: true })
  expect((await api.call(owner, `POST /projects/${project.id}/share`, params)).json()).toEqual({
    message: '400 Bad request - The project sharing with group is disabled',
  })
  expect((await api.call(owner, `DELETE /groups/${top.id}/share/${team.id}`)).statusCode).toBe(204)
  expect((await api.call(mary, `GET /projects/${project.id}`)).statusCode).toBe(404)
})

test('administrators move projects into groups', async () => {
  const { api, owner, top, project } = await openWithGroups()
  const path = `POST /groups/${top.id}/projects/top%2Fsub%2Fit`
  expect((await api.call(owner, path)).statusCode).toBe(403)
  expect((await api.call(api.root, path)).json()).toMatchObject({
    id: project.id,
    path_with_namespace: 'top/it',
  })
})

test('projects of a group are listed, with those of subgroups on request', async () => {
  const { api, owner, top, project } = await openWithGroups()
  expect((await api.call(owner, `GET /groups/${top.id}/projects`)).json()).toEqual([])
  const all = await api.call(owner, `GET /groups/${top.id}/projects?include_subgroups=true`)
  expect(all.json()).toMatchObject([{ id: project.id }])
  const none = await api.call(owner, `GET /groups/${top.id}/projects?include_subgroups=true&search=other`)
  expect(none.json()).toEqual([])
})

test('namespaces of the caller are listed, and a path can be checked for existence', async () => {
  const { api, owner, mary, top } = await openWithGroups()
  const token = { name: 'robot', scopes: ['api'], access_level: 30 }
  expect((await api.call(owner, `POST /groups/${top.id}/access_tokens`, token)).statusCode).toBe(201)
  const list = (await api.call(owner, 'GET /namespaces')).json<GroupRecord[]>()
  expect(list.map(({ full_path }) => full_path)).toEqual(['top/sub', 'top', 'owner'])
  expect(list[1]).toMatchObject({ kind: 'group', plan: 'default' })
  expect(list[1]).toMatchObject({ members_count_with_descendants: 2, billable_members_count: 1 })
  expect((await api.call(mary, `GET /namespaces/${top.id}`)).json()).toEqual({
    message: '404 Namespace Not Found',
  })
  const exists = async (path: string) => (await api.call(mary, `GET /namespaces/${path}`)).json<unknown>()
  expect(await exists('TOP/exists')).toEqual({ exists: true, suggests: ['TOP1'] })
  expect(await exists(`sub/exists?parent_id=${top.id}`)).toEqual({ exists: true, suggests: ['sub1'] })
  expect(await exists('free/exists')).toEqual({ exists: false, suggests: [] })
})

test('settings reserved for higher roles are refused', async () => {
  const { api, owner, top } = await openWithGroups()
  const forged = { id: 1, owner_id: 1, kind: 'user', full_path: 'root', shared_runners_minutes_limit: 9 }
  const changed = await api.call(owner, `PUT /groups/${top.id}`, { name: 'Top', ...forged })
  expect(changed.json()).toMatchObject({ id: top.id, full_path: 'top' })
  const [row] = await api.database.selectFrom('namespace').selectAll().where('id', '=', top.id).execute()
  expect(row).toMatchObject({ kind: 'group', owner_id: null, shared_runners_minutes_limit: null })
})

testAtNight(
  'groups that are invited, and those that a project or group could go to, are those that the caller sees',
  async () => {
    const { api, owner, mary, top, sub, project } = await openWithGroups()
    const open = await addGroup(api, owner, { name: 'Open', path: 'open', visibility: 'public' })
    const secret = await addGroup(api, owner, { name: 'Secret', path: 'secret' })
    const marys = await addGroup(api, mary, { name: 'Marys', path: 'marys' })
    const namesOf = async (as: Person, route: string) => {
      const response = await api.call(as, `GET ${route}`)
      if (response.statusCode !== 200) return response.statusCode
      return response.json<GroupRecord[]>().map(({ full_path }) => full_path)
    }
    await api.call(owner, `POST /projects/${project.id}/share`, { group_id: open.id, group_access: 30 })
    await api.call(owner, `POST /groups/${top.id}/share`, { group_id: secret.id, group_access: 30 })
    const invited = `/projects/${project.id}/invited_groups`
    expect(await namesOf(owner, invited)).toEqual(['open', 'secret'])
    expect(await namesOf(owner, `${invited}?relation[]=direct`)).toEqual(['open'])
    expect(await namesOf(owner, `${invited}?relation[]=inherited`)).toEqual(['secret'])
    expect(await namesOf(owner, `${invited}?search=cre&min_access_level=50`)).toEqual(['secret'])
    expect(await namesOf(owner, `/groups/${top.id}/invited_groups`)).toEqual(['secret'])
    expect(await namesOf(owner, `/groups/${sub.id}/invited_groups?relation[]=direct`)).toEqual([])
    await api.database
      .insertInto('member')
      .values({ project_id: project.id, user_id: mary.id, access_level: 40, created_at: 0 })
      .execute()
    expect(await namesOf(mary, invited)).toEqual(['open'])
    expect(await namesOf(mary, `${invited}?min_access_level=10`)).toEqual([])

    expect(await namesOf(owner, `/projects/${project.id}/share_locations`)).toEqual(['secret'])
    expect(await namesOf(mary, `/projects/${project.id}/share_locations`)).toEqual(['marys'])
    expect(await namesOf(mary, `/projects/${project.id}/transfer_locations`)).toBe(403)
    expect(await namesOf(owner, `/projects/${project.id}/transfer_locations`)).toEqual([
      'open',
      'secret',
      'top',
    ])
    expect(await namesOf(owner, `/groups/${sub.id}/transfer_locations`)).toEqual(['open', 'secret'])
    expect(await namesOf(owner, `/groups/${top.id}/transfer_locations?search=op`)).toEqual(['open'])
    expect(await namesOf(mary, `/groups/${top.id}/transfer_locations`)).toBe(404)
    expect(await namesOf(owner, `/groups/${marys.id}/transfer_locations`)).toBe(404)
  },
)
