import { expect, test } from 'vitest'

import type { PayloadDeps } from '../../../../src/coordinator/integrations/webhooks/payloads/payload-deps.js'
import { renderEvent } from '../../../../src/coordinator/integrations/webhooks/payloads/render-event.js'
import { mergeRequestState } from '../../../../src/coordinator/planning/merge-requests/hook-state.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { type Listed, openMergeRequestScene, type StatusAndBody } from './scene.js'

const openScene = sceneForFile(openMergeRequestScene)

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
const HIDDEN = [404, { message: '404 Not found' }]
const SHA = '0'.repeat(40)

describeOnEachDatabase('a merge request', (open, testOnOne) => {
  testOnOne('is created, read, changed, closed, reopened and deleted', async () => {
    const { call, ok, P, root, project, person, database } = await openScene(open)
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    const ann = await person('ann', P, 20)
    const user = expect.objectContaining({ id: root.id, username: 'root' }) as unknown
    const created = await call(`POST ${P}/merge_requests`, {
      source_branch: 'feature',
      target_branch: 'main',
      title: ' Draft: New ',
      description: '- [ ] a\n- [x] b',
      assignee_ids: [root.id],
      reviewer_ids: [ann.id, ann.id],
      labels: 'b,a',
      milestone_id,
      remove_source_branch: true,
    })
    const path = `${P}/merge_requests/1`
    const record = {
      id: expect.any(Number) as number,
      iid: 1,
      project_id: project,
      title: 'Draft: New',
      description: '- [ ] a\n- [x] b',
      state: 'opened',
      created_at: TIME,
      updated_at: TIME,
      merged_by: null,
      merge_user: null,
      merged_at: null,
      merge_after: null,
      closed_by: null,
      closed_at: null,
      prepared_at: TIME,
      source_branch: 'feature',
      target_branch: 'main',
      source_project_id: project,
      target_project_id: project,
      author: user,
      assignee: user,
      assignees: [user],
      reviewers: [expect.objectContaining({ username: 'ann' }) as unknown],
      labels: ['a', 'b'],
      milestone: expect.objectContaining({ title: 'v1' }) as unknown,
      draft: true,
      work_in_progress: true,
      user_notes_count: 0,
      upvotes: 0,
      downvotes: 0,
      discussion_locked: null,
      merge_when_pipeline_succeeds: false,
      merge_status: 'unchecked',
      detailed_merge_status: 'unchecked',
      has_conflicts: false,
      blocking_discussions_resolved: true,
      sha: SHA,
      merge_commit_sha: null,
      squash_commit_sha: null,
      squash: false,
      squash_on_merge: false,
      should_remove_source_branch: null,
      force_remove_source_branch: true,
      allow_collaboration: false,
      allow_maintainer_to_push: false,
      approvals_before_merge: null,
      reference: '!1',
      references: { short: '!1', relative: '!1', full: 'team/app!1' },
      web_url: `${EXTERNAL_URL}/team/app/-/merge_requests/1`,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      task_completion_status: { count: 2, completed_count: 1 },
      imported: false,
      imported_from: 'none',
      subscribed: true,
      changes_count: '0',
      diff_refs: { base_sha: SHA, head_sha: SHA, start_sha: SHA },
      latest_build_started_at: null,
      latest_build_finished_at: null,
      first_deployed_to_production_at: null,
      head_pipeline: null,
      pipeline: null,
      merge_error: null,
      first_contribution: false,
      user: { can_merge: true },
    }
    expect(created).toEqual([201, record])
    expect(await call(`GET ${path}`)).toEqual([200, record])
    expect(await ok(`GET ${path}?render_html=true&include_rebase_in_progress=true`)).toMatchObject({
      title_html: 'Draft: New',
      description_html: expect.stringContaining('task-list-item') as string,
      rebase_in_progress: false,
    })
    const { id } = created[1] as Listed
    const asked = await database.selectFrom('merge_request_refresh').select('merge_request_id').execute()
    expect(asked).toEqual([{ merge_request_id: id }])

    const ends = { assignee_ids: [], reviewer_ids: '', add_labels: 'c', remove_labels: 'a', milestone_id: 0 }
    expect(await call(`PUT ${path}`, { state_event: 'close', ...ends })).toMatchObject([
      200,
      {
        state: 'closed',
        closed_at: TIME,
        closed_by: user,
        detailed_merge_status: 'not_open',
        assignees: [],
        assignee: null,
        reviewers: [],
        labels: ['b', 'c'],
        milestone: null,
      },
    ])
    expect(
      await call(`PUT ${path}`, { state_event: 'reopen', title: 'Done', target_branch: 'next' }),
    ).toMatchObject([
      200,
      {
        state: 'opened',
        closed_at: null,
        closed_by: null,
        title: 'Done',
        draft: false,
        target_branch: 'next',
      },
    ])
    expect((await call(`DELETE ${path}`))[0]).toBe(204)
    for (const method of ['GET', 'DELETE']) expect(await call(`${method} ${path}`)).toEqual(HIDDEN)
    // A number is not used again.
    const again = { source_branch: 'feature', target_branch: 'main', title: 'x' }
    expect(await call(`POST ${P}/merge_requests`, again)).toMatchObject([201, { iid: 2, draft: false }])
  })

  test('exists once for two branches while it is open, however many requests come at once', async () => {
    const { call, ok, make, P } = await openScene(open)
    const body = { source_branch: 'feature', target_branch: 'main', title: 'x' }
    const taken = [409, { message: ['Another open merge request already exists for this source branch: !1'] }]
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => call(`POST ${P}/merge_requests`, body)),
    )
    expect(responses.map(([status]) => status).toSorted()).toEqual([201, 409, 409, 409])
    for (const response of responses.filter(([status]) => status === 409)) expect(response).toEqual(taken)
    await make({ target_branch: 'next' })
    expect(await call(`PUT ${P}/merge_requests/2`, { target_branch: 'main' })).toEqual(taken)
    await ok(`PUT ${P}/merge_requests/2`, { state_event: 'close' })
    await ok(`PUT ${P}/merge_requests/2`, { target_branch: 'main' })
    expect(await call(`PUT ${P}/merge_requests/2`, { state_event: 'reopen' })).toEqual(taken)
    await ok(`PUT ${P}/merge_requests/1`, { state_event: 'close' })
    expect(await ok(`PUT ${P}/merge_requests/2`, { state_event: 'reopen' })).toMatchObject({
      state: 'opened',
    })
    await Promise.all([
      ok(`PUT ${P}/merge_requests/2`, { title: 'new' }),
      ok(`PUT ${P}/merge_requests/2`, { squash: true }),
      ok(`PUT ${P}/merge_requests/2`, { labels: 'a' }),
    ])
    expect(await ok(`GET ${P}/merge_requests/2`)).toMatchObject({
      title: 'new',
      squash: true,
      labels: ['a'],
    })
  })
})

