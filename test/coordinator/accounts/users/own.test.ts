import { expect, test } from 'vitest'

import type { Membership } from '../../../../src/coordinator/accounts/users/memberships/schema.js'
import { addMember, addProject, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

const NO_STATUS = {
  emoji: null,
  message: null,
  message_html: '',
  availability: 'not_set',
  clear_status_at: null,
}

test('a status is set as a whole, is public, and is cleared when both parts are empty', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  expect((await api.call(mary, 'GET /user/status')).json()).toEqual(NO_STATUS)
  const set = await api.call(mary, 'PUT /user/status', {
    message: '<b>away</b> :coffee:',
    availability: 'busy',
  })
  expect(set.json()).toEqual({
    emoji: 'speech_balloon',
    message: '<b>away</b> :coffee:',
    availability: 'busy',
    message_html: '&lt;b&gt;away&lt;/b&gt; :coffee:',
    clear_status_at: null,
  })
  for (const who of [mary.id, 'mary', 'MARY']) {
    expect((await api.call(undefined, `GET /users/${who}/status`)).json()).toEqual(set.json())
  }
  await api.call(mary, 'PUT /user/status', { emoji: 'coffee' })
  expect((await api.call(mary, 'GET /user/status')).json()).toMatchObject({ emoji: 'coffee', message: null })
  await api.call(mary, 'PUT /user/status', { emoji: '', message: '' })
  expect((await api.call(mary, 'GET /user/status')).json()).toEqual(NO_STATUS)
  expect((await api.call(undefined, 'GET /users/nobody/status')).json()).toEqual({
    message: '404 User Not Found',
  })
})

test('a status is cleared when it expires', async () => {
  const api = await openPeopleApi()
  const set = await api.call(api.root, 'PUT /user/status', { emoji: 'tea', clear_status_after: '30_minutes' })
  const { clear_status_at } = set.json<{ clear_status_at: string }>()
  expect(Date.parse(clear_status_at)).toBeGreaterThan(Date.now())
  await api.database
    .updateTable('user_status')
    .set({ clear_at: Date.now() - 1 })
    .execute()
  expect((await api.call(api.root, 'GET /user/status')).json()).toEqual(NO_STATUS)
  const wrong = await api.call(api.root, 'PUT /user/status', { emoji: 'tea', clear_status_after: '1_year' })
  expect(wrong.json()).toEqual({ error: 'clear_status_after does not have a valid value' })
  expect((await api.call(api.root, 'PUT /user/status', { emoji: '<i>' })).json()).toEqual({
    error: 'emoji is invalid',
  })
})

test('preferences are changed one by one', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const changed = await api.call(mary, 'PUT /user/preferences', { view_diffs_file_by_file: true, user_id: 1 })
  expect(changed.json()).toEqual({
    id: mary.id,
    user_id: mary.id,
    view_diffs_file_by_file: true,
    show_whitespace_in_diffs: true,
    pass_user_identities_to_ci_jwt: false,
  })
  expect((await api.call(mary, 'GET /user/preferences')).json()).toEqual(changed.json())
  expect((await api.call(mary, 'PUT /user/preferences', {})).statusCode).toBe(400)
})

test('users change their own profile, and nothing that administrators decide', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const changed = await api.call(mary, 'PUT /user', {
    name: 'Mary Ann',
    bio: 'Builds parsers',
    private_profile: true,
    admin: true,
    projects_limit: 7,
    email: 'other@example.com',
  })
  expect(changed.json()).toMatchObject({ name: 'Mary Ann', bio: 'Builds parsers', private_profile: true })
  expect(changed.json()).toMatchObject({ email: mary.email, projects_limit: 100_000 })
  const { is_admin } = await api.database
    .selectFrom('user')
    .select('is_admin')
    .where('id', '=', mary.id)
    .executeTakeFirstOrThrow()
  expect(is_admin).toBe(false)
  // An empty text clears the field.
  expect((await api.call(mary, 'PUT /user', { bio: '' })).json()).toMatchObject({ bio: null })
  const stolen = await api.call(mary, 'PUT /user', { commit_email: 'root@example.com' })
  expect([stolen.statusCode, stolen.json()]).toEqual([
    400,
    { message: { commit_email: ['is not an email you own'] } },
  ])
  expect((await api.call(mary, 'PUT /user', { admin: true })).statusCode).toBe(400)
  expect((await api.call(undefined, 'PUT /user', { name: 'x' })).statusCode).toBe(401)
})

test('people follow each other', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const path = `/users/${mary.id}`
  const followed = await api.call(api.root, `POST ${path}/follow`)
  expect([followed.statusCode, followed.json()]).toEqual([201, expect.objectContaining({ id: mary.id })])
  expect((await api.call(api.root, `POST ${path}/follow`)).statusCode).toBe(304)
  expect((await api.call(api.root, `GET ${path}`)).json()).toMatchObject({ followers: 1, is_followed: true })
  expect((await api.call(mary, `GET ${path}/followers`)).json()).toMatchObject([{ username: 'root' }])
  expect((await api.call(mary, `GET /users/${api.root.id}/following`)).json()).toMatchObject([
    { id: mary.id },
  ])
  expect((await api.call(api.root, `POST ${path}/unfollow`)).statusCode).toBe(201)
  expect((await api.call(api.root, `POST ${path}/unfollow`)).statusCode).toBe(304)
  expect((await api.call(mary, `POST ${path}/follow`)).statusCode).toBe(400)
  expect((await api.call(mary, 'POST /users/999/follow')).statusCode).toBe(404)
})

