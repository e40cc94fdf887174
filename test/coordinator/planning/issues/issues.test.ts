import { expect, test } from 'vitest'

import type { PayloadDeps } from '../../../../src/coordinator/integrations/webhooks/payloads/payload-deps.js'
import { renderEvent } from '../../../../src/coordinator/integrations/webhooks/payloads/render-event.js'
import { describeOnDatabase, describeOnEachDatabase, type OpenDatabase } from '../../../support/databases.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { openPlanningApi } from '../support/planning-api.js'

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
const HIDDEN = [404, { message: '404 Not found' }]

interface Listed {
  id: number
  iid: number
  title: string
}

async function buildScene(open: OpenDatabase) {
  const api = await openPlanningApi(open)
  const { ok } = api
  const visibility = 'public'
  const group = await ok('POST /groups', { name: 'Team', path: 'team', visibility })
  const project = await ok('POST /projects', { name: 'app', namespace_id: group.id, visibility })
  const other = await ok('POST /projects', { name: 'other', namespace_id: group.id })
  const P = `/projects/${project.id}`
  return {
    ...api,
    group: group.id,
    project: project.id,
    other: other.id,
    P,
    make: (body: object, as?: Person) => ok(`POST ${P}/issues`, body, as),
    openCount: async (as?: Person) =>
      (await ok<{ open_issues_count: number }>(`GET ${P}`, undefined, as)).open_issues_count,
  }
}

const openScene = sceneForFile(buildScene)

describeOnDatabase('an issue', (open) => {
  test('is created, read, changed, closed, reopened and deleted', async () => {
    const { call, ok, P, root, project, openCount } = await openScene(open)
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    const user = expect.objectContaining({ id: root.id, username: 'root' }) as unknown
    const created = await call(`POST ${P}/issues`, {
      title: ' Broken ',
      description: '- [ ] a\n- [x] b\n```\n- [ ] c\n```',
      due_date: '2030-01-31',
      assignee_ids: [root.id],
      weight: 3,
      milestone_id,
    })
    const path = `${P}/issues/1`
    const self = `${EXTERNAL_URL}/api/v4${path}`
    const record = {
      id: expect.any(Number) as number,
      iid: 1,
      project_id: project,
      title: 'Broken',
      state: 'opened',
      description: expect.any(String) as string,
      created_at: TIME,
      updated_at: TIME,
      closed_at: null,
      closed_by: null,
      labels: [],
      author: user,
      assignee: user,
      assignees: [user],
      type: 'ISSUE',
      issue_type: 'issue',
      severity: 'UNKNOWN',
      user_notes_count: 0,
      upvotes: 0,
      downvotes: 0,
      merge_requests_count: 0,
      due_date: '2030-01-31',
      confidential: false,
      discussion_locked: null,
      weight: 3,
      milestone: expect.objectContaining({ title: 'v1' }) as unknown,
      blocking_issues_count: 0,
      web_url: `${EXTERNAL_URL}/team/app/-/issues/1`,
      moved_to_id: null,
      epic: null,
      epic_id: null,
      epic_iid: null,
      time_stats: {
        time_estimate: 0,
        total_time_spent: 0,
        human_time_estimate: null,
        human_total_time_spent: null,
      },
      has_tasks: true,
      task_status: '1 of 2 tasks completed',
      task_completion_status: { count: 2, completed_count: 1 },
      references: { short: '#1', relative: '#1', full: 'team/app#1' },
      _links: {
        self,
        notes: `${self}/notes`,
        award_emoji: `${self}/award_emoji`,
        closed_as_duplicate_of: null,
        project: `${EXTERNAL_URL}/api/v4${P}`,
      },
      imported: false,
      imported_from: 'none',
      service_desk_reply_to: null,
      subscribed: true,
    }
    expect(created).toEqual([201, record])
    expect(await call(`GET ${path}`)).toEqual([200, record])
    expect(await call(`GET /issues/${(created[1] as Listed).id}`)).toEqual([200, record])
    const { subscribed: _, ...entry } = record
    expect(await call(`GET ${P}/issues`)).toEqual([200, [entry]])
    expect(await openCount()).toBe(1)
    expect(await ok('GET /user_counts')).toMatchObject({ assigned_issues: 1 })

    expect(await call(`PUT ${path}`, { state_event: 'close', assignee_ids: [], due_date: '' })).toMatchObject(
      [
        200,
        { state: 'closed', closed_at: TIME, closed_by: user, assignees: [], assignee: null, due_date: null },
      ],
    )
    expect(await openCount()).toBe(0)
    await ok(`PUT ${path}`, { state_event: 'close' })
    expect(await openCount()).toBe(0)
    expect(await call(`PUT ${path}`, { state_event: 'reopen', milestone_id: 0, title: 'New' })).toMatchObject(
      [200, { state: 'opened', closed_at: null, closed_by: null, milestone: null, title: 'New', weight: 3 }],
    )
    expect(await openCount()).toBe(1)
    expect((await call(`DELETE ${path}`))[0]).toBe(204)
    expect(await openCount()).toBe(0)
    for (const method of ['GET', 'DELETE']) expect(await call(`${method} ${path}`)).toEqual(HIDDEN)
    // A number is not used again.
    expect(await call(`POST ${P}/issues`, { title: 'x' })).toMatchObject([201, { iid: 2, description: null }])
  })

  test('is refused without a title, with the number of another, and with nothing to change', async () => {
    const { call, ok, make, person, P } = await openScene(open)
    const blank = [400, { message: { title: ["can't be blank"] } }]
    expect(await call(`POST ${P}/issues`, {})).toEqual([400, { error: 'title is missing' }])
    for (const route of [`GET ${P}/issues`, 'GET /issues_statistics'])
      expect(await call(`${route}?weight=2147483648`)).toEqual([400, { error: 'weight is invalid' }])
    expect(await call(`POST ${P}/issues`, { title: ' ' })).toEqual(blank)
    expect(await make({ title: 'x', iid: 7, created_at: '2020-01-02T03:04:05Z' })).toMatchObject({
      iid: 7,
      created_at: '2020-01-02T03:04:05.000Z',
    })
    expect(await call(`POST ${P}/issues`, { title: 'y', iid: 7 })).toEqual([
      409,
      { message: 'Duplicated issue' },
    ])
    expect(await make({ title: 'z' })).toMatchObject({ iid: 8 })
    expect(await call(`PUT ${P}/issues/7`, { title: '' })).toEqual(blank)
    const [status, body] = await call(`PUT ${P}/issues/7`, {})
    expect([status, (body as { error: string }).error]).toEqual([
      400,
      expect.stringContaining('at least one'),
    ])
    const maintainer = await person('maintainer', P, 40)
    for (const more of [{ iid: 9 }, { created_at: '2020-01-02T03:04:05Z' }]) {
      expect((await call(`POST ${P}/issues`, { title: 'x', ...more }, maintainer))[0]).toBe(403)
    }
    await ok(`PUT ${P}`, { issues_access_level: 'disabled' })
    expect((await call(`POST ${P}/issues`, { title: 'x' }))[0]).toBe(403)
    expect((await call(`GET ${P}/issues`))[0]).toBe(403)
  })
})

