import { expect, test } from 'vitest'

import { addProject, openPeopleApi, type PeopleApi } from '../../support/people-api.js'
import { addPerson } from '../../support/test-app.js'

const URL = 'https://hooks.example.com/'

/** What system hooks are to be told, in the order in which it happened. */
async function told({ database }: PeopleApi): Promise<object[]> {
  const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
  return events.map(({ facts }) => facts)
}

test('administrators alone make, show, change and delete system hooks, whose secrets are not shown', async () => {
  const api = await openPeopleApi()
  const made = await api.call(api.root, 'POST /hooks', { url: URL, token: 'hidden', push_events: 1 })
  expect([made.statusCode, made.json()]).toMatchObject([
    201,
    {
      ...{ url: URL, push_events: true, tag_push_events: false, merge_requests_events: false },
      ...{ repository_update_events: true, enable_ssl_verification: true, alert_status: 'executable' },
    },
  ])
  expect(made.body).not.toContain('hidden')
  const one = `/hooks/${made.json<{ id: number }>().id}`
  expect((await api.call(api.root, `PUT ${one}`, { tag_push_events: true })).json()).toMatchObject({
    ...{ url: URL, tag_push_events: true, push_events: true },
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

test('a hook of a project is none of the instance, and the other way round', async () => {
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

test('system hooks hear of users and projects that come, change and go', async () => {
  const api = await openPeopleApi()
  await api.call(api.root, 'POST /hooks', { url: URL })
  const user = await api.call(api.root, 'POST /users', {
    ...{ username: 'ann', name: 'Ann', email: 'ann@example.com', force_random_password: true },
    skip_confirmation: true,
  })
  const { id } = user.json<{ id: number }>()
  await api.call(api.root, `PUT /users/${id}`, { username: 'anna' })
  const project = await addProject(api, api.root, { name: 'app' })
  await api.call(api.root, `PUT /projects/${project.id}`, { path: 'other' })
  await api.call(api.root, `PUT /projects/${project.id}`, { description: 'more' })
  await api.call(api.root, `DELETE /projects/${project.id}`)
  const ofProject = {
    ...{ name: 'app', project_id: project.id, project_namespace_id: expect.any(Number) as number },
    ...{ owner_name: 'root', owner_email: '[REDACTED]', owners: [{ name: 'root', email: '[REDACTED]' }] },
    project_visibility: 'private',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
  }
  expect(await told(api)).toMatchObject([
    { event_name: 'user_create', user_id: id, username: 'ann', name: 'Ann', email: 'ann@example.com' },
    { event_name: 'user_rename', user_id: id, username: 'anna', old_username: 'ann' },
    { event_name: 'project_create', ...ofProject, path_with_namespace: 'root/app' },
    {
      event_name: 'project_rename',
      ...ofProject,
      ...{ path_with_namespace: 'root/other', old_path_with_namespace: 'root/app' },
    },
    { event_name: 'project_update', ...ofProject },
    { event_name: 'project_destroy', ...ofProject, path_with_namespace: 'root/other' },
  ])
})
