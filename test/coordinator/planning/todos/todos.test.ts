import { expect, test } from 'vitest'

import { describeOnDatabase, describeOnEachDatabase, openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { type Made, openPlanningScene, type PlanningScene } from '../support/planning-scene.js'

const planningScene = sceneForFile(openPlanningScene)

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

interface Todo {
  id: number
  action_name: string
  body: string
}

/** `action of title` of each item, the newest first. */
async function todos({ ok }: PlanningScene, as: Person, query = ''): Promise<string[]> {
  const items = await ok<Todo[]>(`GET /todos?${query}`, undefined, as)
  return items.map(({ action_name, body }) => `${action_name} ${body}`)
}

describeOnDatabase('a to-do item', (open) => {
  test('is created by its user, once while it is pending, and marked as done', async () => {
    const scene = await planningScene(open)
    const { call, ok, person, project, P } = scene
    const mary = await person('mary')
    const issue = await ok(`POST ${P}/issues`, { title: 'a' })
    const create = (as: Person | null = mary) => call(`POST ${P}/issues/1/todo`, {}, as)
    const created = await create()
    const record = {
      id: expect.any(Number) as number,
      project: {
        id: project,
        name: 'app',
        name_with_namespace: 'Team / app',
        path: 'app',
        path_with_namespace: 'team/app',
      },
      author: expect.objectContaining({ username: 'mary' }) as unknown,
      action_name: 'marked',
      target_type: 'Issue',
      target: expect.objectContaining({ id: issue.id, iid: 1, title: 'a' }) as unknown,
      target_url: `${EXTERNAL_URL}/team/app/-/issues/1`,
      body: 'a',
      state: 'pending',
      created_at: TIME,
      updated_at: TIME,
    }
    expect(created).toEqual([201, record])
    expect(await create()).toEqual([304, ''])
    expect((await create(null))[0]).toBe(401)
    expect(await call('GET /todos', undefined, mary)).toEqual([200, [record]])
    expect(await call('GET /todos')).toEqual([200, []])
    expect((await call('GET /todos', undefined, null))[0]).toBe(401)
    expect(await ok('GET /user_counts', undefined, mary)).toMatchObject({ todos: 1 })

    const done = `POST /todos/${(created[1] as Made).id}/mark_as_done`
    expect(await call(done)).toEqual([404, { message: '404 Not found' }])
    const finished = [201, { ...record, state: 'done' }]
    expect([await call(done, {}, mary), await call(done, {}, mary)]).toEqual([finished, finished])
    expect(await todos(scene, mary)).toEqual([])
    expect(await todos(scene, mary, 'state=done')).toEqual(['marked a'])
    expect(await ok('GET /user_counts', undefined, mary)).toMatchObject({ todos: 0 })

    const undo = `POST /todos/${(created[1] as Made).id}/mark_as_pending`
    expect(await call(undo)).toEqual([404, { message: '404 Not found' }])
    const pending = [201, record]
    expect([await call(undo, {}, mary), await call(undo, {}, mary)]).toEqual([pending, pending])
    await call(done, {}, mary)
    expect((await create())[0]).toBe(201)
    // Its user has a newer one about the same issue.
    expect(await call(undo, {}, mary)).toEqual(finished)
  })
})

describeOnEachDatabase('a to-do item', (open, testOnOne) => {
  test('is created once when several requests come at once', async () => {
    const { call, ok, P } = await planningScene(open)
    await ok(`POST ${P}/issues`, { title: 'a' })
    const responses = await Promise.all([1, 2, 3, 4].map(() => call(`POST ${P}/issues/1/todo`)))
    expect(responses.map(([status]) => status).toSorted((a, b) => a - b)).toEqual([201, 304, 304, 304])
  })

  testOnOne('is listed by the filters, and marked as done with others', async () => {
    const scene = await planningScene(open)
    const { call, ok, person, root, project, group, P, O } = scene
    const mary = await person('mary', `/groups/${group}`, 20)
    await ok(`POST ${P}/issues`, { title: 'a', assignee_ids: [mary.id] })
    await ok(`POST ${P}/issues`, { title: 'b', description: 'Ask @Mary.' })
    await ok(`POST ${O}/issues`, { title: 'c', description: '@mary, look' })
    await ok(`POST ${O}/issues`, { title: 'd' })
    await ok(`POST ${O}/issues/2/todo`, {}, mary)
    const all = ['marked d', 'directly_addressed c', 'mentioned b', 'assigned a']
    const list = (query = '') => todos(scene, mary, query)
    expect(await list()).toEqual(all)
    expect(await list('per_page=2&page=2')).toEqual(all.slice(2))
    expect(await list('action=mentioned')).toEqual(['mentioned b'])
    expect(await list('action=review_requested')).toEqual([])
    expect(await list(`author_id=${root.id}`)).toEqual(all.slice(1))
    expect(await list(`author_id=${mary.id}`)).toEqual(['marked d'])
    expect(await list(`project_id=${project}`)).toEqual(all.slice(2))
    expect(await list(`group_id=${group}`)).toEqual(all)
    expect(await list('group_id=999')).toEqual([])
    expect(await list('type=Issue')).toEqual(all)
    expect([await list('type=MergeRequest'), await list('type=Commit')]).toEqual([[], []])
    expect((await call('GET /todos?type=Nothing'))[0]).toBe(400)

    expect(await call(`POST /todos/mark_as_done`, { project_id: project }, mary)).toEqual([204, ''])
    expect(await list()).toEqual(all.slice(0, 2))
    expect(await call('POST /todos/mark_as_done', {}, mary)).toEqual([204, ''])
    expect([await list(), await list('state=done')]).toEqual([[], all])
  })
})

describeOnDatabase('a to-do item', (open) => {
  test('is about an issue that its user may see', async () => {
    const scene = await planningScene(open)
    const { call, ok, person, P, O } = scene
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    const author = await person('author')
    const text = '@guest, @reporter, @author and @nobody'
    await ok(`POST ${P}/issues`, { title: 'a', description: text, confidential: true }, author)
    expect(await todos(scene, guest)).toEqual([])
    expect(await todos(scene, reporter)).toEqual(['directly_addressed a'])
    expect(await todos(scene, author)).toEqual(['directly_addressed a'])
    await ok(`POST ${O}/issues`, { title: 'b', description: text })
    expect(await todos(scene, reporter)).toHaveLength(1)
    // What is hidden later is hidden in items, too.
    await ok(`POST ${P}/issues`, { title: 'c', description: text })
    const [todo] = await ok<Todo[]>('GET /todos', undefined, guest)
    await ok(`PUT ${P}/issues/2`, { confidential: true })
    expect(await todos(scene, guest)).toEqual([])
    expect((await call(`POST /todos/${todo?.id}/mark_as_done`, {}, guest))[0]).toBe(404)
    await ok(`PUT ${P}`, { issues_access_level: 'disabled' })
    expect(await todos(scene, reporter)).toEqual([])
    expect((await call(`POST ${P}/issues/1/todo`, {}, guest))[0]).toBe(403)
  })
})

describeOnDatabase('to-do items of an issue', (open) => {
  test('come with assignments, and go when users are unassigned', async () => {
    const scene = await planningScene(open)
    const { ok, person, P } = scene
    const [mary, bob] = [await person('mary', P, 20), await person('bob', P, 20)]
    await ok(`POST ${P}/issues`, { title: 'a' })
    const assign = (assignee_ids: number[], as?: Person) => ok(`PUT ${P}/issues/1`, { assignee_ids }, as)
    await assign([mary.id])
    await assign([mary.id, bob.id], bob)
    expect([await todos(scene, mary), await todos(scene, bob)]).toEqual([['assigned a'], ['assigned a']])
    await assign([bob.id])
    expect([await todos(scene, mary), await todos(scene, bob)]).toEqual([[], ['assigned a']])
    await ok(`PUT ${P}/issues/1`, { weight: 3 })
    expect(await todos(scene, bob)).toEqual(['assigned a'])
    await ok(`POST ${P}/issues/1/award_emoji`, { name: 'tada' }, bob)
    expect(await todos(scene, bob)).toEqual([])
  })

  test('come with mentions outside of code that are new', async () => {
    const scene = await planningScene(open)
    const { ok, person, P } = scene
    const [mary, bob] = [await person('mary'), await person('bob')]
    await ok(`POST ${P}/issues`, {
      title: 'a',
      description: 'mail@bob.example\n`@bob`\n\n    @bob\n\nSee @mary',
    })
    expect([await todos(scene, mary), await todos(scene, bob)]).toEqual([['mentioned a'], []])
    await ok('POST /todos/mark_as_done', {}, mary)
    await ok(`PUT ${P}/issues/1`, { description: '@mary and @bob\n' })
    expect([await todos(scene, mary), await todos(scene, bob)]).toEqual([[], ['mentioned a']])
    await ok('POST /todos/mark_as_done', {}, bob)
    await ok(`PUT ${P}/issues/1`, { title: 'b' })
    expect(await todos(scene, bob)).toEqual([])
  })

  testAtNight('are done when it is closed or moved, and end when it is deleted', async () => {
    const scene = await planningScene(open)
    const { ok, person, group, other, P } = scene
    const mary = await person('mary', `/groups/${group}`, 20)
    for (const title of ['a', 'b', 'c']) await ok(`POST ${P}/issues`, { title, assignee_ids: [mary.id] })
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
    expect(await todos(scene, mary)).toEqual(['assigned c', 'assigned b'])
    await ok(`DELETE ${P}/issues/2`)
    expect(await todos(scene, mary)).toEqual(['assigned c'])
    const moved = await ok(`POST ${P}/issues/3/move`, { to_project_id: other })
    expect(await todos(scene, mary)).toEqual(['assigned c'])
    expect(await ok('GET /todos', undefined, mary)).toMatchObject([{ target: { id: moved.id } }])
  })
})

describeOnDatabase('to-do items of a merge request', (open) => {
  testAtNight(
    'come with assignments, requests for review and mentions, and are done when it is closed',
    async () => {
      const scene = await planningScene(open)
      const { call, ok, person, propose, P } = scene
      const [mary, bob, cyd] = [
        await person('mary', P, 30),
        await person('bob', P, 30),
        await person('cyd', P, 10),
      ]
      const { id } = await propose('a', { assignee_ids: [mary.id], description: '@bob, ask @cyd' })
      const all = async () => [await todos(scene, mary), await todos(scene, bob), await todos(scene, cyd)]
      expect(await all()).toEqual([['assigned a'], ['directly_addressed a'], ['mentioned a']])
      const [record] = await ok<object[]>('GET /todos?type=MergeRequest', undefined, mary)
      expect(record).toMatchObject({
        project: { path_with_namespace: 'team/app' },
        target_type: 'MergeRequest',
        target: { id, iid: 1, title: 'a', source_branch: 'a', reviewers: [] },
        target_url: `${EXTERNAL_URL}/team/app/-/merge_requests/1`,
        body: 'a',
      })
      expect(await todos(scene, mary, 'type=Issue')).toEqual([])
      const edit = (body: object) => ok(`PUT ${P}/merge_requests/1`, body)
      await ok('POST /todos/mark_as_done', {}, bob)
      await edit({ assignee_ids: [], reviewer_ids: [bob.id] })
      expect(await all()).toEqual([[], ['review_requested a'], ['mentioned a']])
      await ok(`POST ${P}/merge_requests/1/award_emoji`, { name: 'eyes' }, cyd)
      expect(await all()).toEqual([[], ['review_requested a'], []])
      const mark = () => call(`POST ${P}/merge_requests/1/todo`, {}, cyd)
      expect(await mark()).toMatchObject([201, { action_name: 'marked', author: { username: 'cyd' } }])
      expect(await mark()).toEqual([304, ''])
      await edit({ state_event: 'close' })
      expect(await all()).toEqual([[], [], []])
      await edit({ state_event: 'reopen' })
      expect(await all()).toEqual([[], [], []])
    },
  )

  test('are about one that their users may see', async () => {
    const scene = await planningScene(open)
    const { call, ok, person, propose, P } = scene
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    await propose('a', { description: '@guest @reporter' })
    await ok(`PUT ${P}`, { visibility: 'private' })
    expect([await todos(scene, guest), await todos(scene, reporter)]).toEqual([[], ['directly_addressed a']])
    await ok(`PUT ${P}/merge_requests/1`, { description: '' })
    await ok('POST /todos/mark_as_done', {}, guest)
    await ok(`PUT ${P}/merge_requests/1`, { description: '@guest' })
    expect(
      await scene.database.selectFrom('todo').select('id').where('state', '=', 'pending').execute(),
    ).toHaveLength(1)
    expect((await call(`POST ${P}/merge_requests/1/todo`, {}, guest))[0]).toBe(403)
  })
})

testAtNight('a comment mentions people, and who writes one has dealt with his own items', async () => {
  const { ok, person, P } = await planningScene(openSqlite)
  const [ann, bob] = [await person('ann', P, 30), await person('bob', P, 10)]
  await ok(`POST ${P}/issues`, { title: 'a' })
  const { id } = await ok(`POST ${P}/issues/1/notes`, { body: '@ann please, cc @bob and @nobody' })
  const actions = async (as: typeof ann) =>
    (await ok<{ action_name: string }[]>('GET /todos', undefined, as)).map(({ action_name }) => action_name)
  expect(await actions(ann)).toEqual(['directly_addressed'])
  expect(await actions(bob)).toEqual(['mentioned'])
  await ok(`POST ${P}/issues/1/notes`, { body: 'Done' }, ann)
  expect(await actions(ann)).toEqual([])
  await ok(`PUT ${P}/issues/1/notes/${id}`, { body: '@ann please, cc @bob!' })
  expect(await actions(ann)).toEqual([])
  await ok(`POST ${P}/issues/1/notes`, { body: '@ann internal', internal: true })
  expect(await actions(ann)).toEqual([])
})