describeOnEachDatabase('an issue', (open) => {
  test('gets numbers without gaps, and loses no change, when many requests come at once', async () => {
    const { ok, make, P } = await openScene(open)
    const made = await Promise.all(Array.from({ length: 8 }, (_, index) => make({ title: `t${index}` })))
    expect(made.map(({ iid }) => iid).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    await Promise.all([
      ok(`PUT ${P}/issues/1`, { title: 'new' }),
      ok(`PUT ${P}/issues/1`, { weight: 5 }),
      ok(`PUT ${P}/issues/1`, { state_event: 'close' }),
      ...Array.from({ length: 4 }, () => ok(`POST ${P}/issues/1/add_spent_time`, { duration: '1h' })),
    ])
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({
      title: 'new',
      weight: 5,
      state: 'closed',
      time_stats: { total_time_spent: 4 * 3600 },
    })
    expect(await ok(`GET ${P}`)).toMatchObject({ open_issues_count: 7 })
  })
})

describeOnDatabase('an issue', (open) => {
  test('is created by all who see it, changed by its author and by reporters, and deleted by owners', async () => {
    const { call, ok, make, person, P } = await openScene(open)
    const [guest, reporter] = [await person('guest', P, 10), await person('reporter', P, 20)]
    const [maintainer, stranger] = [await person('maintainer', P, 40), await person('stranger')]
    expect((await call(`POST ${P}/issues`, { title: 'x' }, null))[0]).toBe(401)
    // A guest plans nothing.
    expect(await make({ title: 'x', weight: 3, assignee_ids: [reporter.id] }, guest)).toMatchObject({
      iid: 1,
      weight: null,
      assignees: [],
    })
    await make({ title: 'y' }, stranger)
    const edit = async (as: Person, body: object, iid = 1) =>
      (await call(`PUT ${P}/issues/${iid}`, body, as))[0]
    expect(await edit(guest, { title: 'new', description: 'd', state_event: 'close' })).toBe(200)
    expect([await edit(guest, { weight: 3 }), await edit(stranger, { title: 'z' })]).toEqual([403, 403])
    expect([await edit(stranger, { title: 'z' }, 2), await edit(guest, { title: 'z' }, 2)]).toEqual([
      200, 403,
    ])
    expect(await edit(reporter, { weight: 3, title: 'q' }, 2)).toBe(200)
    expect(await edit(reporter, { updated_at: '2020-01-01T00:00:00Z' }, 2)).toBe(403)
    expect((await call(`DELETE ${P}/issues/1`, {}, maintainer))[0]).toBe(403)
    await ok(`POST ${P}/archive`)
    expect([await edit(reporter, { weight: 4 }, 2), await edit(guest, { title: 'z' })]).toEqual([403, 403])
    expect((await call(`POST ${P}/issues`, { title: 'x' }, reporter))[0]).toBe(403)
    expect((await call(`GET ${P}/issues/1`, undefined, guest))[0]).toBe(200)
  })

  test('is hidden when it is confidential, except from its author, its assignees and reporters', async () => {
    const { call, ok, make, person, titles, openCount, P, group } = await openScene(open)
    const [guest, assigned, reporter] = [
      await person('guest', P, 10),
      await person('assigned', P, 10),
      await person('reporter', P, 20),
    ]
    const stranger = await person('stranger')
    await make({ title: 'secret', confidential: true }, stranger)
    await ok(`PUT ${P}/issues/1`, { assignee_ids: [assigned.id] })
    for (const as of [stranger, assigned, reporter]) {
      expect((await call(`GET ${P}/issues/1`, undefined, as))[0]).toBe(200)
      for (const list of [`${P}/issues`, `/groups/${group}/issues`, '/issues?scope=all']) {
        expect([as.username, list, await titles(list, as)]).toEqual([as.username, list, ['secret']])
      }
    }
    const routes = [
      ...[`GET ${P}/issues/1`, `GET ${P}/issues/1/time_stats`, `GET ${P}/issues/1/participants`],
      ...[`PUT ${P}/issues/1`, `POST ${P}/issues/1/subscribe`, `GET ${P}/issues/1/links`],
    ]
    for (const route of routes) {
      expect([route, await call(route, { title: 'z' }, guest)]).toEqual([route, HIDDEN])
    }
    expect(await call(`GET ${P}/issues/1`, undefined, null)).toEqual(HIDDEN)
    for (const list of [`${P}/issues`, `/groups/${group}/issues`, '/issues?scope=all']) {
      expect(await titles(list, guest)).toEqual([])
    }
    expect([await openCount(guest), await openCount(reporter)]).toEqual([0, 1])
    const counts = (all: number) => ({ statistics: { counts: { all, opened: all, closed: 0 } } })
    expect(await ok(`GET ${P}/issues_statistics`, undefined, guest)).toEqual(counts(0))
    expect(await ok(`GET ${P}/issues_statistics`, undefined, reporter)).toEqual(counts(1))
    await ok(`PUT ${P}/issues/1`, { confidential: false })
    expect(await openCount(guest)).toBe(1)
  })
})

describeOnEachDatabase('an issue', (open, testOnOne) => {
  testOnOne(
    'is listed by the priority of its most important label, and by that behind its milestone',
    async () => {
      const { ok, make, titles, P } = await openScene(open)
      for (const [name, priority] of [
        ['x', 1],
        ['y', 0],
        ['z', null],
      ]) {
        await ok(`POST ${P}/labels`, { name, color: 'red', priority })
      }
      const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1', due_date: '2030-01-01' })
      await make({ title: 'a', labels: 'x,z' })
      await make({ title: 'b', labels: 'x,y' })
      await make({ title: 'c', labels: 'z' })
      await make({ title: 'd', milestone_id })
      const found = (query: string) => titles(`${P}/issues?order_by=${query}`)
      expect(await found('label_priority&sort=asc')).toEqual(['b', 'a', 'c', 'd'])
      expect(await found('label_priority&sort=desc')).toEqual(['a', 'b', 'd', 'c'])
      expect(await found('priority&sort=asc')).toEqual(['d', 'b', 'a', 'c'])
      expect(await found('priority&sort=asc&per_page=1&page=3')).toEqual(['a'])
      expect(await found('priority&sort=desc')).toEqual(['d', 'a', 'b', 'c'])
    },
  )

  test('is listed by the filters of all three lists, in each order', async () => {
    const { call, ok, make, person, titles, P, group, other, root } = await openScene(open)
    const [ann, bob] = [await person('ann', P, 20), await person('bob', P, 20)]
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1', due_date: '2030-01-01' })
    await make(
      { title: 'a', description: '100% Text', due_date: '2020-01-01', weight: 2, assignee_ids: [bob.id] },
      ann,
    )
    await make({ title: 'b', weight: 1, assignee_ids: [ann.id, bob.id], milestone_id }, bob)
    await make({ title: 'c', due_date: '2999-01-01', confidential: true }, ann)
    await ok(`PUT ${P}/issues/2`, { state_event: 'close' })
    await ok(`POST /projects/${other}/issues`, { title: 'd' })
    const found = (query: string) => titles(`${P}/issues?${query}`)
    const rows: [query: string, titles: string[]][] = [
      ['', ['c', 'b', 'a']],
      ['per_page=1&page=2', ['b']],
      ['state=opened', ['c', 'a']],
      ['state=closed', ['b']],
      ['iids[]=1&iids[]=2', ['b', 'a']],
      ['author_username=ann', ['c', 'a']],
      [`author_id=${bob.id}`, ['b']],
      [`assignee_id=${bob.id}`, ['b', 'a']],
      ['assignee_id=None', ['c']],
      ['assignee_id=Any', ['b', 'a']],
      ['assignee_username[]=ann&assignee_username[]=bob', ['b']],
      ['search=text', ['a']],
      ['search=text&in=title', []],
      ['confidential=true', ['c']],
      ['weight=1', ['b']],
      ['weight=None', ['c']],
      ['milestone=v1', ['b']],
      ['milestone=None', ['c', 'a']],
      ['due_date=overdue', ['a']],
      ['due_date=0', ['b']],
      ['due_date=any', ['c', 'a']],
      ['due_date=week', []],
      ['not[author_username]=ann', ['b']],
      ['author_username=nobody', []],
      ['not[author_username]=nobody', ['c', 'b', 'a']],
      ['not[milestone]=v1', ['c', 'a']],
      ['not[milestone][]=v1&not[milestone][]=v2', ['c', 'a']],
      ['not[search]=text', ['c', 'b']],
      [`not[assignee_id]=${ann.id}`, ['c', 'a']],
      ['created_before=2000-01-01', []],
      ['updated_after=2000-01-01', ['c', 'b', 'a']],
      ['order_by=created_at&sort=asc', ['a', 'b', 'c']],
      ['order_by=updated_at', ['b', 'c', 'a']],
      ['order_by=due_date&sort=asc', ['a', 'c', 'b']],
      ['order_by=due_date&sort=desc', ['c', 'a', 'b']],
      ['order_by=weight&sort=asc', ['b', 'a', 'c']],
      ['order_by=milestone_due', ['b', 'c', 'a']],
      ['order_by=title&sort=asc', ['a', 'b', 'c']],
      ['order_by=title', ['c', 'b', 'a']],
    ]
    for (const [query, expected] of rows) expect([query, await found(query)]).toEqual([query, expected])
    expect(await titles(`/groups/${group}/issues`)).toEqual(['d', 'c', 'b', 'a'])
    expect(await titles(`/groups/${group}/issues`, ann)).toEqual(['c', 'b', 'a'])
    expect(await titles('/issues')).toEqual(['d'])
    expect(await titles('/issues', ann)).toEqual(['c', 'a'])
    expect(await titles('/issues?scope=assigned_to_me', bob)).toEqual(['b', 'a'])
    expect(await titles('/issues?scope=all&order_by=created_at&sort=asc')).toEqual(['a', 'b', 'c', 'd'])
    expect(await titles(`${P}/issues?pagination=keyset&per_page=2`)).toEqual(['c', 'b'])
    expect((await call(`GET ${P}/issues?author_id=1&author_username=x`))[0]).toBe(400)
    expect((await call(`GET ${P}/issues?pagination=keyset&order_by=weight`))[0]).toBe(405)
    expect(
      await ok<{ references: object }[]>(`GET /groups/${group}/issues?iids[]=1&author_id=${root.id}`),
    ).toMatchObject([{ references: { short: '#1', relative: 'other#1', full: 'team/other#1' } }])
    await ok(`POST ${P}/archive`)
    expect(await titles(`/groups/${group}/issues`)).toEqual(['d'])
    expect(await titles(`/groups/${group}/issues?non_archived=false`)).toEqual(['d', 'c', 'b', 'a'])
  })
})

describeOnDatabase('people of an issue', (open) => {
  test('are subscribed as participants unless they choose otherwise', async () => {
    const { call, ok, make, person, P } = await openScene(open)
    const [ann, bob] = [await person('ann', P, 20), await person('bob', P, 10)]
    await make({ title: 'a', assignee_ids: [bob.id] }, ann)
    const to = async (what: string, as: Person) => await call(`POST ${P}/issues/1/${what}`, {}, as)
    expect(await to('subscribe', ann)).toEqual([304, ''])
    expect(await to('unsubscribe', ann)).toMatchObject([201, { iid: 1, subscribed: false }])
    expect(await to('unsubscribe', ann)).toEqual([304, ''])
    expect(await to('subscribe', ann)).toMatchObject([201, { subscribed: true }])
    const carl = await person('carl')
    expect(await to('unsubscribe', carl)).toEqual([304, ''])
    expect(await to('subscribe', carl)).toMatchObject([201, { subscribed: true }])
    await ok(`POST ${P}/issues/1/notes`, { body: 'For members alone.', internal: true })
    await ok(`POST ${P}/issues/1/notes`, { body: 'Why?' }, carl)
    expect(await ok(`GET ${P}/issues/1/participants`)).toMatchObject([
      { username: 'ann' },
      { username: 'bob' },
      { username: 'carl' },
    ])
    expect((await call(`GET ${P}/issues/1/user_agent_detail`, undefined, ann))[0]).toBe(403)
    expect(await ok(`GET ${P}/issues/1/user_agent_detail`)).toMatchObject({
      ip_address: '127.0.0.1',
      akismet_submitted: false,
    })
  })

  test('are left out if they may not see the issues, and go when they are deleted', async () => {
    const { call, ok, make, person, other, P } = await openScene(open)
    const [ann, bob] = [await person('ann', P, 20), await person('bob', P, 20)]
    expect(
      await ok(`POST /projects/${other}/issues`, { title: 'x', assignee_ids: [ann.id, 0, 999] }),
    ).toMatchObject({
      assignees: [],
    })
    await make({ title: 'a', assignee_ids: [ann.id, bob.id] }, ann)
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' }, ann)
    expect((await call(`DELETE /users/${ann.id}`))[0]).toBe(204)
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({
      author: { username: 'ghost' },
      assignees: [{ username: 'bob' }],
      closed_by: null,
      state: 'closed',
    })
  })
})

describeOnDatabase('the time of an issue', (open) => {
  test('is estimated, added, subtracted and reset', async () => {
    const { call, make, person, P } = await openScene(open)
    await make({ title: 'a' })
    const to = (what: string, body: object = {}) => call(`POST ${P}/issues/1/${what}`, body)
    expect(await to('time_estimate', { duration: '1w 2d 3h30m' })).toMatchObject([
      200,
      { time_estimate: 214_200, human_time_estimate: '1w 2d 3h 30m', human_total_time_spent: null },
    ])
    expect(await to('add_spent_time', { duration: '1mo' })).toMatchObject([
      201,
      { human_total_time_spent: '1mo' },
    ])
    expect(await to('add_spent_time', { duration: '-1h' })).toMatchObject([
      201,
      { total_time_spent: 572_400, human_total_time_spent: '3w 4d 7h' },
    ])
    expect(await to('add_spent_time', { duration: '-2mo' })).toEqual([
      400,
      { message: { base: ['Time to subtract exceeds the total time spent'] } },
    ])
    for (const duration of ['soon', '-1h']) {
      expect((await to('time_estimate', { duration }))[0]).toBe(400)
    }
    expect(await to('add_spent_time', { duration: '3' })).toEqual([400, { error: 'duration is invalid' }])
    expect(await to('reset_spent_time')).toMatchObject([200, { total_time_spent: 0 }])
    expect(await to('reset_time_estimate')).toMatchObject([
      200,
      { time_estimate: 0, human_time_estimate: null },
    ])
    expect(await call(`GET ${P}/issues/1/time_stats`)).toMatchObject([200, { time_estimate: 0 }])
    const guest = await person('guest', P, 10)
    expect((await call(`POST ${P}/issues/1/time_estimate`, { duration: '1h' }, guest))[0]).toBe(403)
  })
})

describeOnDatabase('an issue that is moved', (open) => {
  test('is closed and names the new one, which keeps what the other project allows', async () => {
    const { call, ok, make, person, P, project, other, openCount } = await openScene(open)
    const reporter = await person('reporter', P, 20)
    await make({ title: 'a', description: 'text', weight: 2, assignee_ids: [reporter.id] })
    const path = `POST ${P}/issues/1/move`
    expect(await call(path, { to_project_id: other }, reporter)).toEqual([
      404,
      { message: '404 Project Not Found' },
    ])
    expect(await call(path, { to_project_id: project })).toEqual([
      400,
      { message: 'Cannot move issue to project it originates from!' },
    ])
    await ok(`POST /projects/${other}/members`, { user_id: reporter.id, access_level: 10 })
    const refused = [400, { message: 'Cannot move issue due to insufficient permissions!' }]
    expect(await call(path, { to_project_id: other }, reporter)).toEqual(refused)
    await ok(`PUT /projects/${other}/members/${reporter.id}`, { access_level: 20 })
    const moved = await ok(path, { to_project_id: other }, reporter)
    expect(moved).toMatchObject({
      project_id: other,
      iid: 1,
      title: 'a',
      description: 'text',
      weight: 2,
      state: 'opened',
      author: { username: 'root' },
      assignees: [{ username: 'reporter' }],
    })
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ state: 'closed', moved_to_id: moved.id })
    expect(await openCount()).toBe(0)
    expect(await call(path, { to_project_id: other })).toEqual(refused)
  })
})

