import { expect, test } from 'vitest'

import { testAtNight } from '../../../support/nightly.js'
import { ED25519_KEY } from '../../accounts/users/example-keys.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { addProject, openPeopleApi, type PeopleApi } from '../../support/people-api.js'
import { setSettings } from '../../support/set-settings.js'
import { addPerson } from '../../support/test-app.js'

const URL = 'https://hooks.example.com/'

/** The events for system hooks, in order of occurrence. */
async function told({ database }: PeopleApi): Promise<object[]> {
  const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
  return events.map(({ facts }) => facts)
}

test('only administrators manage system hooks, and their secrets are not shown', async () => {
  const api = await openPeopleApi()
  const made = await api.call(api.root, 'POST /hooks', { url: URL, token: 'hidden', push_events: 1 })
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    {
      url: URL,
      push_events: true,
      tag_push_events: false,
      merge_requests_events: false,
      repository_update_events: true,
      enable_ssl_verification: true,
      alert_status: 'executable',
    },
  ])
  expect(made.body).not.toContain('hidden')
  const one = `/hooks/${made.json<{ id: number }>().id}`
  expect((await api.call(api.root, `PUT ${one}`, { tag_push_events: true })).json()).toMatchObject({
    url: URL,
    tag_push_events: true,
    push_events: true,
  })
  expect((await api.call(api.root, 'GET /hooks')).json()).toHaveLength(1)
  const wrong = await api.call(api.root, 'POST /hooks', { url: 'nothing' })
  expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: 'Invalid url given' }])
  const ann = await addPerson(api.database, 'ann')
  for (const route of [
    'GET /hooks',
    'POST /hooks',
    `GET ${one}`,
    `PUT ${one}`,
    `POST ${one}`,
    `DELETE ${one}`,
  ]) {
    expect((await api.call(ann, route, route.startsWith('P') ? { url: URL } : undefined)).statusCode).toBe(
      403,
    )
  }
  const statuses = []
  for (const route of [`GET ${one}`, `DELETE ${one}`, `GET ${one}`]) {
    statuses.push((await api.call(api.root, route)).statusCode)
  }
  expect(statuses).toEqual([200, 204, 404])
})

testAtNight('system hooks have headers and variables too', async () => {
  const api = await openPeopleApi()
  const made = await api.call(api.root, 'POST /hooks', {
    url: `${URL}{path}`,
    url_variables: [{ key: 'path', value: 'hidden' }],
  })
  const one = `/hooks/${made.json<{ id: number }>().id}`
  await api.call(api.root, `PUT ${one}/custom_headers/X-A`, { value: 'hidden' })
  const shown = await api.call(api.root, `GET ${one}`)
  expect(shown.json()).toMatchObject({ custom_headers: [{ key: 'X-A' }], url_variables: [{ key: 'path' }] })
  expect(shown.body).not.toContain('hidden')
  const statuses = []
  for (const key of ['X-A', 'X-A']) {
    statuses.push((await api.call(api.root, `DELETE ${one}/custom_headers/${key}`)).statusCode)
  }
  expect(statuses).toEqual([204, 404])
})

testAtNight(
  'system hooks reach the local network unless the settings forbid it, and other hooks do not',
  async () => {
    const api = await openPeopleApi()
    const receiver = await HookReceiver.start()
    const project = await addProject(api, api.root, { name: 'app' })
    const status = async (route: string, url = receiver.url) =>
      (await api.call(api.root, route, { url })).statusCode
    expect(await status(`POST /projects/${project.id}/hooks`)).toBe(422)
    expect(await status('POST /hooks')).toBe(201)
    expect(await status('POST /hooks/1')).toBe(201)
    expect(receiver.received).toHaveLength(1)
    await setSettings(api.services, { allow_local_requests_from_system_hooks: false })
    expect(await status('POST /hooks')).toBe(422)
    expect(await status('POST /hooks/1')).toBe(422)
    expect(receiver.received).toHaveLength(1)
    await setSettings(api.services, { outbound_local_requests_allowlist: ['127.0.0.1'] })
    expect(await status('POST /hooks/1')).toBe(201)
  },
)

