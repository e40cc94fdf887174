import { expect, test } from 'vitest'

import { changeAllowedRefs } from '../../../../src/coordinator/hosting/repositories/change/change-refs.js'
import { deleteActivityBefore } from '../../../../src/coordinator/integrations/activity-events/delete-old-activity.js'
import { ZERO_ID } from '../../../../src/git/names.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { addMember, addProject, openPeopleApi } from '../../support/people-api.js'
import { addRepositoryMember, openRepositoryApi, seedDefaultBranch } from '../../support/repository-api.js'
import { setSettings } from '../../support/set-settings.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'

interface EventRecord {
  action_name: string
  author_username: string
  push_data?: { commit_count: number; ref: string }
}

const DAY = 24 * 60 * 60 * 1000

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
}

describeOnDatabase('events', (open) => {
  test('of a group are those of the projects inside that the caller sees', async () => {
    const api = await openPeopleApi({ open })
    const mary = await addPerson(api.database, 'mary')
    const groups: number[] = []
    for (const path of ['top', 'sub', 'other']) {
      const parent_id = path === 'sub' ? groups[0] : undefined
      const params = { name: path, path, visibility: 'public', ...(parent_id && { parent_id }) }
      groups.push((await api.call(api.root, 'POST /groups', params)).json<{ id: number }>().id)
    }
    const [top, sub, other] = groups
    await addProject(api, api.root, { name: 'one', namespace_id: top, visibility: 'public' })
    await addProject(api, api.root, { name: 'two', namespace_id: sub, visibility: 'public' })
    const hidden = await addProject(api, api.root, { name: 'hidden', namespace_id: sub })
    await addProject(api, api.root, { name: 'apart', namespace_id: other, visibility: 'public' })
    const projectsOf = async (path: string, who: Person) =>
      (await api.call(who, `GET ${path}`))
        .json<{ project_id: number }[]>()
        .map(({ project_id }) => project_id)
    expect(await projectsOf(`/groups/${top}/events?sort=asc`, mary)).toEqual([1, 2])
    expect(await projectsOf(`/groups/${top}/events?action=created`, api.root)).toEqual([hidden.id, 2, 1])
    expect(await projectsOf(`/groups/${sub}/events`, mary)).toEqual([2])
    expect(await projectsOf(`/groups/${sub}/events?target_type=issue`, mary)).toEqual([])
  })

  testAtNight('record the creator of a project, new members and members who left', async () => {
    const api = await openPeopleApi({ open })
    const mary = await addPerson(api.database, 'mary')
    const { id } = await addProject(api, api.root, { name: 'it' })
    await addMember(api, api.root, id, mary, 30)
    await api.call(api.root, `PUT /projects/${id}/members/${mary.id}`, { access_level: 20 })
    await api.call(mary, `DELETE /projects/${id}/members/${mary.id}`)
    const list = await api.call(api.root, `GET /projects/${id}/events`)
    expect(list.json<EventRecord[]>().map((each) => [each.action_name, each.author_username])).toEqual([
      ['left', 'mary'],
      ['joined', 'mary'],
      ['created', 'root'],
    ])
    expect(list.json<object[]>()[2]).toEqual({
      id: 1,
      project_id: id,
      project_path: 'root/it',
      action_name: 'created',
      target_id: null,
      target_iid: null,
      target_type: null,
      target_title: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      author_id: api.root.id,
      author: {
        id: api.root.id,
        username: 'root',
        name: 'root',
        state: 'active',
        avatar_url: null,
        web_url: `${EXTERNAL_URL}/root`,
      },
      author_username: 'root',
    })
  })

  testAtNight('tell of every ref that was moved, and of the commits that came with it', async () => {
    const api = await openRepositoryApi(open)
    await seedDefaultBranch(api)
    const commit = (branch: string, path: string, more: object = {}) =>
      api.call(`POST /repository/files/${path}`, {
        branch,
        content: 'x',
        commit_message: `Add ${path}\n\nBecause.`,
        ...more,
      })
    await commit('x', 'a', { start_branch: 'main' })
    await commit('x', 'b')
    await api.call('POST /repository/tags', { tag_name: 'v1', ref: 'x' })
    await api.call('DELETE /repository/branches/x')
    const ids = (await api.git('rev-list', 'v1')).split('\n')
    const push = { ref: 'x', ref_type: 'branch', ref_count: null }
    const expected = [
      ['deleted', { ...push, action: 'removed', commit_from: ids[0], commit_to: null, commit_count: 0 }],
      ['pushed new', { ref: 'v1', ref_type: 'tag', action: 'created', commit_count: 0, commit_to: ids[0] }],
      [
        'pushed to',
        { ...push, action: 'pushed', commit_count: 1, commit_title: 'Add b', commit_from: ids[1] },
      ],
      [
        'pushed new',
        { ...push, action: 'created', commit_count: 1, commit_title: 'Add a', commit_from: null },
      ],
      ['created', undefined],
    ]
    // The second time the commits have been counted.
    for (let time = 1; time <= 2; time++) {
      const list = (await api.call('GET /events')).json<EventRecord[]>()
      expect(list.map((each) => [each.action_name, each.push_data])).toMatchObject(expected)
    }
  })

  testAtNight('of a push of many branches are one, with their number', async () => {
    const api = await openRepositoryApi(open)
    const first = await seedDefaultBranch(api)
    await setSettings(api.services, { push_event_activities_limit: 1 })
    const changes = ['x', 'y'].map((name) => ({ ref: `refs/heads/${name}`, before: ZERO_ID, after: first }))
    const signal = new AbortController().signal
    await changeAllowedRefs(api, { project: api.project, user: api.owner, signal }, changes)
    const [event] = (await api.call('GET /events')).json<EventRecord[]>()
    expect(event).toMatchObject({
      action_name: 'pushed new',
      push_data: {
        commit_count: 0,
        action: 'created',
        ref_type: 'branch',
        commit_from: null,
        commit_to: null,
        ref: null,
        commit_title: null,
        ref_count: 2,
      },
    })
  })

  testAtNight('are forgotten when they are too old, however many there are', async () => {
    const api = await openPeopleApi({ open })
    const { id } = await addProject(api, api.root, { name: 'it' })
    const old = { project_id: id, author_id: api.root.id, action: 'joined' as const }
    for (let batch = 0; batch < 5; batch++) {
      const rows = Array.from({ length: 500 }, (_, index) => ({ ...old, created_at: batch * 500 + index }))
      await api.database.insertInto('activity').values(rows).execute()
    }
    const stopped = AbortSignal.abort()
    expect(await deleteActivityBefore(api.database, 2400, stopped)).toBe(0)
    expect(await deleteActivityBefore(api.database, 2400, new AbortController().signal)).toBe(2400)
    const left = await api.database
      .selectFrom('activity')
      .select('created_at')
      .orderBy('created_at')
      .execute()
    expect(left).toHaveLength(101)
    expect(left[0]).toEqual({ created_at: 2400 })
  })
})

