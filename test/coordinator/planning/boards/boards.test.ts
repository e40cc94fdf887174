import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type Made, type PlanningScene, planningSceneForFile } from '../support/planning-scene.js'

const openScene = planningSceneForFile()

interface List {
  id: number
  position: number
  label: { name: string } | null
  assignee: { username: string } | null
  milestone: { title: string } | null
}

interface Board extends Made {
  lists: List[]
  labels: { name: string }[]
}

/** A label of a project or group; its ID. */
async function label({ ok }: PlanningScene, at: string, name: string): Promise<number> {
  return (await ok(`POST ${at}/labels`, { name, color: '#ff0000' })).id
}

/** What the lists of a board show. */
const shown = (lists: readonly List[]) =>
  lists.map((list) => list.label?.name ?? list.assignee?.username ?? list.milestone?.title)

describeOnDatabase('a board', (open) => {
  test('is created, changed and deleted in a project and in a group', async () => {
    const { ok, call, P, G, project, group } = await openScene(open)
    for (const [at, of] of [
      [P, { project: { id: project, path_with_namespace: 'team/app' }, group: null }],
      [G, { project: null, group: { id: group, name: 'Team' } }],
    ] as const) {
      const made = await ok(`POST ${at}/boards`, { name: ' Work ' })
      const record = {
        id: made.id,
        name: 'Work',
        hide_backlog_list: false,
        hide_closed_list: false,
        ...of,
        milestone: null,
        assignee: null,
        labels: [],
        weight: null,
        lists: [],
      }
      expect(made).toMatchObject(record)
      expect(await ok(`GET ${at}/boards`)).toMatchObject([record])
      const changes = { name: 'Plan', hide_closed_list: true }
      expect(await ok(`PUT ${at}/boards/${made.id}`, changes)).toMatchObject({ ...record, ...changes })
      expect((await call(`DELETE ${at}/boards/${made.id}`))[0]).toBe(204)
      expect((await call(`GET ${at}/boards/${made.id}`))[0]).toBe(404)
    }
  })

  testAtNight('is limited to labels, a milestone, an assignee and a weight, and is no longer', async () => {
    const scene = await openScene(open)
    const { ok, call, person, P, G } = scene
    await label(scene, P, 'bug')
    await label(scene, G, 'team')
    const mary = await person('mary', P, 20)
    const { id: milestone_id } = await ok(`POST ${G}/milestones`, { title: 'v1' })
    const { id } = await ok(`POST ${P}/boards`, { name: 'a' })
    const limits = { labels: 'team, bug', milestone_id, assignee_id: mary.id, weight: 3 }
    expect(await ok(`PUT ${P}/boards/${id}`, limits)).toMatchObject({
      labels: [{ name: 'bug' }, { name: 'team' }],
      milestone: { title: 'v1' },
      assignee: { username: 'mary' },
      weight: 3,
    })
    const none = { labels: [], milestone_id: 0, assignee_id: null, weight: null }
    expect(await ok(`PUT ${P}/boards/${id}`, none)).toMatchObject({
      labels: [],
      milestone: null,
      assignee: null,
      weight: null,
    })
    for (const unknown of [{ labels: 'none' }, { milestone_id: 999 }, { assignee_id: 999 }]) {
      expect((await call(`PUT ${P}/boards/${id}`, unknown))[0]).toBe(400)
    }
    expect(await call(`PUT ${P}/boards/${id}`, { name: ' ' })).toEqual([
      400,
      { message: { name: ["can't be blank"] } },
    ])
  })

  testAtNight('has lists of labels, assignees and milestones in an order that is changed', async () => {
    const scene = await openScene(open)
    const { ok, call, person, P } = scene
    const mary = await person('mary', P, 20)
    const bug = await label(scene, P, 'bug')
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    const B = `${P}/boards/${(await ok(`POST ${P}/boards`, { name: 'a' })).id}`
    const add = (subject: object) => ok<List>(`POST ${B}/lists`, subject)
    const first = await add({ label_id: bug })
    expect(first).toMatchObject({ label: { id: bug, name: 'bug' }, assignee: null, position: 0 })
    await add({ assignee_id: mary.id })
    const last = await add({ milestone_id })
    expect(last).toMatchObject({ label: null, milestone: { title: 'v1' }, position: 2 })
    const order = async () => shown(await ok<List[]>(`GET ${B}/lists`))
    expect(await order()).toEqual(['bug', 'mary', 'v1'])
    expect(await ok(`PUT ${B}/lists/${last.id}`, { position: 0 })).toMatchObject({ position: 0 })
    expect(await order()).toEqual(['v1', 'bug', 'mary'])
    expect(await ok(`GET ${B}/lists/${first.id}`)).toMatchObject({ id: first.id, position: 1 })
    expect(shown((await ok<Board>(`GET ${B}`)).lists)).toEqual(['v1', 'bug', 'mary'])
    expect((await call(`PUT ${B}/lists/${last.id}`, { position: 3 }))[0]).toBe(400)
    expect((await call(`DELETE ${B}/lists/${first.id}`))[0]).toBe(204)
    expect((await ok<List[]>(`GET ${B}/lists`)).map(({ position }) => position)).toEqual([0, 1])
  })

  testAtNight('has one list for a label, which issues of it can have', async () => {
    const scene = await openScene(open)
    const { ok, call, G, P, O } = scene
    const [bug, foreign] = [await label(scene, P, 'bug'), await label(scene, O, 'foreign')]
    const team = await label(scene, G, 'team')
    const L = `${P}/boards/${(await ok(`POST ${P}/boards`, { name: 'a' })).id}/lists`
    await ok(`POST ${L}`, { label_id: bug })
    await ok(`POST ${L}`, { label_id: team })
    expect(await call(`POST ${L}`, { label_id: bug })).toEqual([
      400,
      { message: { label: ['has already been taken'] } },
    ])
    expect(await call(`POST ${L}`, { label_id: foreign })).toEqual([400, { message: 'Label not found!' }])
    expect((await call(`POST ${L}`, { milestone_id: 999 }))[0]).toBe(400)
    expect((await call(`POST ${L}`, {}))[0]).toBe(400)
    expect((await call(`POST ${L}`, { label_id: bug, assignee_id: 1 }))[0]).toBe(400)
    const inGroup = `${G}/boards/${(await ok(`POST ${G}/boards`, { name: 'a' })).id}/lists`
    expect((await call(`POST ${inGroup}`, { label_id: bug }))[0]).toBe(400)
  })

  test('is changed by reporters, and read by those who see the issues', async () => {
    const scene = await openScene(open)
    const { ok, call, person, P, O } = scene
    const { id } = await ok(`POST ${P}/boards`, { name: 'a' })
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    expect((await call(`GET ${P}/boards/${id}`, undefined, null))[0]).toBe(200)
    expect((await call(`PUT ${P}/boards/${id}`, { name: 'b' }, guest))[0]).toBe(403)
    expect((await call(`PUT ${P}/boards/${id}`, { name: 'b' }, reporter))[0]).toBe(200)
    expect((await call(`GET ${O}/boards`, undefined, reporter))[0]).toBe(404)
    expect((await call(`GET ${O}/boards/${id}`))[0]).toBe(404)
    // Only somebody who sees the issues has a list.
    const B = `${O}/boards/${(await ok(`POST ${O}/boards`, { name: 'a' })).id}`
    expect((await call(`POST ${B}/lists`, { assignee_id: reporter.id }))[0]).toBe(400)
    await ok(`PUT ${P}`, { issues_access_level: 'private' })
    expect((await call(`GET ${P}/boards/${id}`, undefined, null))[0]).toBe(401)
    expect((await call(`GET ${P}/boards/${id}`, undefined, guest))[0]).toBe(200)
  })
})