testAtNight('project hooks and system hooks are separate', async () => {
  const api = await openPeopleApi()
  const project = await addProject(api, api.root, { name: 'app' })
  const own = await api.call(api.root, `POST /projects/${project.id}/hooks`, { url: URL })
  const system = await api.call(api.root, 'POST /hooks', { url: URL })
  const { id } = own.json<{ id: number }>()
  const { id: systemId } = system.json<{ id: number }>()
  expect((await api.call(api.root, `GET /hooks/${id}`)).statusCode).toBe(404)
  expect((await api.call(api.root, `GET /projects/${project.id}/hooks/${systemId}`)).statusCode).toBe(404)
  expect((await api.call(api.root, `GET /projects/${project.id}/hooks`)).json()).toHaveLength(1)
})

testAtNight('system hooks receive the creation, change and deletion of users and projects', async () => {
  const api = await openPeopleApi()
  await api.call(api.root, 'POST /hooks', { url: URL })
  const user = await api.call(api.root, 'POST /users', {
    username: 'ann',
    name: 'Ann',
    email: 'ann@example.com',
    force_random_password: true,
    skip_confirmation: true,
  })
  const { id } = user.json<{ id: number }>()
  await api.call(api.root, `PUT /users/${id}`, { username: 'anna' })
  const project = await addProject(api, api.root, { name: 'app' })
  await api.call(api.root, `PUT /projects/${project.id}`, { path: 'other' })
  await api.call(api.root, `PUT /projects/${project.id}`, { description: 'more' })
  await api.call(api.root, `DELETE /projects/${project.id}`)
  const ofProject = {
    name: 'app',
    project_id: project.id,
    project_namespace_id: expect.any(Number) as number,
    owner_name: 'root',
    owner_email: '[REDACTED]',
    owners: [{ name: 'root', email: '[REDACTED]' }],
    project_visibility: 'private',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
  }
  expect(await told(api)).toMatchObject([
    { event_name: 'user_create', user_id: id, username: 'ann', name: 'Ann', email: 'ann@example.com' },
    { event_name: 'user_rename', user_id: id, username: 'anna', old_username: 'ann' },
    { event_name: 'project_create', ...ofProject, path_with_namespace: 'root/app' },
    { event_name: 'user_add_to_team', project_id: project.id, user_username: 'root', access_level: 'Owner' },
    {
      event_name: 'project_rename',
      ...ofProject,
      path_with_namespace: 'root/other',
      old_path_with_namespace: 'root/app',
    },
    { event_name: 'project_update', ...ofProject },
    { event_name: 'project_destroy', ...ofProject, path_with_namespace: 'root/other' },
  ])
})

const TIMES = {
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
  updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
}

testAtNight('system hooks receive project members and access requests', async () => {
  const api = await openPeopleApi()
  const project = await addProject(api, api.root, { name: 'app', visibility: 'public' })
  const [ann, bob] = [await addPerson(api.database, 'ann'), await addPerson(api.database, 'bob')]
  await api.call(api.root, 'POST /hooks', { url: URL })
  const members = `/projects/${project.id}/members`
  const requests = `/projects/${project.id}/access_requests`
  await api.call(api.root, `POST ${members}`, { user_id: ann.id, access_level: 30 })
  await api.call(api.root, `POST ${members}`, { user_id: ann.id, access_level: 30 })
  await api.call(api.root, `PUT ${members}/${ann.id}`, { access_level: 40 })
  await api.call(ann, `DELETE ${members}/${ann.id}`)
  await api.call(bob, `POST ${requests}`)
  await api.call(api.root, `DELETE ${requests}/${bob.id}`)
  await api.call(bob, `POST ${requests}`)
  await api.call(api.root, `PUT ${requests}/${bob.id}/approve`, { access_level: 20 })
  const inProject = (event_name: string, who: { id: number; username: string }, access_level: string) => ({
    event_name,
    ...TIMES,
    access_level,
    project_id: project.id,
    project_name: 'app',
    project_path: 'app',
    project_path_with_namespace: 'root/app',
    project_visibility: 'public',
    user_id: who.id,
    user_name: who.username,
    user_username: who.username,
    user_email: '[REDACTED]',
  })
  expect(await told(api)).toEqual([
    inProject('user_add_to_team', ann, 'Developer'),
    inProject('user_update_for_team', ann, 'Maintainer'),
    inProject('user_remove_from_team', ann, 'Maintainer'),
    inProject('user_access_request_to_project', bob, 'Developer'),
    inProject('user_access_request_revoked_for_project', bob, 'Developer'),
    inProject('user_access_request_to_project', bob, 'Developer'),
    inProject('user_add_to_team', bob, 'Reporter'),
  ])
})

