import { expect, test } from 'vitest'

import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { openMergeRequestScene } from '../merge-requests/scene.js'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

interface Note {
  id: number
  body: string
  system: boolean
}

/** A project with an issue, a merge request and an epic; `on` has the paths of their notes. */
async function buildScene(open: OpenDatabase) {
  const scene = await openMergeRequestScene(open)
  const { ok, P, make, group } = scene
  const issue = await ok(`POST ${P}/issues`, { title: 'a' })
  const mergeRequest = await make()
  const epic = await ok(`POST /groups/${group}/epics`, { title: 'a' })
  const on = {
    issue: `${P}/issues/1/notes`,
    mergeRequest: `${P}/merge_requests/1/notes`,
    epic: `/groups/${group}/epics/${epic.id}/notes`,
  }
  const bodies = async (path: string) => (await ok<Note[]>(`GET ${path}`)).map(({ body }) => body)
  return { ...scene, on, bodies, ids: { issue: issue.id, mergeRequest: mergeRequest.id, epic: epic.id } }
}

const openScene = sceneForFile(buildScene)

describeOnDatabase('a note', (open) => {
  test('is created, read, changed and deleted on an issue, a merge request and an epic', async () => {
    const { call, ok, on, ids, project } = await openScene(open)
    for (const [kind, type] of [
      ['issue', 'Issue'],
      ['mergeRequest', 'MergeRequest'],
      ['epic', 'Epic'],
    ] as const) {
      const created = await call(`POST ${on[kind]}`, { body: 'First' })
      const id = (created[1] as Note).id
      const record = {
        id,
        type: null,
        body: 'First',
        attachment: null,
        author: expect.objectContaining({ username: 'root' }) as object,
        created_at: TIME,
        updated_at: TIME,
        system: false,
        noteable_id: ids[kind],
        noteable_type: type,
        noteable_iid: 1,
        project_id: kind === 'epic' ? null : project,
        resolvable: false,
        suggestions: [],
        confidential: false,
        internal: false,
        commands_changes: {},
        imported: false,
        imported_from: 'none',
      }
      expect(created).toEqual([201, record])
      expect(await call(`GET ${on[kind]}/${id}`)).toEqual([200, record])
      expect(await call(`PUT ${on[kind]}/${id}`, { body: 'Second' })).toEqual([
        200,
        { ...record, body: 'Second' },
      ])
      expect(await ok<Note[]>(`GET ${on[kind]}`)).toMatchObject([{ id, body: 'Second' }])
      expect(await call(`DELETE ${on[kind]}/${id}`)).toEqual([204, ''])
      expect((await call(`GET ${on[kind]}/${id}`))[0]).toBe(404)
    }
  })

  test('is refused without a text', async () => {
    const { call, on } = await openScene(open)
    expect(await call(`POST ${on.issue}`, { body: ' ' })).toEqual([
      400,
      { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' },
    ])
    expect((await call(`POST ${on.issue}`, {}))[0]).toBe(400)
  })

  test('is listed by time of creation or change, and without records of changes', async () => {
    const { ok, on, bodies, P } = await openScene(open)
    const first = await ok<Note>(`POST ${on.issue}`, { body: '1', created_at: '2020-01-01T00:00:00Z' })
    await ok(`POST ${on.issue}`, { body: '2', created_at: '2020-01-02T00:00:00Z' })
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
    expect(await bodies(on.issue)).toEqual(['closed', '2', '1'])
    expect(await bodies(`${on.issue}?sort=asc`)).toEqual(['1', '2', 'closed'])
    expect(await bodies(`${on.issue}?activity_filter=only_comments`)).toEqual(['2', '1'])
    expect(await bodies(`${on.issue}?activity_filter=only_activity`)).toEqual(['closed'])
    await ok(`PUT ${on.issue}/${first.id}`, { body: '1a' })
    expect(await bodies(`${on.issue}?order_by=updated_at&activity_filter=only_comments`)).toEqual(['1a', '2'])
  })

  test('is counted on its issue and merge request, which it changes', async () => {
    const { ok, on, P } = await openScene(open)
    const { updated_at: before } = await ok<{ updated_at: string }>(`GET ${P}/issues/1`)
    await ok(`POST ${on.issue}`, { body: '1' })
    await ok(`POST ${on.mergeRequest}`, { body: '1' })
    const issue = await ok<{ updated_at: string }>(`GET ${P}/issues/1`)
    expect(issue).toMatchObject({ user_notes_count: 1 })
    expect(issue.updated_at > before).toBe(true)
    expect(await ok(`GET ${P}/merge_requests/1`)).toMatchObject({ user_notes_count: 1 })
  })

  test('is changed and deleted by its author and by maintainers', async () => {
    const { ok, call, on, person, P } = await openScene(open)
    const [ann, ben, maintainer] = [
      await person('ann', P, 10),
      await person('ben', P, 30),
      await person('max', P, 40),
    ]
    const { id } = await ok<Note>(`POST ${on.issue}`, { body: '1' }, ann)
    expect((await call(`PUT ${on.issue}/${id}`, { body: '2' }, ben))[0]).toBe(403)
    expect((await call(`DELETE ${on.issue}/${id}`, undefined, ben))[0]).toBe(403)
    expect((await call(`PUT ${on.issue}/${id}`, { body: '2' }, ann))[0]).toBe(200)
    expect((await call(`DELETE ${on.issue}/${id}`, undefined, maintainer))[0]).toBe(204)
  })

  test('that records a change stays as it is', async () => {
    const { ok, call, on, P } = await openScene(open)
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
    const [note] = await ok<Note[]>(`GET ${on.issue}`)
    expect((await call(`PUT ${on.issue}/${note?.id}`, { body: 'x' }))[0]).toBe(403)
    expect((await call(`DELETE ${on.issue}/${note?.id}`))[0]).toBe(403)
  })

  test('that is internal is for reporters and higher roles', async () => {
    const { ok, call, on, person, P } = await openScene(open)
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    expect((await call(`POST ${on.issue}`, { body: '1', internal: true }, guest))[0]).toBe(403)
    const { id } = await ok<Note>(`POST ${on.issue}`, { body: '1', internal: true }, reporter)
    expect((await call(`GET ${on.issue}/${id}`, undefined, guest))[0]).toBe(404)
    expect(await ok(`GET ${on.issue}`, undefined, guest)).toEqual([])
    expect(await ok(`GET ${on.issue}`, undefined, reporter)).toMatchObject([{ id, internal: true }])
  })

  test('is for members only where the discussion is locked', async () => {
    const { ok, call, on, person, P } = await openScene(open)
    await ok(`PUT ${P}/issues/1`, { discussion_locked: true })
    const [stranger, guest] = [await person('stranger'), await person('guest', P, 10)]
    expect((await call(`POST ${on.issue}`, { body: '1' }, stranger))[0]).toBe(403)
    expect((await call(`POST ${on.issue}`, { body: '1' }, guest))[0]).toBe(201)
  })

  test('of a confidential issue is hidden with it', async () => {
    const { ok, call, on, person, P } = await openScene(open)
    const guest = await person('guest', P, 10)
    await ok(`PUT ${P}/issues/1`, { confidential: true })
    expect((await call(`GET ${on.issue}`, undefined, guest))[0]).toBe(404)
    expect((await call(`POST ${on.issue}`, { body: '1' }, guest))[0]).toBe(404)
  })

  test('has a time of its own only from owners', async () => {
    const { call, on, person, P } = await openScene(open)
    const maintainer = await person('max', P, 40)
    const body = { body: '1', created_at: '2020-01-01T00:00:00Z' }
    expect((await call(`POST ${on.issue}`, body, maintainer))[0]).toBe(403)
    expect(await call(`POST ${on.issue}`, body)).toMatchObject([
      201,
      { created_at: '2020-01-01T00:00:00.000Z' },
    ])
  })

  test('belongs to the user ghost when its author is deleted', async () => {
    const { ok, call, on, person, P } = await openScene(open)
    const ann = await person('ann', P, 20)
    await ok(`POST ${on.issue}`, { body: '1' }, ann)
    expect((await call(`DELETE /users/${ann.id}`))[0]).toBe(204)
    expect(await ok(`GET ${on.issue}`)).toMatchObject([{ author: { username: 'ghost' } }])
  })

  test('is sent to hooks, the internal one to those for confidential notes', async () => {
    const { ok, on, P, database } = await openScene(open)
    const flags = { push_events: false, note_events: true, confidential_note_events: true }
    await ok(`POST ${P}/hooks`, { url: 'https://a.example', ...flags })
    await ok(`POST ${on.issue}`, { body: '1' })
    await ok(`POST ${on.mergeRequest}`, { body: '2', internal: true })
    const { id } = await ok<Note>(`POST ${on.mergeRequest}`, { body: '3' })
    await ok(`PUT ${on.mergeRequest}/${id}`, { body: '4' })
    const events = await database
      .selectFrom('hook_event')
      .select(['trigger', 'kind'])
      .where('kind', '=', 'note')
      .orderBy('id')
      .execute()
    expect(events.map(({ trigger }) => trigger)).toEqual([
      'note_events',
      'confidential_note_events',
      'note_events',
      'note_events',
    ])
  })
})

describeOnDatabase('a change of an issue', (open) => {
  test('is recorded among its notes', async () => {
    const { ok, bodies, on, P, person } = await openScene(open)
    const ann = await person('ann', P, 20)
    const milestone = await ok(`POST ${P}/milestones`, { title: 'v1.0' })
    await ok(`POST ${P}/labels`, { name: 'very bad', color: 'red' })
    for (const change of [
      { title: 'b*', description: 'x' },
      { labels: 'bug,very bad' },
      { labels: 'bug' },
      { milestone_id: milestone.id },
      { milestone_id: 0 },
      { assignee_ids: [ann.id] },
      { assignee_ids: [] },
      { due_date: '2030-01-01' },
      { weight: 3 },
      { confidential: true },
      { discussion_locked: true },
      { state_event: 'close' },
      { state_event: 'reopen' },
    ]) {
      await ok(`PUT ${P}/issues/1`, change)
    }
    await ok(`POST ${P}/issues/1/time_estimate`, { duration: '3h' })
    await ok(`POST ${P}/issues/1/add_spent_time`, { duration: '1h' })
    await ok(`POST ${P}/issues/1/reset_spent_time`)
    expect(await bodies(`${on.issue}?sort=asc&per_page=50`)).toEqual([
      'changed title from **a** to **b\\***',
      'changed the description',
      'added ~bug ~"very bad" labels',
      'removed ~"very bad" label',
      'changed milestone to %"v1.0"',
      'removed milestone',
      'assigned to @ann',
      'unassigned @ann',
      'changed due date to 2030-01-01',
      'set weight to **3**',
      'made the issue confidential',
      'locked the discussion in this issue',
      'closed',
      'reopened',
      'changed time estimate to 3h',
      'added 1h of time spent',
      'removed time spent',
    ])
  })
})
