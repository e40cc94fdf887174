import { expect, test } from 'vitest'

import { deleteGroups } from '../../../../src/coordinator/accounts/groups/store.js'
import { ALL_TRIGGERS } from '../../../../src/coordinator/database/tables/webhooks.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { deleteProjectRow, hideProject } from '../../../../src/coordinator/hosting/projects/store.js'
import { emitPushEvents } from '../../../../src/coordinator/integrations/webhooks/outbox/emit-push-events.js'
import { refreshMergeRequestsFrom } from '../../../../src/coordinator/planning/merge-requests/refresh/refresh-from-project.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { addProject, type PeopleApi, peopleApiForFile } from '../../support/people-api.js'
import { addPerson, type Person } from '../../support/test-app.js'

const openPeopleApi = peopleApiForFile()

const URL = 'https://hooks.example.com/'

interface Situation {
  api: PeopleApi
  owner: Person
  group: number
  subgroup: number
  hooks: string
}

/** A group with a subgroup, of which the owner is a member. */
async function open(database: OpenDatabase = openSqlite): Promise<Situation> {
  const api = await openPeopleApi(database)
  const owner = await addPerson(api.database, 'ann')
  const group = await addGroup(api, owner, { name: 'top', path: 'top' })
  const subgroup = await addGroup(api, owner, { name: 'sub', path: 'sub', parent_id: group })
  return { api, owner, group, subgroup, hooks: `/groups/${group}/hooks` }
}

async function addGroup(api: PeopleApi, owner: Person, params: object): Promise<number> {
  return (await made(api, owner, 'POST /groups', params)).id
}

async function made(api: PeopleApi, who: Person, route: string, params: object): Promise<{ id: number }> {
  const response = await api.call(who, route, params)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

/** Events with their hooks, in the order of their delivery. */
async function waiting({ api }: Situation) {
  return api.database
    .selectFrom('hook_delivery')
    .innerJoin('hook_event', 'hook_event.id', 'hook_delivery.event_id')
    .select(['hook_delivery.hook_id', 'hook_event.project_id', 'hook_event.trigger', 'hook_event.facts'])
    .orderBy('hook_delivery.id')
    .execute()
}

function push({ api }: Situation, projectId: number, branch = 'main'): Promise<void> {
  const facts = { ref: `refs/heads/${branch}`, before: 'a', after: 'b', userId: api.root.id, options: [] }
  return inTransaction(api.database, (tx) => emitPushEvents(tx, projectId, facts))
}

test('a group hook has every flag, receives pushes by default, and hides its secrets', async () => {
  const at = await open()
  const { api, owner, hooks } = at
  const plain = await made(api, owner, `POST ${hooks}`, {
    url: `${URL}{place}`,
    token: 'hidden1',
    url_variables: [{ key: 'place', value: 'hidden2' }],
  })
  expect(plain).toMatchObject({
    ...Object.fromEntries(ALL_TRIGGERS.map((flag) => [flag, flag === 'push_events'])),
    group_id: at.group,
    url_variables: [{ key: 'place' }],
    custom_headers: [],
  })
  expect(plain).not.toHaveProperty('project_id')
  const one = `${hooks}/${plain.id}`
  await api.call(owner, `PUT ${one}/custom_headers/X-A`, { value: 'hidden3' })
  const all = Object.fromEntries(ALL_TRIGGERS.map((flag) => [flag, true]))
  expect((await api.call(owner, `PUT ${one}`, all)).json()).toMatchObject(all)
  const shown = await api.call(owner, `GET ${one}`)
  expect(shown.json()).toMatchObject({ ...all, custom_headers: [{ key: 'X-A' }] })
  expect(shown.body).not.toContain('hidden')
  const rows = await api.database.selectFrom('web_hook').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain('hidden')
  const statuses = []
  for (const route of [
    `DELETE ${one}/custom_headers/X-A`,
    `DELETE ${one}/custom_headers/X-A`,
    `DELETE ${one}`,
    `DELETE ${one}`,
    `GET ${one}`,
  ]) {
    statuses.push((await api.call(owner, route)).statusCode)
  }
  expect(statuses).toEqual([204, 404, 204, 204, 404])
})

test('only owners have to do with group hooks, and only with those of their own group', async () => {
  const { api, owner, group, subgroup, hooks } = await open()
  const hook = await made(api, owner, `POST ${hooks}`, { url: URL })
  const [maintainer, stranger] = [await addPerson(api.database, 'max'), await addPerson(api.database, 'eve')]
  await made(api, owner, `POST /groups/${group}/members`, { user_id: maintainer.id, access_level: 40 })
  for (const route of [
    `GET ${hooks}`,
    `POST ${hooks}`,
    `GET ${hooks}/${hook.id}`,
    `PUT ${hooks}/${hook.id}`,
  ]) {
    const body = route.startsWith('P') ? { url: URL } : undefined
    expect((await api.call(maintainer, route, body)).statusCode, route).toBe(403)
    expect((await api.call(stranger, route, body)).statusCode, route).toBe(404)
  }
  const elsewhere = `/groups/${subgroup}/hooks`
  expect((await api.call(owner, `GET ${elsewhere}`)).json()).toEqual([])
  expect((await api.call(owner, `GET ${elsewhere}/${hook.id}`)).statusCode).toBe(404)
  await api.call(owner, `DELETE ${elsewhere}/${hook.id}`)
  expect((await api.call(owner, `GET ${hooks}`)).json()).toMatchObject([{ id: hook.id }])
})

test('addresses of the local network and a 51st hook of a group are refused', async () => {
  const { api, owner, hooks } = await open()
  const local = await api.call(owner, `POST ${hooks}`, { url: 'http://127.0.0.1:1' })
  expect([local.statusCode, local.json()]).toEqual([
    422,
    { error: 'Url is blocked: Requests to localhost are not allowed' },
  ])
  await made(api, owner, `POST ${hooks}`, { url: URL })
  const { id: _, ...row } = await api.database.selectFrom('web_hook').selectAll().executeTakeFirstOrThrow()
  await api.database
    .insertInto('web_hook')
    .values(Array.from({ length: 49 }, () => row))
    .execute()
  const refused = await api.call(owner, `POST ${hooks}`, { url: URL })
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    { message: { base: ['Maximum number of group hooks (50) exceeded'] } },
  ])
})