describeOnEachDatabase('issues among each other', (open, testOnOne) => {
  testOnOne('are linked once, and a link is seen by those who see both', async () => {
    const { call, ok, make, person, P, project, other } = await openScene(open)
    for (const title of ['a', 'b']) await make({ title })
    await ok(`POST /projects/${other}/issues`, { title: 'hidden' })
    const link = (target: number | string, iid: number, link_type?: string) =>
      call(`POST ${P}/issues/1/links`, { target_project_id: target, target_issue_iid: iid, link_type })
    expect(await link(project, 2, 'is_blocked_by')).toMatchObject([
      201,
      { source_issue: { title: 'a' }, target_issue: { title: 'b' }, link_type: 'is_blocked_by' },
    ])
    expect(await link('team/app', 2)).toEqual([409, { message: 'Issue(s) already assigned' }])
    expect((await link(project, 1))[0]).toBe(404)
    expect((await link(project, 9))[0]).toBe(404)
    expect((await link('team/other', 1))[0]).toBe(201)
    const guest = await person('guest')
    expect((await link('9223372036854775808', 1))[0]).toBe(404)
    const [, linked] = await call(`GET ${P}/issues/1/links`, undefined, guest)
    expect(linked).toMatchObject([{ title: 'b', link_type: 'is_blocked_by', link_created_at: TIME }])
    expect(await ok(`GET ${P}/issues/1/links`)).toHaveLength(2)
    expect(await ok(`GET ${P}/issues/2/links`)).toMatchObject([{ title: 'a', link_type: 'blocks' }])
    expect(await ok(`GET ${P}/issues/2`)).toMatchObject({ blocking_issues_count: 1 })
    const id = (linked as { issue_link_id: number }[])[0]?.issue_link_id
    expect(await call(`GET ${P}/issues/2/links/${id}`, undefined, guest)).toMatchObject([
      200,
      { id, source_issue: { title: 'b' }, target_issue: { title: 'a' }, link_type: 'blocks' },
    ])
    const hiddenLink = `${P}/issues/1/links/${(id ?? 0) + 1}`
    expect(await ok(`GET ${hiddenLink}`)).toMatchObject({ target_issue: { title: 'hidden' } })
    expect((await call(`GET ${hiddenLink}`, undefined, guest))[0]).toBe(404)
    expect((await call(`DELETE ${hiddenLink}`, undefined, await person('reporter', P, 20)))[0]).toBe(404)
    expect(await ok(`GET ${hiddenLink}`)).toMatchObject({ target_issue: { title: 'hidden' } })
    expect((await call(`GET ${P}/issues/2/links/${(id ?? 0) + 1}`))[0]).toBe(404)
    expect(await call(`DELETE ${P}/issues/1/links/${id}`)).toMatchObject([
      200,
      { link_type: 'is_blocked_by' },
    ])
    expect((await call(`DELETE ${P}/issues/1/links/${id}`))[0]).toBe(404)
  })

  test('are placed by hand in an order that all see', async () => {
    const { call, ok, make, titles, P } = await openScene(open)
    const [a, b, c] = [await make({ title: 'a' }), await make({ title: 'b' }), await make({ title: 'c' })]
    const order = () => titles(`${P}/issues?order_by=relative_position`)
    expect(await order()).toEqual(['a', 'b', 'c'])
    await ok(`PUT ${P}/issues/${c.iid}/reorder`, { move_before_id: a.id, move_after_id: b.id })
    expect(await order()).toEqual(['a', 'c', 'b'])
    await ok(`PUT ${P}/issues/${b.iid}/reorder`, { move_after_id: a.id })
    expect(await order()).toEqual(['b', 'a', 'c'])
    await ok(`PUT ${P}/issues/${b.iid}/reorder`, { move_before_id: a.id })
    expect(await order()).toEqual(['a', 'b', 'c'])
    // More often than there is room between two places.
    for (let round = 0; round < 12; round++) {
      const [moved, rest] = round % 2 === 0 ? [c, b] : [b, c]
      await ok(`PUT ${P}/issues/${moved.iid}/reorder`, { move_before_id: a.id, move_after_id: rest.id })
    }
    expect(await order()).toEqual(['a', 'b', 'c'])
    expect((await call(`PUT ${P}/issues/1/reorder`, {}))[0]).toBe(422)
    expect((await call(`PUT ${P}/issues/1/reorder`, { move_after_id: 999 }))[0]).toBe(404)
  })
})