testAtNight('system hooks receive groups and their members', async () => {
  const api = await openPeopleApi()
  const ann = await addPerson(api.database, 'ann')
  await api.call(api.root, 'POST /hooks', { url: URL })
  const made = await api.call(api.root, 'POST /groups', { name: 'Team', path: 'team' })
  const { id } = made.json<{ id: number }>()
  const inner = await api.call(api.root, 'POST /groups', { name: 'In', path: 'in', parent_id: id })
  const { id: innerId } = inner.json<{ id: number }>()
  await api.call(api.root, `POST /groups/${innerId}/members`, { user_id: ann.id, access_level: 40 })
  await api.call(api.root, `POST /groups/${id}/members`, { user_id: ann.id, access_level: 30 })
  await api.call(api.root, `PUT /groups/${id}/members/${ann.id}`, { access_level: 40 })
  await api.call(api.root, `PUT /groups/${innerId}`, { path: 'inside' })
  await api.call(api.root, `DELETE /groups/${id}/members/${ann.id}`)
  await api.call(api.root, `DELETE /groups/${id}`)
  const outer = { group_id: id, group_name: 'Team', group_path: 'team' }
  const byAnn = { user_id: ann.id, user_name: 'ann', user_username: 'ann', user_email: '[REDACTED]' }
  expect(await told(api)).toMatchObject([
    { event_name: 'group_create', ...TIMES, group_id: id, name: 'Team', path: 'team' },
    { event_name: 'user_add_to_group', ...TIMES, ...outer, user_username: 'root', group_access: 'Owner' },
    { event_name: 'group_create', group_id: innerId, name: 'In', path: 'in' },
    { event_name: 'user_add_to_group', group_id: innerId, user_username: 'root' },
    { event_name: 'user_add_to_group', group_id: innerId, ...byAnn, group_access: 'Maintainer' },
    { event_name: 'user_add_to_group', ...outer, ...byAnn, group_access: 'Developer' },
    { event_name: 'user_update_for_group', ...outer, ...byAnn, group_access: 'Maintainer' },
    {
      event_name: 'group_rename',
      ...TIMES,
      group_id: innerId,
      name: 'In',
      path: 'inside',
      full_path: 'team/inside',
      old_path: 'in',
      old_full_path: 'team/in',
    },
    { event_name: 'user_remove_from_group', ...outer, ...byAnn },
    { event_name: 'user_remove_from_group', group_id: innerId, ...byAnn },
    { event_name: 'group_destroy', group_id: innerId, path: 'inside' },
    { event_name: 'group_destroy', ...TIMES, group_id: id, name: 'Team', path: 'team' },
  ])
})

testAtNight('system hooks receive the deletion of a user and of the projects deleted with it', async () => {
  const api = await openPeopleApi()
  const ann = await addPerson(api.database, 'ann')
  const project = await addProject(api, api.root, { name: 'app' })
  await api.call(api.root, 'POST /hooks', { url: URL })
  const key = ED25519_KEY.line
  const added = await api.call(ann, 'POST /user/keys', { title: 'laptop', key })
  const keyId = added.json<{ id: number }>().id
  await api.call(api.root, `POST /projects/${project.id}/members`, { user_id: ann.id, access_level: 30 })
  await api.call(api.root, `DELETE /users/${ann.id}`)
  const ofKey = { ...TIMES, id: keyId, username: 'ann', key }
  expect(await told(api)).toMatchObject([
    { event_name: 'key_create', ...ofKey },
    { event_name: 'user_add_to_team', user_id: ann.id },
    { event_name: 'user_remove_from_team', user_id: ann.id },
    { event_name: 'key_destroy', ...ofKey },
    { event_name: 'user_destroy', ...TIMES, user_id: ann.id, username: 'ann', name: 'ann' },
  ])
})

testAtNight('a rolled back change emits no event', async () => {
  const api = await openPeopleApi()
  const project = await addProject(api, api.root, { name: 'app' })
  await api.call(api.root, 'POST /hooks', { url: URL })
  const before = await told(api)
  const lastOwner = `DELETE /projects/${project.id}/members/${api.root.id}`
  expect((await api.call(api.root, lastOwner)).statusCode).toBe(403)
  expect((await api.call(api.root, `POST /projects/${project.id}/archive`)).statusCode).toBe(201)
  expect(await told(api)).toMatchObject([...before, { event_name: 'project_update', project_id: project.id }])
})