test('memberships are shown to administrators; their count also to the user', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const paul = await addPerson(api.database, 'paul')
  const project = await addProject(api, api.root, { name: 'app' })
  await addMember(api, api.root, project.id, mary, 30)
  const path = `/users/${mary.id}`
  expect((await api.call(api.root, `GET ${path}/memberships`)).json()).toEqual([
    {
      source_id: project.id,
      source_name: 'app',
      source_full_path: 'root/app',
      source_type: 'Project',
      access_level: 30,
    },
  ])
  expect((await api.call(api.root, `GET ${path}/memberships?type=Namespace`)).json()).toEqual([])
  const now = Date.now()
  await api.database
    .insertInto('issue')
    .values({
      project_id: project.id,
      iid: 1,
      author_id: mary.id,
      title: 'Broken',
      created_at: now,
      updated_at: now,
    })
    .execute()
  expect((await api.call(mary, `GET ${path}/associations_count`)).json()).toEqual({
    projects_count: 1,
    groups_count: 0,
    issues_count: 1,
    merge_requests_count: 0,
  })
  expect((await api.call(paul, `GET ${path}/associations_count`)).statusCode).toBe(403)
  expect((await api.call(api.root, `GET ${path}`)).json()).toMatchObject({ highest_role: 30 })
})

test('memberships are shown to users as far as they see the groups and projects', async () => {
  const api = await openPeopleApi()
  const [mary, paul] = [await addPerson(api.database, 'mary'), await addPerson(api.database, 'paul')]
  const path = `GET /users/${mary.id}/memberships`
  const seenBy = async (person: Person) =>
    (await api.call(person, path)).json<Membership[]>().map(({ source_full_path: full }) => full)
  const project = await addProject(api, api.root, { name: 'app' })
  await addMember(api, api.root, project.id, mary, 30)
  for (const [name, visibility] of [
    ['crew', 'internal'],
    ['secret', 'private'],
  ]) {
    const group = await api.call(api.root, 'POST /groups', { name, path: name, visibility })
    const member = { user_id: mary.id, access_level: 20 }
    await api.call(api.root, `POST /groups/${group.json<{ id: number }>().id}/members`, member)
  }
  expect(await seenBy(mary)).toEqual(['root/app', 'crew', 'secret'])
  expect(await seenBy(paul)).toEqual(['crew'])
  await addMember(api, api.root, project.id, paul, 10)
  expect(await seenBy(paul)).toEqual(['root/app', 'crew'])
  await api.call(mary, 'PUT /user', { private_profile: true })
  expect((await api.call(paul, path)).statusCode).toBe(404)
  expect(await seenBy(mary)).toHaveLength(3)
  expect((await api.call(undefined, path)).statusCode).toBe(401)
})

test('administrators list user activity since a date', async () => {
  const api = await openPeopleApi()
  const at = Date.parse('2026-01-31T10:00:00Z')
  await api.database.updateTable('user_profile').set({ last_activity_at: at }).execute()
  expect((await api.call(api.root, 'GET /user/activities?from=2026-01-31')).json()).toEqual([
    { username: 'root', last_activity_on: '2026-01-31', last_activity_at: '2026-01-31T10:00:00.000Z' },
  ])
  expect((await api.call(api.root, 'GET /user/activities?from=2026-02-01')).json()).toEqual([])
})

test('custom attributes require an administrator and can be used as filter', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const path = `/users/${mary.id}/custom_attributes`
  const set = await api.call(api.root, `PUT ${path}/cost-center`, { value: '12' })
  expect(set.json()).toEqual({ key: 'cost-center', value: '12' })
  expect((await api.call(api.root, `GET ${path}`)).json()).toEqual([{ key: 'cost-center', value: '12' }])
  const found = async (as: typeof mary, query: string) =>
    (await api.call(as, `GET /users?${query}`)).json<{ username: string }[]>()
  expect(
    await found(api.root, 'custom_attributes[cost-center]=12&with_custom_attributes=true'),
  ).toMatchObject([{ username: 'mary', custom_attributes: [{ key: 'cost-center', value: '12' }] }])
  expect(await found(api.root, 'custom_attributes[cost-center]=13')).toEqual([])
  const hidden = await found(mary, 'custom_attributes[cost-center]=13&with_custom_attributes=true')
  expect(hidden.map(Object.keys).flat()).not.toContain('custom_attributes')
  expect(hidden).toHaveLength(2)
  expect((await api.call(mary, `GET ${path}`)).statusCode).toBe(403)
  expect((await api.call(api.root, `DELETE ${path}/cost-center`)).statusCode).toBe(204)
  expect((await api.call(api.root, `GET ${path}/cost-center`)).statusCode).toBe(404)
})