describeOnDatabase('the milestone of an issue', (open) => {
  test('is replaced when it is promoted, and when the project leaves its group', async () => {
    const { ok, make, group, P } = await openScene(open)
    const { id: milestone_id } = await ok(`POST ${P}/milestones`, { title: 'v1' })
    await make({ title: 'a', milestone_id })
    const promoted = await ok(`POST ${P}/milestones/${milestone_id}/promote`)
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ milestone: { id: promoted.id, group_id: group } })
    await ok(`PUT ${P}/transfer`, { namespace: 'root' })
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({
      milestone: { title: 'v1', project_id: expect.any(Number) as number },
    })
    await ok(`DELETE ${P}/milestones/${promoted.id + 1}`)
    expect(await ok(`GET ${P}/issues/1`)).toMatchObject({ milestone: null })
  })
})

interface Labelled extends Listed {
  labels: string[]
}

describeOnDatabase('labels of an issue', (open) => {
  test('are set, added and removed by name, and created by reporters', async () => {
    const { call, ok, person, make, P, group } = await openScene(open)
    await ok(`POST /groups/${group}/labels`, { name: 'team', color: 'red', description: '*Ours*' })
    const { iid } = await make({ title: 'Broken', labels: 'team, bug,' })
    const labels = async () => (await ok<Labelled>(`GET ${P}/issues/${iid}`)).labels
    expect(await labels()).toEqual(['bug', 'team'])
    expect(await ok<Listed[]>(`GET ${P}/labels`)).toMatchObject([
      { name: 'bug', is_project_label: true },
      { name: 'team', is_project_label: false },
    ])
    const edit = (body: object, as?: Person) => call(`PUT ${P}/issues/${iid}`, body, as)
    expect(await edit({ add_labels: ['new'], remove_labels: ['bug', 'unknown'] })).toMatchObject([
      200,
      { labels: ['new', 'team'] },
    ])
    expect(await edit({ labels: ['bug'] })).toMatchObject([200, { labels: ['bug'] }])
    expect(await edit({ labels: '' })).toMatchObject([200, { labels: [] }])

    // Guests have no say in labels.
    const guest = await person('guest', P, 10)
    expect(await make({ title: 'Mine', labels: 'bug' }, guest)).toMatchObject({ labels: [] })
    expect((await edit({ labels: 'bug' }, guest))[0]).toBe(403)
    await ok(`PUT ${P}/issues/${iid}`, { labels: 'bug' })
    await ok(`DELETE ${P}/labels/bug`)
    expect(await labels()).toEqual([])
  })

  test('select issues in lists, which may describe them', async () => {
    const { ok, make, titles, P, group } = await openScene(open)
    await make({ title: 'none' })
    await make({ title: 'a', labels: 'a' })
    await make({ title: 'both', labels: 'a,b' })
    for (const at of ['', P, `/groups/${group}`]) {
      const found = (query: string) => titles(`${at}/issues?sort=asc&${query}`)
      expect(await found('labels=a')).toEqual(['a', 'both'])
      expect(await found('labels=b,a')).toEqual(['both'])
      expect(await found('labels[]=c')).toEqual([])
      expect(await found('labels=None')).toEqual(['none'])
      expect(await found('labels=Any')).toEqual(['a', 'both'])
      expect(await found('not[labels]=b')).toEqual(['none', 'a'])
      expect(await found('not[labels]=b,a')).toEqual(['none'])
    }
    expect(await ok(`GET ${P}/issues?labels=a,b&with_labels_details=true`)).toMatchObject([
      { labels: [{ name: 'a', text_color: '#FFFFFF', description_html: '' }, { name: 'b' }] },
    ])
    expect(await ok(`GET ${P}/issues_statistics?labels=a`)).toMatchObject({
      statistics: { counts: { all: 2 } },
    })
  })

  test('go with it to a project that has them', async () => {
    const { ok, make, P, group, other } = await openScene(open)
    await ok(`POST /groups/${group}/labels`, { name: 'team', color: 'red' })
    const { iid } = await make({ title: 'Broken', labels: 'team,bug' })
    const moved = await ok<Labelled>(`POST ${P}/issues/${iid}/move`, { to_project_id: other })
    expect(moved.labels).toEqual(['team'])
  })
})

