import { expect, test } from 'vitest'

import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import {
  openPlanningScene as buildPlanningScene,
  type PlanningScene,
} from '../../planning/support/planning-scene.js'
import type { Person } from '../../support/test-app.js'

const openPlanningScene = sceneForFile(buildPlanningScene)

interface EventRecord {
  action_name: string
  target_type: string | null
  target_title: string | null
}

/** `action type title` of each event on issues, merge requests and milestones, the newest first. */
async function events({ ok }: PlanningScene, path: string, as?: Person): Promise<string[]> {
  const records = await ok<EventRecord[]>(`GET ${path}`, undefined, as)
  return records
    .filter(({ target_type }) => target_type !== null)
    .map(({ action_name, target_type, target_title }) => `${action_name} ${target_type} ${target_title}`)
}

describeOnEachDatabase('events on issues, merge requests and milestones', (open) => {
  test('record who opened, closed and reopened them, and are found by action and type', async () => {
    const scene = await openPlanningScene(open)
    const { call, ok, person, propose, root, project, P } = scene
    const mary = await person('mary', P, 30)
    const issue = await ok(`POST ${P}/issues`, { title: 'issue' }, mary)
    await ok(`PUT ${P}/issues/1`, { title: 'Issue' })
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
    await ok(`PUT ${P}/issues/1`, { state_event: 'reopen' })
    const { id: milestone } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    await ok(`PUT ${P}/milestones/${milestone}`, { state_event: 'close' })
    await ok(`PUT ${P}/milestones/${milestone}`, { state_event: 'close' })
    await propose('a', {}, mary)
    await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' })
    const all = [
      ...['closed MergeRequest a', 'opened MergeRequest a', 'closed Milestone v1', 'opened Milestone v1'],
      ...['opened Issue Issue', 'closed Issue Issue', 'opened Issue Issue'],
    ]
    const list = (query = '') => events(scene, `${P}/events?${query}`)
    expect(await list()).toEqual(all)
    expect(await events(scene, `/users/${mary.id}/events`)).toEqual([all[1], all[6]])
    expect(await list('action=created')).toEqual([all[1], all[3], all[6]])
    expect(await list('action=reopened')).toEqual([all[4]])
    expect(await list('action=merged')).toEqual([])
    expect(await list('target_type=issue')).toEqual(all.slice(4))
    expect(await list('target_type=merge_request')).toEqual(all.slice(0, 2))
    expect(await list('target_type=milestone&action=closed')).toEqual([all[2]])
    expect(await call(`GET ${P}/events?target_type=project`)).toMatchObject([
      200,
      [{ action_name: 'created', target_id: null }],
    ])
    const [first] = await ok<object[]>(`GET ${P}/events?target_type=issue&sort=asc`)
    expect(first).toMatchObject({
      project_id: project,
      action_name: 'opened',
      target_id: issue.id,
      target_iid: 1,
      target_type: 'Issue',
      target_title: 'Issue',
      author_id: mary.id,
      author_username: 'mary',
    })
    await ok(`DELETE ${P}/issues/1`)
    await ok(`DELETE ${P}/milestones/${milestone}`)
    expect(await list()).toEqual(all.slice(0, 2))
    expect(await events(scene, '/events', root)).toEqual([all[0]])
  })
})

