import { expect, test } from 'vitest'

import {
  deleteUser,
  finishUserDeletions,
} from '../../../../src/coordinator/accounts/users/deletion/delete-user.js'
import { accountDeps } from '../../../../src/coordinator/start/account-deps.js'
import { describeOnDatabase, describeOnEachDatabase, openSqlite } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { type Made, openPlanningScene, type PlanningScene } from '../support/planning-scene.js'

const planningScene = sceneForFile(openPlanningScene)

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
const HIDDEN = [404, { message: '404 Not found' }]

function refused(why = ''): unknown {
  return [404, { message: `404 Award Emoji${why} Not Found` }]
}

async function titles({ ok }: PlanningScene, path: string, as?: PlanningScene['root']): Promise<string[]> {
  return (await ok<{ title: string }[]>(`GET ${path}`, undefined, as)).map(({ title }) => title)
}

describeOnDatabase('an emoji of an issue', (open) => {
  test('is added, read, listed and deleted', async () => {
    const { call, ok, person, root, P } = await planningScene(open)
    const stranger = await person('stranger')
    const issue = await ok(`POST ${P}/issues`, { title: 'a' })
    const path = `${P}/issues/1/award_emoji`
    const created = await call(`POST ${path}`, { name: 'rocket' })
    const record = {
      id: expect.any(Number) as number,
      name: 'rocket',
      user: expect.objectContaining({ id: root.id, username: 'root' }) as unknown,
      created_at: TIME,
      updated_at: TIME,
      awardable_id: issue.id,
      awardable_type: 'Issue',
      url: null,
    }
    expect(created).toEqual([201, record])
    await ok(`POST ${path}`, { name: 'thumbsup' }, stranger)
    const { id } = created[1] as Made
    for (const as of [root, null])
      expect(await call(`GET ${path}/${id}`, undefined, as)).toEqual([200, record])
    expect(await call(`GET ${path}`)).toMatchObject([
      200,
      [record, { name: 'thumbsup', user: { username: 'stranger' } }],
    ])
    expect(await call(`GET ${path}?per_page=1&page=2`)).toMatchObject([200, [{ name: 'thumbsup' }]])
    expect((await call(`DELETE ${path}/${id}`, undefined, null))[0]).toBe(401)
    expect(await call(`DELETE ${path}/${id}`, undefined, stranger)).toEqual([
      401,
      { message: '401 Unauthorized' },
    ])
    expect(await call(`DELETE ${path}/${id}`)).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expect(await call(`${method} ${path}/${id}`)).toEqual(HIDDEN)
  })

  test('has a name that exists, once for each user', async () => {
    const { call, ok, person, P } = await planningScene(open)
    const user = await person('user')
    await ok(`POST ${P}/issues`, { title: 'a' })
    const add = (name: string, as?: typeof user) => call(`POST ${P}/issues/1/award_emoji`, { name }, as)
    expect(await call(`POST ${P}/issues/1/award_emoji`, {})).toEqual([400, { error: 'name is missing' }])
    for (const name of ['', 'no such', ':tada:', 'toString', 'tada ']) {
      expect([name, await add(name)]).toEqual([name, refused(' Name is not a valid emoji name')])
    }
    expect(await add('+1')).toMatchObject([201, { name: 'thumbsup' }])
    expect(await add('thumbsup')).toEqual(refused(' Name has already been taken'))
    expect(await add('-1')).toMatchObject([201, { name: 'thumbsdown' }])
    expect((await add('thumbsup', user))[0]).toBe(201)
  })
})