test('events about refs are shown only to users who may read the code', async () => {
  const api = await openRepositoryApi()
  await seedDefaultBranch(api)
  await api.call('POST /repository/branches', { branch: 'secret', ref: 'main' })
  const names = async (as: Person) =>
    (await api.call('GET /events', undefined, as)).json<EventRecord[]>().map(({ action_name }) => action_name)
  const guest = await addRepositoryMember(api, 'gus', 10)
  const reporter = await addRepositoryMember(api, 'rea', 20)
  expect(await names(guest)).toEqual(['created'])
  expect(await names(reporter)).toEqual(['pushed new', 'created'])
})

testAtNight('events are filtered by action, target type and day, and sorted in both directions', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const { id } = await addProject(api, api.root, { name: 'it' })
  await addMember(api, api.root, id, mary, 30)
  const names = async (query: string) =>
    (await api.call(api.root, `GET /projects/${id}/events?${query}`))
      .json<EventRecord[]>()
      .map(({ action_name }) => action_name)
  const both = ['created', 'joined']
  expect(await names('sort=asc')).toEqual(both)
  expect(await names('action=joined')).toEqual(['joined'])
  expect(await names('action=merged')).toEqual([])
  expect(await names('target_type=project')).toEqual(['created'])
  expect(await names('target_type=issue')).toEqual([])
  const [yesterday, today, tomorrow] = [dayFromNow(-1), dayFromNow(0), dayFromNow(1)]
  expect(await names(`sort=asc&after=${yesterday}&before=${tomorrow}`)).toEqual(both)
  expect(await names(`after=${today}`)).toEqual([])
  expect(await names(`before=${today}`)).toEqual([])
  const wrong = await api.call(api.root, `GET /projects/${id}/events?action=jumped`)
  expect(wrong.json()).toEqual({ error: 'action does not have a valid value' })
})

test('other users see events of projects they can access, unless the profile is private', async () => {
  const api = await openPeopleApi()
  const mary = await addPerson(api.database, 'mary')
  const eve = await addPerson(api.database, 'eve')
  await addProject(api, mary, { name: 'hidden' })
  const open = await addProject(api, mary, { name: 'open', visibility: 'public' })
  const projects = async (route: string, as = eve) =>
    (await api.call(as, route)).json<{ project_id: number }[]>().map(({ project_id }) => project_id)
  expect(await projects('GET /users/mary/events')).toEqual([open.id])
  expect(await projects(`GET /users/${mary.id}/events`, mary)).toHaveLength(2)
  expect(await projects('GET /events')).toEqual([])
  await addMember(api, mary, open.id, eve, 10)
  expect(await projects('GET /events?scope=all&action=created')).toEqual([open.id])
  await api.call(api.root, `PUT /users/${mary.id}`, { private_profile: true })
  expect(await projects('GET /users/mary/events')).toEqual([])
  expect((await api.call(undefined, 'GET /events')).statusCode).toBe(401)
  expect((await api.call(eve, 'GET /users/nobody/events')).json()).toEqual({ message: '404 User Not Found' })
})