testAtNight('group hooks are no system hooks and no project hooks', async () => {
  const at = await open()
  await made(at.api, at.owner, `POST ${at.hooks}`, { url: URL })
  const project = await addProject(at.api, at.owner, { name: 'app', namespace_id: at.group })
  expect((await at.api.call(at.api.root, 'GET /hooks')).json()).toEqual([])
  expect((await at.api.call(at.owner, `GET /projects/${project.id}/hooks`)).json()).toEqual([])
  await addPerson(at.api.database, 'new')
  await at.api.call(at.api.root, 'POST /users', {
    email: 'x@example.com',
    username: 'x',
    name: 'X',
    password: 'a-long-pass-word-1',
  })
  expect(await waiting(at)).toEqual([])
})

test('a test sends data of the group, or of a project that has it', async () => {
  const at = await open()
  const { api, owner, hooks, group } = at
  const hook = await made(api, owner, `POST ${hooks}`, { url: URL })
  const tried = await api.call(owner, `POST ${hooks}/${hook.id}/test/push_events`)
  expect([tried.statusCode, tried.json()]).toEqual([422, { message: 'Ensure the group has projects.' }])
  await addProject(api, owner, { name: 'app', namespace_id: group })
  const empty = await api.call(owner, `POST ${hooks}/${hook.id}/test/job_events`)
  expect([empty.statusCode, empty.json()]).toEqual([422, { message: 'Ensure the project has CI jobs.' }])
  const unknown = await api.call(owner, `POST ${hooks}/${hook.id}/test/other_events`)
  expect(unknown.statusCode).toBe(400)
})

describeOnDatabase('group hooks', (database) => {
  test('receive the events of the projects of the group and of its subgroups, once each', async () => {
    const at = await open(database)
    const { api, owner, group, subgroup } = at
    const upper = await made(api, owner, `POST ${at.hooks}`, { url: URL })
    const lower = await made(api, owner, `POST /groups/${subgroup}/hooks`, { url: URL })
    const project = await addProject(api, owner, { name: 'app', namespace_id: group })
    const inside = await addProject(api, owner, { name: 'inside', namespace_id: subgroup })
    const apart = await addProject(api, owner, { name: 'apart' })
    const own = await made(api, owner, `POST /projects/${inside.id}/hooks`, { url: URL })
    for (const { id } of [project, inside, apart]) await push(at, id)
    expect((await waiting(at)).map(({ hook_id, project_id }) => [hook_id, project_id])).toEqual([
      [upper.id, project.id],
      [upper.id, inside.id],
      [lower.id, inside.id],
      [own.id, inside.id],
    ])
  })
})