describeOnEachDatabase('an emoji of an issue', (open) => {
  test('is counted as a vote, also when several are given at once', async () => {
    const scene = await planningScene(open)
    const { services, call, ok, person, root, P } = scene
    await ok(`POST ${P}/issues`, { title: 'a' })
    const [mary, bob] = [await person('mary'), await person('bob')]
    const path = `${P}/issues/1/award_emoji`
    const votes = () => ok(`GET ${P}/issues/1`)
    await Promise.all([mary, bob, mary].map((as) => call(`POST ${path}`, { name: 'thumbsup' }, as)))
    await ok(`POST ${path}`, { name: 'thumbsdown' }, mary)
    await ok(`POST ${path}`, { name: 'heart' }, mary)
    expect(await votes()).toMatchObject({ upvotes: 2, downvotes: 1 })
    const [vote] = await ok<Made[]>(`GET ${path}`)
    await Promise.all([1, 2, 3].map(() => call(`DELETE ${path}/${vote?.id}`)))
    expect(await votes()).toMatchObject({ upvotes: 1, downvotes: 1 })
    await ok(`POST ${path}`, { name: 'thumbsup' }, root)

    // Those of a deleted user are deleted, those of others stay.
    const deps = accountDeps(services)
    for (const { id } of [mary, bob]) await deleteUser(deps, id)
    await finishUserDeletions(deps)
    expect(await votes()).toMatchObject({ upvotes: 1, downvotes: 0 })
    expect(await ok(`GET ${path}`)).toMatchObject([{ user: { username: 'root' } }])
    await ok(`DELETE ${P}/issues/1`)
    expect(await services.database.selectFrom('award_emoji').selectAll().execute()).toEqual([])
  })

  test('selects and orders issues in lists', async () => {
    const scene = await planningScene(open)
    const { ok, person, G, P } = scene
    const mary = await person('mary')
    for (const title of ['a', 'b', 'c']) await ok(`POST ${P}/issues`, { title })
    const give = (iid: number, name: string, as?: typeof mary) =>
      ok(`POST ${P}/issues/${iid}/award_emoji`, { name }, as)
    await give(2, 'thumbsup')
    await give(2, 'thumbsup', mary)
    await give(1, 'thumbsup', mary)
    await give(1, 'tada')
    for (const list of [`${P}/issues?`, `${G}/issues?`, '/issues?scope=all&']) {
      const select = (query: string, as?: typeof mary) => titles(scene, `${list}sort=asc&${query}`, as)
      expect(await select('my_reaction_emoji=thumbsup')).toEqual(['b'])
      expect(await select('my_reaction_emoji=thumbsup', mary)).toEqual(['a', 'b'])
      expect(await select('my_reaction_emoji=Any')).toEqual(['a', 'b'])
      expect(await select('my_reaction_emoji=None')).toEqual(['c'])
      expect(await select('not[my_reaction_emoji]=tada')).toEqual(['b', 'c'])
      expect(await select('order_by=popularity')).toEqual(['c', 'a', 'b'])
      expect(await titles(scene, `${list}order_by=popularity`)).toEqual(['b', 'a', 'c'])
      expect(await titles(scene, `${list}order_by=popularity&per_page=1&page=2`)).toEqual(['a'])
    }
    expect(await scene.call(`GET ${P}/issues?my_reaction_emoji=tada`, undefined, null)).toMatchObject([
      200,
      [{}, {}, {}],
    ])
  })
})

describeOnDatabase('emoji of an issue', (open) => {
  test('are hidden with it, and refused to others than members when its discussion is locked', async () => {
    const { call, ok, person, P } = await planningScene(open)
    const [guest, stranger] = [await person('guest', P, 10), await person('stranger')]
    await ok(`POST ${P}/issues`, { title: 'a', confidential: true })
    const path = `${P}/issues/1/award_emoji`
    const { id } = await ok(`POST ${path}`, { name: 'tada' })
    for (const route of [`GET ${path}`, `GET ${path}/${id}`, `DELETE ${path}/${id}`]) {
      expect([route, await call(route, undefined, guest)]).toEqual([route, HIDDEN])
    }
    expect(await call(`POST ${path}`, { name: 'tada' }, guest)).toEqual(HIDDEN)
    expect((await call(`POST ${path}`, { name: 'tada' }, null))[0]).toBe(401)
    // An emoji is found only at its own issue.
    await ok(`POST ${P}/issues`, { title: 'b' })
    expect(await call(`GET ${P}/issues/2/award_emoji/${id}`)).toEqual(HIDDEN)

    await ok(`PUT ${P}/issues/1`, { confidential: false, discussion_locked: true })
    expect(await call(`POST ${path}`, { name: 'tada' }, stranger)).toEqual(refused())
    expect((await call(`POST ${path}`, { name: 'tada' }, guest))[0]).toBe(201)
  })

  test('go with it to another project', async () => {
    const { call, ok, person, P, other } = await planningScene(open)
    const mary = await person('mary')
    await ok(`POST ${P}/issues`, { title: 'a' })
    for (const as of [undefined, mary]) await ok(`POST ${P}/issues/1/award_emoji`, { name: 'thumbsup' }, as)
    const moved = await ok(`POST ${P}/issues/1/move`, { to_project_id: other })
    expect(moved).toMatchObject({ upvotes: 2 })
    expect(await call(`GET /projects/${other}/issues/${moved.iid}/award_emoji`)).toMatchObject([
      200,
      [{ user: { username: 'root' }, awardable_id: moved.id }, { user: { username: 'mary' } }],
    ])
  })
})

