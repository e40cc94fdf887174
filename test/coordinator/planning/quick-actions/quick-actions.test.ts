import { expect, test } from 'vitest'

import { testAtNight } from '../../../support/nightly.js'
import { withSqliteStatements } from '../../support/statement-hooks.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { openMergeScene } from '../merge-requests/git-scene.js'
import { planningSceneForFile } from '../support/planning-scene.js'

const openPlanningScene = planningSceneForFile()

async function openScene() {
  const scene = await openPlanningScene()
  const { ok, call, person, P, root } = scene
  await ok(`POST ${P}/labels`, { name: 'bug', color: '#ff0000' })
  await ok(`POST ${P}/labels`, { name: 'to do', color: '#ff0000' })
  await ok(`POST ${P}/milestones`, { title: 'v1' })
  const ann = await person('ann', P, 30)
  await ok(`POST ${P}/issues`, { title: 'a' })
  return {
    ...scene,
    ann,
    me: root.username,
    note: (body: string, as?: Person, on = 'issues/1') => call(`POST ${P}/${on}/notes`, { body }, as),
    issue: (iid = 1) => ok<Record<string, unknown>>(`GET ${P}/issues/${iid}`),
  }
}

test('a comment of nothing but quick actions changes the issue, and is not kept', async () => {
  const { note, issue, ok, P, ann } = await openScene()
  const body = [
    '/label ~bug ~"to do" ~none',
    '/assign @ann me',
    '/milestone %v1',
    '/due 2030-01-31',
    '/close',
  ].join('\n')
  expect(await note(body)).toEqual([
    202,
    {
      commands_changes: {
        add_labels: ['bug', 'to do'],
        assignee_ids: [ann.id, 1],
        milestone_id: 1,
        due_date: '2030-01-31',
        state_event: 'close',
      },
      summary: [
        'Added labels.',
        'Assigned.',
        'Set the milestone.',
        'Set the due date to 2030-01-31.',
        'Closed this issue.',
      ],
    },
  ])
  expect(await issue()).toMatchObject({
    state: 'closed',
    labels: ['bug', 'to do'],
    assignees: [{ username: 'ann' }, { username: 'root' }],
    milestone: { title: 'v1' },
    due_date: '2030-01-31',
    user_notes_count: 0,
  })
  await note(
    '/reopen\n/unassign @ann\n/unlabel ~bug\n/remove_milestone\n/remove_due_date\n/title Other\n/weight 3',
  )
  expect(await issue()).toMatchObject({
    state: 'opened',
    title: 'Other',
    labels: ['to do'],
    assignees: [{ username: 'root' }],
    milestone: null,
    due_date: null,
    weight: 3,
  })
  expect(await ok(`GET ${P}/issues/1/notes?activity_filter=only_comments`)).toEqual([])
})

testAtNight('the names of a quick action are looked up together, the first hundred of them', async () => {
  const { note, issue, person, P } = await openScene()
  await person('bob', P, 30)
  const names = Array.from({ length: 200 }, (_, index) => `@nobody${index}`)
  const statements = await withSqliteStatements(
    () => undefined,
    () => note(`/assign @Ann @bob me ${names.join(' ')}\n/label ~bug ~none ${'~bug '.repeat(1000)}`),
  )
  expect(statements).toBeLessThan(150)
  expect(await issue()).toMatchObject({
    labels: ['bug'],
    assignees: [{ username: 'ann' }, { username: 'bob' }, { username: 'root' }],
  })
})

test('a comment with text and quick actions keeps the text', async () => {
  const { note, issue } = await openScene()
  expect(await note('Took long.\n/spend 1h30m 2026-01-03\n/estimate 2h')).toMatchObject([
    201,
    { body: 'Took long.', commands_changes: { spend_time: { duration: '2h' } } },
  ])
  expect(await issue()).toMatchObject({ time_stats: { total_time_spent: 5400, time_estimate: 7200 } })
  expect((await note('/remove_estimate\n/remove_time_spent'))[0]).toBe(202)
  expect(await issue()).toMatchObject({ time_stats: { total_time_spent: 0, time_estimate: 0 } })
})