describeOnDatabase('events on issues, merge requests and milestones', (open) => {
  test('are seen by those who see what they are on', async () => {
    const scene = await openPlanningScene(open)
    const { ok, person, propose, P } = scene
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    const [author, stranger] = [await person('author'), await person('stranger')]
    await ok(`POST ${P}/issues`, { title: 'secret', confidential: true }, author)
    await ok(`POST ${P}/issues`, { title: 'open' })
    await ok(`POST ${P}/milestones`, { title: 'v1' })
    await propose('a')
    const seenBy = (as: Person) => events(scene, `${P}/events`, as)
    const shown = ['opened MergeRequest a', 'opened Milestone v1', 'opened Issue open']
    for (const as of [reporter, author]) expect(await seenBy(as)).toEqual([...shown, 'opened Issue secret'])
    for (const as of [guest, stranger]) expect(await seenBy(as)).toEqual(shown)

    await ok(`PUT ${P}`, { visibility: 'private' })
    expect(await seenBy(guest)).toEqual(shown.slice(1))
    await ok(`PUT ${P}`, { issues_access_level: 'disabled' })
    expect(await seenBy(guest)).toEqual([])
    expect(await seenBy(reporter)).toEqual(shown.slice(0, 2))
    await ok(`PUT ${P}`, { merge_requests_access_level: 'disabled' })
    expect(await seenBy(reporter)).toEqual([])
  })
})

describeOnDatabase('events of comments', (open) => {
  test('are recorded once for each comment, with the comment and what it is on', async () => {
    const scene = await openPlanningScene(open)
    const { ok, person, P } = scene
    const mary = await person('mary', P, 30)
    const issue = await ok(`POST ${P}/issues`, { title: 'Bug' })
    const note = await ok(`POST ${P}/issues/1/notes`, { body: 'Seen' }, mary)
    await ok(`PUT ${P}/issues/1/notes/${note.id}`, { body: 'Seen twice' }, mary)
    await ok(`POST ${P}/issues/1/discussions`, { body: 'Why?' }, mary)
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
    const list = (query = '') => events(scene, `${P}/events?${query}`)
    const all = ['commented on DiscussionNote Bug', 'commented on Note Bug']
    expect(await list('target_type=note')).toEqual(all)
    expect(await list('action=commented')).toEqual(all)
    expect(await list()).toEqual(['closed Issue Bug', ...all, 'opened Issue Bug'])
    const [, record] = await ok<object[]>(`GET ${P}/events?target_type=note`)
    expect(record).toMatchObject({
      target_id: note.id,
      target_iid: note.id,
      author_username: 'mary',
      note: {
        id: note.id,
        type: null,
        body: 'Seen twice',
        author: { username: 'mary' },
        noteable_id: issue.id,
        noteable_type: 'Issue',
        noteable_iid: 1,
        internal: false,
      },
    })
    await ok(`DELETE ${P}/issues/1/notes/${note.id}`)
    expect(await list('target_type=note')).toEqual(all.slice(0, 1))
  })

  test('are seen by those who see the comment', async () => {
    const scene = await openPlanningScene(open)
    const { ok, person, propose, P } = scene
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    const stranger = await person('stranger')
    await ok(`POST ${P}/issues`, { title: 'open' })
    await ok(`POST ${P}/issues`, { title: 'secret', confidential: true })
    await propose('a')
    const files = [{ file_path: 'a.txt', content: 'a' }]
    for (const visibility of ['public', 'private'])
      await ok(`POST ${P}/snippets`, { title: visibility, visibility, files })
    const [hidden, shown] = await ok<{ id: number }[]>(`GET ${P}/snippets`)
    const places = [
      'issues/1',
      'issues/2',
      'merge_requests/1',
      `snippets/${shown?.id}`,
      `snippets/${hidden?.id}`,
    ]
    for (const place of places) await ok(`POST ${P}/${place}/notes`, { body: 'x' })
    await ok(`POST ${P}/issues/1/notes`, { body: 'x', internal: true })
    const seenBy = async (as: Person) =>
      (await events(scene, `${P}/events?target_type=note`, as)).map((line) => line.split(' ').at(-1))
    expect(await seenBy(reporter)).toEqual(['open', 'private', 'public', 'a', 'secret', 'open'])
    expect(await seenBy(guest)).toEqual(['private', 'public', 'a', 'open'])
    expect(await seenBy(stranger)).toEqual(['public', 'a', 'open'])
    await ok(`PUT ${P}`, { snippets_access_level: 'disabled', merge_requests_access_level: 'disabled' })
    expect(await seenBy(guest)).toEqual(['open'])
    await ok(`PUT ${P}`, { visibility: 'private', issues_access_level: 'disabled' })
    expect(await seenBy(guest)).toEqual([])
  })
})

