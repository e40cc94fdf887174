import { expect, test } from 'vitest'

import { openSqlite } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { openPlanningScene } from '../support/planning-scene.js'

interface Listed {
  iid: number
  body: string
}

async function openScene() {
  const scene = await openPlanningScene(openSqlite)
  const { ok, P } = scene
  await ok(`POST ${P}/issues`, { title: 'a', description: 'text', due_date: '2030-01-31', weight: 2 })
  await ok(`POST ${P}/issues/1/notes`, { body: 'One' })
  await ok(`POST ${P}/issues/1/award_emoji`, { name: 'thumbsup' })
  await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
  const bodies = async (path: string) =>
    (await ok<Listed[]>(`GET ${path}/notes?sort=asc`)).map(({ body }) => body)
  return { ...scene, bodies }
}

test('a clone is a new issue by the caller with the same text, and with the comments if that is wanted', async () => {
  const { ok, call, person, bodies, P, O, project, other } = await openScene()
  const ann = await person('ann', P, 20)
  expect(
    await ok(`POST ${P}/issues/1/clone`, { to_project_id: project, with_notes: true }, ann),
  ).toMatchObject({
    iid: 2,
    title: 'a',
    description: 'text',
    state: 'opened',
    closed_at: null,
    author: { username: 'ann' },
    due_date: '2030-01-31',
    weight: 2,
    upvotes: 0,
  })
  expect(await bodies(`${P}/issues/2`)).toEqual(['One'])
  expect((await call(`POST ${P}/issues/1/clone`, { to_project_id: other }, ann))[0]).toBe(404)
  expect(await ok(`POST ${P}/issues/1/clone`, { to_project_id: other })).toMatchObject({ iid: 1 })
  expect(await bodies(`${O}/issues/1`)).toEqual([])
  expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ state: 'closed', moved_to_id: null })
})

testAtNight('a moved issue has the comments and records of the original', async () => {
  const { ok, bodies, P, O, other } = await openScene()
  const moved = await ok(`POST ${P}/issues/1/move`, { to_project_id: other })
  expect(await bodies(`${O}/issues/${moved.iid}`)).toEqual(['One', 'closed'])
  expect(await ok(`GET ${O}/issues/${moved.iid}`)).toMatchObject({ user_notes_count: 1, upvotes: 1 })
})

testAtNight(
  'labels count what has them and the caller sees, and milestones list their merge requests',
  async () => {
    const { ok, person, propose, P, G } = await openScene()
    const guest = await person('guest', P, 10)
    const milestone = await ok(`POST ${P}/milestones`, { title: 'v1' })
    await ok(`POST ${G}/labels`, { name: 'bug', color: '#fff' })
    await ok(`PUT ${P}/issues/1`, { labels: 'bug' })
    await ok(`POST ${P}/issues`, { title: 'b', labels: 'bug' })
    await ok(`POST ${P}/issues`, { title: 'c', labels: 'bug', confidential: true })
    await propose('a', { labels: 'bug', milestone_id: milestone.id })
    const counts = { open_issues_count: 2, closed_issues_count: 1, open_merge_requests_count: 1 }
    expect(await ok(`GET ${P}/labels?with_counts=true`)).toMatchObject([counts])
    expect(await ok(`GET ${G}/labels?with_counts=true`)).toMatchObject([counts])
    expect(await ok(`GET ${P}/labels?with_counts=true`, undefined, guest)).toMatchObject([
      { ...counts, open_issues_count: 1 },
    ])
    expect(await ok<object[]>(`GET ${P}/labels`)).toEqual([expect.not.objectContaining(counts)])
    const listed = `milestones/${milestone.id}/merge_requests`
    expect(await ok(`GET ${P}/${listed}`)).toMatchObject([{ iid: 1, milestone: { title: 'v1' } }])
    const inGroup = await ok(`POST ${G}/milestones`, { title: 'v2' })
    await ok(`PUT ${P}/merge_requests/1`, { milestone_id: inGroup.id })
    expect(await ok(`GET ${G}/milestones/${inGroup.id}/merge_requests`)).toMatchObject([{ iid: 1 }])
    expect(await ok(`GET ${P}/${listed}`)).toEqual([])
  },
)