test('the rights are those of the caller: what he may not do is left out', async () => {
  const { note, issue, person, P, call } = await openScene()
  const visitor = await person('visitor')
  expect(await note('/close', visitor)).toEqual([400, { message: 'Failed to apply commands.' }])
  expect(await note('/label ~bug\n/subscribe', visitor)).toMatchObject([
    202,
    { summary: ['Subscribed to this issue.'] },
  ])
  expect(await note('Please\n/close\n/estimate 1h\n/confidential', visitor)).toMatchObject([
    201,
    { body: 'Please', commands_changes: {} },
  ])
  expect(await issue()).toMatchObject({ state: 'opened', labels: [], confidential: false })
  expect(await note('/estimate soon\n/due never\n/weight x\n/milestone none')).toEqual([
    400,
    { message: 'Failed to apply commands.' },
  ])
  const [, made] = await call(
    `POST ${P}/issues`,
    { title: 'b', description: 'x\n/label ~bug\n/close' },
    visitor,
  )
  expect(made).toMatchObject({ description: 'x', labels: [], state: 'closed' })
  expect((await note('/close', visitor, 'issues/99'))[0]).toBe(404)
})

testAtNight('descriptions have them, too, when they are written and when they are changed', async () => {
  const { ok, P, issue } = await openScene()
  const made = await ok<{ iid: number }>(`POST ${P}/issues`, {
    title: 'b',
    description: 'Text\n/label ~bug\n/todo',
  })
  expect(await issue(made.iid)).toMatchObject({ description: 'Text', labels: ['bug'] })
  expect(await ok('GET /todos')).toMatchObject([{ action_name: 'marked', target: { iid: made.iid } }])
  await ok(`PUT ${P}/issues/${made.iid}`, { description: 'Other\n/done\n/relabel ~"to do"\n/lock' })
  expect(await issue(made.iid)).toMatchObject({
    description: 'Other',
    labels: ['to do'],
    discussion_locked: true,
  })
  expect(await ok('GET /todos')).toEqual([])
})

testAtNight(
  'merge requests are marked as drafts, reviewed, approved, rebased and merged by them',
  async () => {
    const { ok, call, show, commit, make, refresh, person, P } = await openMergeScene()
    const bea = await person('bea')
    await ok(`POST ${P}/members`, { user_id: bea.id, access_level: 30 })
    await ok(`POST ${P}/repository/branches`, { branch: 'next', ref: 'main' })
    await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
    await make('topic', { description: 'Text\n/draft\n/assign_reviewer @bea\n/target_branch next' })
    await refresh()
    expect(await show(1)).toMatchObject({
      title: 'Draft: New',
      description: 'Text',
      draft: true,
      reviewers: [{ username: 'bea' }],
      target_branch: 'next',
    })
    const note = (body: string, as?: Person) => call(`POST ${P}/merge_requests/1/notes`, { body }, as)
    expect(await note('/merge')).toMatchObject([400, {}])
    expect(await note('Good.\n/approve', bea)).toMatchObject([201, { commands_changes: { approve: true } }])
    expect(await note('/ready\n/merge')).toMatchObject([202, { summary: ['Marked as ready.', 'Merged.'] }])
    expect(await show(1)).toMatchObject({ state: 'merged', title: 'New' })
  },
)

test('quick actions in a comment of a program are text: it may have read them somewhere', async () => {
  const { ok, call, show, commit, make, database, P } = await openMergeScene()
  const program = await addPerson(database, 'program', { scopes: ['mcp'] })
  await ok(`POST ${P}/members`, { user_id: program.id, access_level: 40 })
  await commit({ 'b.txt': 'b' }, { branch: 'topic', from: 'main' })
  await make('topic')
  expect(await call(`POST ${P}/merge_requests/1/notes`, { body: 'Good.\n/close' }, program)).toMatchObject([
    201,
    { body: 'Good.\n/close' },
  ])
  expect(await show(1)).toMatchObject({ state: 'opened' })
})