describeOnDatabase('a hook for issues', (open) => {
  test('gets what changed, and confidential issues have a hook of their own', async () => {
    const { ok, make, database, P, root, project } = await openScene(open)
    const url = 'https://hook.example'
    await ok(`POST ${P}/hooks`, { url, push_events: false, issues_events: true })
    await ok(`POST ${P}/hooks`, { url, push_events: false, confidential_issues_events: true })
    await make({ title: 'a', assignee_ids: [root.id] })
    await ok(`PUT ${P}/issues/1`, { title: 'b', assignee_ids: [] })
    await ok(`PUT ${P}/issues/1`, { title: 'b' })
    await ok(`PUT ${P}/issues/1`, { state_event: 'close' })
    await ok(`PUT ${P}/issues/1`, { state_event: 'reopen' })
    await ok(`POST ${P}/issues/1/add_spent_time`, { duration: '1h' })
    await ok(`PUT ${P}/issues/1`, { labels: 'bug' })
    await ok(`PUT ${P}/issues/1`, { confidential: true })
    const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
    const secret = 'confidential_issues_events'
    expect(events.map(({ trigger }) => trigger)).toEqual([...Array<string>(6).fill('issues_events'), secret])
    expect(JSON.stringify(events)).not.toContain('127.0.0.1')
    const deps = { database, externalUrl: EXTERNAL_URL } as PayloadDeps
    const payloads = await Promise.all(events.map((event) => renderEvent(deps, event)))
    const change = (action: string, changes: object, more: object = {}) => ({
      object_kind: 'issue',
      event_type: 'issue',
      object_attributes: { action, id: expect.any(Number) as number, iid: 1, project_id: project, ...more },
      changes,
    })
    const user = expect.objectContaining({ username: 'root' }) as unknown
    expect(payloads).toMatchObject([
      change('open', {
        title: { previous: null, current: 'a' },
        assignees: { previous: [], current: [user] },
      }),
      change('update', {
        title: { previous: 'a', current: 'b' },
        assignees: { previous: [user], current: [] },
      }),
      change('close', { state_id: { previous: 1, current: 2 } }, { state: 'closed', state_id: 2 }),
      change('reopen', { state_id: { previous: 2, current: 1 } }, { closed_at: null }),
      change(
        'update',
        { total_time_spent: { previous: 0, current: 3600 } },
        {
          time_change: 3600,
          human_time_change: '1h',
          human_total_time_spent: '1h',
          human_time_estimate: null,
        },
      ),
      change('update', {
        labels: { previous: [], current: [{ title: 'bug', color: '#6699cc', type: 'ProjectLabel' }] },
      }),
      {
        ...change('update', { confidential: { previous: false, current: true } }),
        event_type: 'confidential_issue',
      },
    ])
    expect(payloads[0]).toMatchObject({ user, assignee: user, repository: { name: 'app' } })
  })
})