describeOnDatabase('events on wiki pages', (open) => {
  test('record who created, changed, renamed and deleted them, with the same ID', async () => {
    const scene = await buildPlanningScene(open)
    const { ok, person, P } = scene
    const mary = await person('mary', P, 30)
    await ok(`POST ${P}/wikis`, { title: 'Setup/First steps', content: '# A' }, mary)
    await ok(`PUT ${P}/wikis/Setup%2FFirst-steps`, { content: '# B' })
    await ok(`PUT ${P}/wikis/Setup%2FFirst-steps`, { title: 'Second steps', content: 'Another text' })
    await ok(`DELETE ${P}/wikis/Setup%2FSecond-steps`)
    await ok(`POST ${P}/wikis`, { title: 'home', content: '# A' }, mary)
    const steps = 'WikiPage::Meta Second steps'
    const all = [
      'created WikiPage::Meta home',
      ...['destroyed', 'updated', 'updated', 'created'].map((action) => `${action} ${steps}`),
    ]
    const list = (query = '') => events(scene, `${P}/events?${query}`)
    expect(await list()).toEqual(all)
    expect(await list('target_type=wiki&action=updated')).toEqual([all[2], all[3]])
    expect(await list('target_type=issue')).toEqual([])
    expect(await list('action=destroyed')).toEqual([all[1]])
    expect(await ok(`GET ${P}/events?target_type=project`)).toHaveLength(1)
    const [last, ...records] = await ok<{ target_id: number }[]>(`GET ${P}/events?target_type=wiki`)
    expect(new Set(records.map(({ target_id }) => target_id))).toHaveLength(1)
    const [{ target_id: id } = { target_id: 0 }] = records
    expect(last?.target_id).not.toBe(id)
    expect(records.at(-1)).toMatchObject({
      target_id: id,
      target_iid: id,
      target_title: 'Second steps',
      author_username: 'mary',
      wiki_page: {
        format: 'markdown',
        slug: 'Setup/Second-steps',
        title: 'Second steps',
        wiki_page_meta_id: id,
      },
    })
    await ok(`POST ${P}/wikis`, { title: 'Setup/Second steps', content: '# A' })
    expect((await ok<{ target_id: number }[]>(`GET ${P}/events`))[0]).toMatchObject({ target_id: id })
  })

  test('are seen by those who may read the wiki', async () => {
    const scene = await buildPlanningScene(open)
    const { ok, person, P } = scene
    const [guest, stranger] = [await person('guest', P, 10), await person('stranger')]
    await ok(`POST ${P}/wikis`, { title: 'home', content: '# A' })
    const seenBy = (as: Person) => events(scene, `${P}/events`, as)
    const shown = ['created WikiPage::Meta home']
    expect(await Promise.all([guest, stranger].map(seenBy))).toEqual([shown, shown])
    await ok(`PUT ${P}`, { wiki_access_level: 'private' })
    expect(await Promise.all([guest, stranger].map(seenBy))).toEqual([shown, []])
    await ok(`PUT ${P}`, { wiki_access_level: 'disabled' })
    expect(await Promise.all([guest, stranger].map(seenBy))).toEqual([[], []])
  })
})

describeOnDatabase('events on milestones', (open) => {
  test('are not recorded for those of groups', async () => {
    const { ok, database, G } = await openPlanningScene(open)
    await ok(`POST ${G}/milestones`, { title: 'v1' })
    const rows = await database
      .selectFrom('activity')
      .selectAll()
      .where('milestone_id', 'is not', null)
      .execute()
    expect(rows).toEqual([])
  })
})