describeOnDatabase('an emoji of a merge request', (open) => {
  test('is added, listed and deleted by those who see the merge request', async () => {
    const { database, call, ok, person, propose, P } = await planningScene(open)
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    const { id: awardable_id } = await propose('a')
    const path = `${P}/merge_requests/1/award_emoji`
    const vote = { name: 'thumbsup', awardable_id, awardable_type: 'MergeRequest' }
    const created = await call(`POST ${path}`, { name: 'thumbsup' }, reporter)
    expect(created).toMatchObject([201, vote])
    expect(await call(`POST ${path}`, { name: 'thumbsup' }, reporter)).toEqual(
      refused(' Name has already been taken'),
    )
    expect(await call(`GET ${path}`)).toMatchObject([200, [vote]])
    const { id } = created[1] as Made
    expect(await call(`GET ${path}/${id}`)).toMatchObject([200, vote])
    const votes = () => database.selectFrom('merge_request').select(['upvotes', 'downvotes']).execute()
    expect(await votes()).toEqual([{ upvotes: 1, downvotes: 0 }])
    // It is found only at its own kind of object.
    await ok(`POST ${P}/issues`, { title: 'x' })
    expect(await call(`GET ${P}/issues/1/award_emoji/${id}`)).toEqual(HIDDEN)

    await ok(`PUT ${P}`, { visibility: 'private' })
    for (const route of [`GET ${path}`, `POST ${path}`, `DELETE ${path}/${id}`]) {
      expect([route, (await call(route, { name: 'tada' }, guest))[0]]).toEqual([route, 403])
    }
    expect((await call(`DELETE ${path}/${id}`, undefined, reporter))[0]).toBe(204)
    expect(await votes()).toEqual([{ upvotes: 0, downvotes: 0 }])
  })
})

test('comments have emoji, which those who may comment give', async () => {
  const { ok, call, person, P } = await planningScene(openSqlite)
  const ann = await person('ann')
  await ok(`POST ${P}/issues`, { title: 'a' })
  const { id } = await ok(`POST ${P}/issues/1/notes`, { body: 'Hi' })
  const path = `${P}/issues/1/notes/${id}/award_emoji`
  const given = await ok(`POST ${path}`, { name: 'tada' }, ann)
  expect(given).toMatchObject({
    name: 'tada',
    awardable_id: id,
    awardable_type: 'Note',
    user: { username: 'ann' },
  })
  expect((await call(`POST ${path}`, { name: 'tada' }, ann))[0]).toBe(404)
  expect(await ok(`GET ${path}`)).toMatchObject([{ id: given.id }])
  expect(await ok(`GET ${path}/${given.id}`)).toMatchObject({ name: 'tada' })
  expect(await ok(`GET ${P}/issues/1/award_emoji`)).toEqual([])
  expect((await call(`GET ${P}/issues/1/award_emoji/${given.id}`))[0]).toBe(404)
  expect((await call(`DELETE ${path}/${given.id}`, undefined, ann))[0]).toBe(204)
  await ok(`PUT ${P}/issues/1`, { discussion_locked: true })
  expect((await call(`POST ${path}`, { name: 'tada' }, ann))[0]).toBe(404)
  const internal = await ok(`POST ${P}/issues/1/notes`, { body: 'x', internal: true })
  expect((await call(`GET ${P}/issues/1/notes/${internal.id}/award_emoji`, undefined, ann))[0]).toBe(404)
})