describeOnDatabase('a list of a board', (open) => {
  testAtNight('disappears with its label, user or milestone', async () => {
    const scene = await openScene(open)
    const { ok, person, P } = scene
    const mary = await person('mary', P, 20)
    const bug = await label(scene, P, 'bug')
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    const limits = { labels: 'bug', milestone_id, assignee_id: mary.id }
    const B = `${P}/boards/${(await ok(`POST ${P}/boards`, { name: 'a', ...limits })).id}`
    for (const subject of [{ label_id: bug }, { milestone_id }, { assignee_id: mary.id }]) {
      await ok(`POST ${B}/lists`, subject)
    }
    await ok(`DELETE ${P}/labels/${bug}`)
    await ok(`DELETE ${P}/milestones/${milestone_id}`)
    expect(shown(await ok<List[]>(`GET ${B}/lists`))).toEqual(['mary'])
    await ok(`DELETE /users/${mary.id}`)
    expect(await ok(`GET ${B}`)).toMatchObject({ lists: [], labels: [], milestone: null, assignee: null })
  })

  test('has the label and the milestone that replace its own', async () => {
    const scene = await openScene(open)
    const { ok, P, G } = scene
    const bug = await label(scene, P, 'bug')
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    const B = `${P}/boards/${(await ok(`POST ${P}/boards`, { name: 'a', labels: 'bug', milestone_id })).id}`
    await ok(`POST ${B}/lists`, { label_id: bug })
    await ok(`POST ${B}/lists`, { milestone_id })
    const labelled = await ok(`PUT ${P}/labels/${bug}/promote`)
    const promoted = await ok(`POST ${P}/milestones/${milestone_id}/promote`)
    const ids = async () => {
      const board = await ok<Board & { milestone: Made }>(`GET ${B}`)
      return [board.lists, board.labels, board.milestone.id]
    }
    expect(await ids()).toMatchObject([
      [{ label: { id: labelled.id } }, { milestone: { id: promoted.id } }],
      [{ id: labelled.id }],
      promoted.id,
    ])
    const inGroup = `${G}/boards/${(await ok(`POST ${G}/boards`, { name: 'a' })).id}/lists`
    await ok(`POST ${inGroup}`, { label_id: labelled.id })
    // The project leaves the group: it gets copies of both.
    await ok(`PUT ${P}/transfer`, { namespace: 'root' })
    const [copy] = await ok<Made[]>(`GET ${P}/labels`)
    const [milestone] = await ok<Made[]>(`GET ${P}/milestones`)
    expect(await ids()).toMatchObject([
      [{ label: { id: copy?.id } }, { milestone: { id: milestone?.id } }],
      [{ id: copy?.id }],
      milestone?.id,
    ])
    expect(shown(await ok<List[]>(`GET ${inGroup}`))).toEqual(['bug'])
  })

  test('of a group is not shown while its label is of a group that is not above', async () => {
    const scene = await openScene(open)
    const { ok, call, G, group } = scene
    const sub = await ok('POST /groups', { name: 'Sub', path: 'sub', parent_id: group, visibility: 'public' })
    const S = `/groups/${sub.id}`
    const team = await label(scene, G, 'team')
    const { id: milestone_id } = await ok(`POST ${G}/milestones`, { title: 'v1' })
    const B = `${S}/boards/${(await ok(`POST ${S}/boards`, { name: 'a', milestone_id })).id}`
    await ok(`POST ${B}/lists`, { label_id: team })
    expect(shown(await ok<List[]>(`GET ${B}/lists`))).toEqual(['team'])
    await ok(`POST ${S}/transfer`)
    expect(await ok(`GET ${B}`)).toMatchObject({ lists: [], milestone: null })
    expect((await call(`POST ${B}/lists`, { label_id: team }))[0]).toBe(400)
  })
})

describeOnDatabase('the number of boards and of lists', (open) => {
  test('is limited', async () => {
    const { ok, call, database, P, project } = await openScene(open)
    const { id: board_id } = await ok(`POST ${P}/boards`, { name: 'a' })
    const times = { created_at: 1, updated_at: 1 }
    const rows = Array.from({ length: 99 }, (_, index) => ({
      project_id: project,
      name: `b${index}`,
      ...times,
    }))
    await database.insertInto('board').values(rows).execute()
    expect((await call(`POST ${P}/boards`, { name: 'one more' }))[0]).toBe(400)
    const labels = await database
      .insertInto('label')
      .values(
        Array.from({ length: 101 }, (_, index) => ({
          project_id: project,
          name: `l${index}`,
          color: '#ff0000',
          ...times,
        })),
      )
      .returning('id')
      .execute()
    const [more, ...others] = labels.map(({ id }) => id)
    await database
      .insertInto('board_list')
      .values(others.map((label_id, position) => ({ board_id, label_id, position, ...times })))
      .execute()
    expect((await call(`POST ${P}/boards/${board_id}/lists`, { label_id: more }))[0]).toBe(400)
  })
})
