import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { openMergeRequestScene } from './merge-requests/scene.js'

const openScene = sceneForFile(openMergeRequestScene)
type Scene = Awaited<ReturnType<typeof openScene>>

/** The payloads of all events, in the order in which they were emitted. */
async function payloadsOf({ database, services }: Scene) {
  const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
  return Promise.all(events.map(services.deliveries.render))
}

async function hooksOfEvents({ database }: Scene) {
  const rows = await database.selectFrom('hook_delivery').select('hook_id').orderBy('id').execute()
  return rows.map(({ hook_id }) => hook_id)
}

const QUIET = { url: 'https://a.example', push_events: false }

describeOnDatabase('webhooks', (open) => {
  test('receive emoji of issues, merge requests and comments, when they are given and taken back', async () => {
    const scene = await openScene(open)
    const { ok, call, make, P, project, root } = scene
    const hook = await ok(`POST ${P}/hooks`, { ...QUIET, emoji_events: true })
    const sample = `POST ${P}/hooks/${hook.id}/test/emoji_events`
    expect(await call(sample)).toEqual([422, { message: 'Ensure the project has emoji reactions.' }])
    const issue = await ok(`POST ${P}/issues`, { title: 'A' })
    const { id: award } = await ok(`POST ${P}/issues/1/award_emoji`, { name: '+1' })
    await call(`DELETE ${P}/issues/1/award_emoji/${award}`)
    await make({})
    await ok(`POST ${P}/merge_requests/1/award_emoji`, { name: 'tada' })
    const note = await ok(`POST ${P}/issues/1/notes`, { body: 'Hello' })
    await ok(`POST ${P}/issues/1/notes/${note.id}/award_emoji`, { name: 'heart' })
    const [given, revoked, onMergeRequest, onNote, ...more] = await payloadsOf(scene)
    expect(more).toEqual([])
    expect(given).toMatchObject({
      object_kind: 'emoji',
      event_type: 'award',
      user: { id: root.id },
      project_id: project,
      project: { path_with_namespace: 'team/app' },
      object_attributes: {
        id: award,
        user_id: root.id,
        name: 'thumbsup',
        awardable_type: 'Issue',
        awardable_id: issue.id,
        action: 'award',
        awarded_on_url: expect.stringMatching(/\/team\/app\/-\/issues\/1$/) as string,
      },
      issue: { iid: 1, title: 'A' },
    })
    expect(revoked).toMatchObject({
      event_type: 'revoke',
      object_attributes: { id: award, action: 'revoke' },
    })
    expect(onMergeRequest).toMatchObject({
      object_attributes: { awardable_type: 'MergeRequest' },
      merge_request: { iid: 1, detailed_merge_status: 'unchecked', first_contribution: false },
    })
    expect(onNote).toMatchObject({
      object_attributes: {
        awardable_type: 'Note',
        awardable_id: note.id,
        awarded_on_url: expect.stringMatching(/\/issues\/1#note_\d+$/) as string,
      },
      note: { id: note.id, note: 'Hello', noteable_type: 'Issue' },
      issue: { iid: 1 },
    })
  })

  test('for emoji receive none of confidential issues without the flag for these', async () => {
    const scene = await openScene(open)
    const { ok, P } = scene
    await ok(`POST ${P}/hooks`, { ...QUIET, emoji_events: true })
    await ok(`POST ${P}/issues`, { title: 'A', confidential: true })
    const flags = { emoji_events: true, confidential_issues_events: true }
    const hook = await ok(`POST ${P}/hooks`, { ...QUIET, ...flags })
    await ok(`POST ${P}/issues/1/award_emoji`, { name: 'tada' })
    expect(await hooksOfEvents(scene)).toEqual([hook.id])
  })

  test('receive milestones that are created, closed, reopened and deleted, of projects and of groups', async () => {
    const scene = await openScene(open)
    const { ok, call, P, project } = scene
    const hook = await ok('POST /groups/team/hooks', { ...QUIET, milestone_events: true })
    for (const owner of [P, '/groups/team']) {
      const { id } = await ok(`POST ${owner}/milestones`, { title: `v ${owner}`, due_date: '2030-01-02' })
      const one = `${owner}/milestones/${id}`
      await ok(`PUT ${one}`, { description: 'No change of its state' })
      await ok(`PUT ${one}`, { state_event: 'close' })
      await ok(`PUT ${one}`, { state_event: 'activate' })
      await call(`DELETE ${one}`)
    }
    const payloads = await payloadsOf(scene)
    const actions = ['create', 'close', 'reopen', 'delete']
    expect(payloads.map((payload) => payload && 'action' in payload && payload.action)).toEqual([
      ...actions,
      ...actions,
    ])
    expect(payloads[1]).toMatchObject({
      object_kind: 'milestone',
      event_type: 'milestone',
      project: { id: project },
      object_attributes: { state: 'closed', due_date: '2030-01-02', project_id: project, group_id: null },
    })
    expect(payloads[1]).not.toHaveProperty('group')
    expect(payloads[4]).toMatchObject({
      project: null,
      group: { group_path: 'team', full_path: 'team' },
      object_attributes: { state: 'active', project_id: null },
    })
    expect(new Set(await hooksOfEvents(scene))).toEqual(new Set([hook.id]))
  })

  test('of the instance receive merge requests, with what decides whether they can be merged', async () => {
    const scene = await openScene(open)
    const { ok, make, P } = scene
    const hook = await ok('POST /hooks', { ...QUIET, merge_requests_events: true })
    await make({})
    await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' })
    expect(await hooksOfEvents(scene)).toEqual([hook.id, hook.id])
    expect((await payloadsOf(scene))[1]).toMatchObject({
      object_kind: 'merge_request',
      object_attributes: {
        action: 'close',
        detailed_merge_status: 'not_open',
        blocking_discussions_resolved: true,
        first_contribution: false,
        head_pipeline_id: null,
      },
    })
  })
})