describeOnDatabase('group hooks', (database) => {
  test('receive nothing that their flags and their branch filter leave out', async () => {
    const at = await open(database)
    await made(at.api, at.owner, `POST ${at.hooks}`, { url: URL, push_events: false })
    const release = await made(at.api, at.owner, `POST ${at.hooks}`, {
      url: URL,
      push_events_branch_filter: 'release/*',
    })
    const project = await addProject(at.api, at.owner, { name: 'app', namespace_id: at.group })
    await push(at, project.id)
    await push(at, project.id, 'release/1')
    expect(await waiting(at)).toMatchObject([{ hook_id: release.id, facts: { ref: 'refs/heads/release/1' } }])
  })

  testAtNight('receive members, subgroups and projects that are added and removed', async () => {
    const at = await open(database)
    const { api, owner, subgroup } = at
    const flags = { push_events: false, member_events: true, subgroup_events: true, project_events: true }
    const hook = await made(api, owner, `POST ${at.hooks}`, { url: URL, ...flags })
    const bob = await addPerson(api.database, 'bob')
    const member = `/groups/${subgroup}/members`
    await made(api, owner, `POST ${member}`, {
      user_id: bob.id,
      access_level: 30,
      expires_at: '2099-01-02',
    })
    await api.call(owner, `PUT ${member}/${bob.id}`, { access_level: 40 })
    await api.call(owner, `DELETE ${member}/${bob.id}`)
    const project = await addProject(api, owner, { name: 'app', namespace_id: subgroup })
    await hideProject({ database: api.database, onHidden: refreshMergeRequestsFrom }, project.id)
    await deleteProjectRow(api.database, project.id)
    const deep = await addGroup(api, owner, { name: 'deep', path: 'deep', parent_id: subgroup })
    await inTransaction(api.database, (tx) => deleteGroups(tx, deep))
    const all = await waiting(at)
    expect(all.map(({ hook_id }) => hook_id)).toEqual(all.map(() => hook.id))
    expect(all.map(({ trigger, facts }) => [trigger, facts])).toMatchObject([
      [
        'member_events',
        {
          event_name: 'user_add_to_group',
          group_id: subgroup,
          group_name: 'sub',
          group_path: 'sub',
          group_access: 'Developer',
          group_plan: null,
          user_id: bob.id,
          user_username: 'bob',
          user_email: '[REDACTED]',
          expires_at: expect.stringMatching(/^2099-01-0/) as unknown,
        },
      ],
      ['member_events', { event_name: 'user_update_for_group', group_access: 'Maintainer' }],
      ['member_events', { event_name: 'user_remove_from_group' }],
      ['project_events', { event_name: 'project_create', path_with_namespace: 'top/sub/app' }],
      ['project_events', { event_name: 'project_destroy', project_id: project.id }],
      [
        'subgroup_events',
        {
          event_name: 'subgroup_create',
          group_id: deep,
          full_path: 'top/sub/deep',
          parent_group_id: subgroup,
          parent_full_path: 'top/sub',
        },
      ],
      ['member_events', { event_name: 'user_add_to_group', user_id: owner.id }],
      ['subgroup_events', { event_name: 'subgroup_destroy', group_id: deep }],
    ])
  })

  test('go with their group, and pending deliveries with the project of the event', async () => {
    const at = await open(database)
    const { api, owner, subgroup } = at
    await made(api, owner, `POST ${at.hooks}`, { url: URL })
    await made(api, owner, `POST /groups/${subgroup}/hooks`, { url: URL })
    const project = await addProject(api, owner, { name: 'app', namespace_id: subgroup })
    await push(at, project.id)
    expect(await waiting(at)).toHaveLength(2)
    await hideProject({ database: api.database, onHidden: refreshMergeRequestsFrom }, project.id)
    await deleteProjectRow(api.database, project.id)
    expect(await waiting(at)).toEqual([])
    await inTransaction(api.database, (tx) => deleteGroups(tx, subgroup))
    const left = await api.database.selectFrom('web_hook').select('group_id').execute()
    expect(left).toEqual([{ group_id: at.group }])
  })
})