describeOnDatabase('a merge request', (open) => {
  test('is refused for branches that do not exist or are the same, and without a title', async () => {
    const { call, make, ok, P } = await openScene(open)
    const create = (body: object) =>
      call(`POST ${P}/merge_requests`, {
        source_branch: 'feature',
        target_branch: 'main',
        title: 'x',
        ...body,
      })
    const missing = (name: string): StatusAndBody => [400, { message: { [name]: ['does not exist'] } }]
    expect(await call(`POST ${P}/merge_requests`, { title: 'x' })).toEqual([
      400,
      { error: 'source_branch is missing, target_branch is missing' },
    ])
    expect(await create({ title: ' ' })).toEqual([400, { message: { title: ["can't be blank"] } }])
    expect(await create({ source_branch: 'gone' })).toEqual(missing('source_branch'))
    expect(await create({ target_branch: 'gone' })).toEqual(missing('target_branch'))
    const same = [422, { message: ["You can't use same project/branch for source and target"] }]
    expect(await create({ target_branch: 'feature' })).toEqual(same)
    await make()
    expect(await call(`PUT ${P}/merge_requests/1`, { target_branch: 'feature' })).toEqual(same)
    expect(await call(`PUT ${P}/merge_requests/1`, { target_branch: 'gone' })).toEqual(
      missing('target_branch'),
    )
    expect((await call(`PUT ${P}/merge_requests/1`, {}))[0]).toBe(400)
    await ok(`PUT ${P}`, { merge_requests_access_level: 'disabled' })
    expect([(await create({}))[0], (await call(`GET ${P}/merge_requests/1`))[0]]).toEqual([403, 403])
  })

  test('comes from a fork, whose owner sets only its text', async () => {
    const { call, ok, fork, person, database, project, P } = await openScene(open)
    const stranger = await person('stranger')
    const from = await fork(stranger)
    const body = { source_branch: 'main', target_branch: 'main', title: 'x', target_project_id: project }
    const create = (more: object = {}, as: Person | null = stranger) =>
      call(`POST /projects/${from}/merge_requests`, { ...body, ...more }, as)
    expect(
      await create({ labels: 'a', assignee_ids: [stranger.id], allow_collaboration: true }),
    ).toMatchObject([
      201,
      {
        iid: 1,
        project_id: project,
        source_project_id: from,
        labels: [],
        assignees: [],
        allow_collaboration: true,
        first_contribution: true,
        user: { can_merge: false },
        references: { relative: '!1' },
      },
    ])
    const path = `${P}/merge_requests/1`
    expect(
      await call(`PUT ${path}`, { title: 'Draft: y', labels: 'a', discussion_locked: true }, stranger),
    ).toMatchObject([200, { draft: true, labels: [], discussion_locked: null }])
    const [developer, reporter] = [await person('developer', P, 30), await person('reporter', P, 20)]
    expect((await call(`PUT ${path}`, { title: 'z' }, reporter))[0]).toBe(403)
    expect(await ok(`PUT ${path}`, { labels: 'a', assignee_id: reporter.id }, developer)).toMatchObject({
      labels: ['a'],
      assignee: { username: 'reporter' },
    })
    expect((await call(`PUT ${path}`, { title: 'z' }, reporter))[0]).toBe(200)
    expect((await call(`DELETE ${path}`, {}, developer))[0]).toBe(403)
    expect((await create({}, reporter))[0]).toBe(403)

    const unrelated = await ok('POST /projects', { name: 'other', visibility: 'public' })
    expect(await create({ target_project_id: unrelated.id })).toEqual([
      422,
      { message: ['Source project is not a fork of the target project'] },
    ])
    await ok(`PUT ${P}`, { visibility: 'private' })
    const hidden = [404, { message: '404 Project Not Found' }]
    expect([await create(), await create({ target_project_id: 987_654 })]).toEqual([hidden, hidden])
    await database.deleteFrom('project').where('id', '=', from).execute()
    expect(await ok(`GET ${path}`)).toMatchObject({ source_project_id: null })
    await ok(`PUT ${path}`, { state_event: 'close' })
    expect((await call(`PUT ${path}`, { state_event: 'reopen' }))[0]).toBe(400)
  })

  test('is for reporters of a private project, and for members alone where the project says so', async () => {
    const { call, ok, make, person, P } = await openScene(open)
    const [guest, reporter, stranger] = [
      await person('guest', P, 10),
      await person('reporter', P, 20),
      await person('stranger'),
    ]
    await make()
    const read = async (as: Person | null) => (await call(`GET ${P}/merge_requests/1`, undefined, as))[0]
    expect([await read(null), await read(stranger), await read(guest)]).toEqual([200, 200, 200])
    await ok(`PUT ${P}`, { merge_requests_access_level: 'private' })
    expect([await read(null), await read(stranger), await read(guest)]).toEqual([401, 403, 200])
    await ok(`PUT ${P}`, { merge_requests_access_level: 'enabled', visibility: 'private' })
    expect([await read(stranger), await read(guest), await read(reporter)]).toEqual([404, 403, 200])
    const ids = { assignee_ids: [guest.id, reporter.id, stranger.id], reviewer_ids: [stranger.id] }
    expect(await ok(`PUT ${P}/merge_requests/1`, ids)).toMatchObject({
      assignees: [{ username: 'reporter' }],
      reviewers: [],
    })
    await ok(`PUT ${P}`, { repository_access_level: 'disabled' })
    expect(await read(reporter)).toBe(403)
  })

  test('has its commits squashed as the project says, and its source branch deleted only if that is asked for', async () => {
    const { ok, make, P } = await openScene(open)
    const squash = async (squash_option: string, body: object) => {
      await ok(`PUT ${P}`, { squash_option })
      const { iid, ...record } = await make(body)
      await ok(`PUT ${P}/merge_requests/${iid}`, { state_event: 'close' })
      const { squash: wanted, squash_on_merge } = record as unknown as Record<string, boolean>
      return [wanted, squash_on_merge]
    }
    expect(await squash('never', { squash: true })).toEqual([false, false])
    expect(await squash('always', { squash: false })).toEqual([true, true])
    expect(await squash('default_on', {})).toEqual([true, true])
    expect(await squash('default_on', { squash: false })).toEqual([false, false])
    await ok(`PUT ${P}`, { remove_source_branch_after_merge: true })
    expect(await make({ source_branch: 'b0' })).toMatchObject({ force_remove_source_branch: false })
    expect(await make({ source_branch: 'b1', remove_source_branch: true })).toMatchObject({
      force_remove_source_branch: true,
    })
  })

  test('tells hooks what happens to it', async () => {
    const { database, services, ok, make, call, person, P, root } = await openScene(open)
    await ok(`POST ${P}/hooks`, { url: 'https://a.example', push_events: false, merge_requests_events: true })
    const ann = await person('ann', P, 30)
    await make({ labels: 'a', assignee_ids: [ann.id] })
    const path = `${P}/merge_requests/1`
    await ok(`PUT ${path}`, { title: 'Draft: x', reviewer_ids: [ann.id], labels: 'b' })
    await ok(`PUT ${path}`, { state_event: 'close' })
    await ok(`PUT ${path}`, { state_event: 'reopen' })
    // These change nothing.
    await ok(`PUT ${path}`, { state_event: 'reopen' })
    await ok(`PUT ${path}`, { title: 'Draft: x', labels: 'b' })
    const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
    const { repositories, secrets } = services
    const deps: PayloadDeps = {
      database,
      repositories,
      secrets,
      pushedCommits: () => Promise.resolve({ commits: [], total: 0 }),
      wikiContent: () => Promise.resolve(''),
      mergeRequestState: (row) => mergeRequestState(database, row),
      externalUrl: EXTERNAL_URL,
    }
    const payloads = await Promise.all(events.map((event) => renderEvent(deps, event)))
    const person_ = (name: string): unknown => expect.objectContaining({ username: name })
    const labeled = (title: string): unknown => [expect.objectContaining({ title, type: 'ProjectLabel' })]
    expect(payloads).toMatchObject([
      {
        object_kind: 'merge_request',
        event_type: 'merge_request',
        user: { username: 'root' },
        project: { path_with_namespace: 'team/app' },
        object_attributes: {
          action: 'open',
          iid: 1,
          state: 'opened',
          state_id: 1,
          author_id: root.id,
          source_branch: 'feature',
          target_branch: 'main',
          source: { path_with_namespace: 'team/app' },
          target: { path_with_namespace: 'team/app' },
          merge_status: 'unchecked',
          url: `${EXTERNAL_URL}/team/app/-/merge_requests/1`,
          draft: false,
          work_in_progress: false,
          assignee_ids: [ann.id],
          reviewer_ids: [],
        },
        labels: labeled('a'),
        assignees: [person_('ann')],
        changes: { title: { previous: null, current: 'New' } },
      },
      {
        object_attributes: { action: 'update', title: 'Draft: x', reviewer_ids: [ann.id] },
        reviewers: [person_('ann')],
        changes: {
          title: { previous: 'New', current: 'Draft: x' },
          draft: { previous: false, current: true },
          labels: { previous: labeled('a'), current: labeled('b') },
          reviewers: { previous: [], current: [person_('ann')] },
        },
      },
      {
        object_attributes: { action: 'close', state: 'closed' },
        changes: { state_id: { previous: 1, current: 2 } },
      },
      {
        object_attributes: { action: 'reopen', state: 'opened' },
        changes: { state_id: { previous: 2, current: 1 } },
      },
    ])
    const tested = await call(`POST ${P}/hooks/1/test/merge_requests_events`)
    expect(tested[1]).not.toEqual({ message: 'Ensure the project has merge requests.' })
  })
})
