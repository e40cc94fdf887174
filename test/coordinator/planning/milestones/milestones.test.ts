import { expect, onTestFinished, test, vi } from 'vitest'

import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { setMilestonesOfRelease } from '../../../../src/coordinator/hosting/milestone-store.js'
import { insertRelease } from '../../../../src/coordinator/hosting/release-store.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { sceneForFile } from '../../../support/scene-for-file.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { openNestedScene, type StatusAndBody } from '../support/planning-api.js'

const TAKEN = 'already being used for another group or project milestone.'
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

type Scene = Awaited<ReturnType<typeof openNestedScene>>

interface Listed {
  id: number
  title: string
}

/** 400 with the messages in the form that clients parse. */
function refused(verb: 'create' | 'update', field: string, message: string): StatusAndBody {
  return [400, { message: `Failed to ${verb} milestone {:${field}=>["${message}"]}` }]
}

async function addRelease({ database }: Scene, project_id: number, milestones: number[]): Promise<void> {
  const times = { created_at: 0, updated_at: 0, released_at: 0 }
  await inTransaction(database, async (tx) => {
    const release = await insertRelease(tx, { project_id, tag: 'v1', name: 'v1', sha: 'a', ...times })
    await setMilestonesOfRelease(tx, release.id, milestones)
  })
}

/** Makes it this day for the rest of the test. */
function setDay(day: string): void {
  vi.useFakeTimers({ now: Date.parse(`${day}T12:00:00Z`), toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

const openScene = sceneForFile(openNestedScene)

describeOnDatabase('a milestone', (open) => {
  test('is created, read, changed, closed, activated and deleted in a project and in a group', async () => {
    const scene = await openScene(open)
    const { call, group, project } = scene
    for (const [at, owner, url] of [
      [`/projects/${project}`, { project_id: project }, 'team/app'],
      [`/groups/${group}`, { group_id: group }, 'groups/team'],
    ] as const) {
      const of = `milestone of ${at}`
      const created = await call(`POST ${at}/milestones`, {
        title: ` ${of} `,
        description: 'Text',
        start_date: '2020-01-02',
        due_date: '2020-01-31',
      })
      const id = expect.any(Number) as number
      const record = {
        id,
        iid: 1,
        ...owner,
        title: of,
        description: 'Text',
        state: 'active',
        expired: true,
        start_date: '2020-01-02',
        due_date: '2020-01-31',
        created_at: TIME,
        updated_at: TIME,
        web_url: `${EXTERNAL_URL}/${url}/-/milestones/1`,
      }
      expect(created).toEqual([201, record])
      const path = `${at}/milestones/${(created[1] as Listed).id}`
      expect(await call(`GET ${path}`)).toEqual([200, record])
      expect(await call(`GET ${at}/milestones`)).toEqual([200, [record]])

      expect(await call(`PUT ${path}`, { title: '', due_date: '', state_event: 'close' })).toEqual([
        200,
        { ...record, due_date: null, state: 'closed', expired: false },
      ])
      expect(await call(`PUT ${path}`, { state_event: 'close' })).toMatchObject([200, { state: 'closed' }])
      expect(await call(`PUT ${path}`, { state_event: 'activate', title: `new ${of}` })).toMatchObject([
        200,
        { state: 'active', title: `new ${of}`, start_date: '2020-01-02' },
      ])
      expect(await call(`PUT ${path}`, {})).toEqual([
        400,
        {
          error:
            'title, description, start_date, due_date, state_event are missing, at least one parameter must be provided',
        },
      ])
      expect(await call(`DELETE ${path}`)).toEqual([204, ''])
      for (const method of ['GET', 'DELETE']) {
        expect(await call(`${method} ${path}`)).toEqual([404, { message: '404 Not found' }])
      }
      // A number is not used again.
      expect(await call(`POST ${at}/milestones`, { title: `third ${of}` })).toMatchObject([
        201,
        { iid: 2, description: null, start_date: null, due_date: null },
      ])
    }
  })

  test('expires when the day it is due has ended', async () => {
    const { ok, project } = await openScene(open)
    setDay('2026-05-01')
    const milestone = { title: 'May', due_date: '2026-05-01' }
    const { id } = await ok<Listed>(`POST /projects/${project}/milestones`, milestone)
    const path = `GET /projects/${project}/milestones/${id}`
    expect(await ok(path)).toMatchObject({ expired: false })
    setDay('2026-05-02')
    expect(await ok(path)).toMatchObject({ expired: true })
  })

  test('has a title that nothing above or below has, and dates in order', async () => {
    const { call, ok, group, below, project, deep, own } = await openScene(open)
    const create = (at: string, title: string) => call(`POST ${at}/milestones`, { title })
    await ok(`POST /groups/${below}/milestones`, { title: 'middle' })
    for (const at of [`/groups/${below}`, `/groups/${group}`, `/projects/${deep}`]) {
      expect([at, await create(at, 'middle')]).toEqual([at, refused('create', 'title', TAKEN)])
    }
    expect((await create(`/projects/${project}`, 'middle'))[0]).toBe(201)
    expect((await create(`/projects/${own}`, 'middle'))[0]).toBe(201)
    expect(await create(`/projects/${own}`, 'middle')).toEqual(refused('create', 'title', TAKEN))

    await ok(`POST /projects/${deep}/milestones`, { title: 'low' })
    expect(await create(`/groups/${group}`, 'low')).toEqual(refused('create', 'title', TAKEN))
    const { id } = await ok<Listed>(`POST /groups/${group}/milestones`, { title: 'high' })
    const path = `PUT /groups/${group}/milestones/${id}`
    expect(await call(path, { title: 'low' })).toEqual(refused('update', 'title', TAKEN))
    expect((await call(path, { title: 'high', description: 'x' }))[0]).toBe(200)

    expect(await create(`/projects/${own}`, ' ')).toEqual(refused('create', 'title', "can't be blank"))
    const order = 'must be greater than start date'
    const days = { start_date: '2026-02-01', due_date: '2026-02-01' }
    expect(await call(`POST /projects/${own}/milestones`, { title: 'x', ...days })).toEqual(
      refused('create', 'due_date', order),
    )
    await ok(path, { start_date: '2026-02-01' })
    expect(await call(path, { due_date: '2026-01-31' })).toEqual(refused('update', 'due_date', order))
    expect(await call(path, { due_date: '2026-02-30' })).toEqual([400, { error: 'due_date is invalid' }])
    expect(await call(`POST /projects/${own}/milestones`, {})).toEqual([400, { error: 'title is missing' }])
  })

  testAtNight(
    'is listed by due date, and found by number, state, title, text and time of change',
    async () => {
      const scene = await openScene(open)
      const { ok, project } = scene
      const at = `/projects/${project}/milestones`
      const milestones: [title: string, day: string, fields?: object][] = [
        ['none', '2026-01-01', { description: 'A 100% Text' }],
        ['late', '2026-01-02', { due_date: '2026-09-01' }],
        ['soon', '2026-01-03', { due_date: '2026-08-01' }],
        ['open', '2026-01-04'],
      ]
      for (const [title, day, fields] of milestones) {
        setDay(day)
        await ok(`POST ${at}`, { title, ...fields })
      }
      expect(await scene.titles(at)).toEqual(['soon', 'late', 'open', 'none'])
      expect(await scene.titles(`${at}?per_page=2&page=2`)).toEqual(['open', 'none'])
      setDay('2026-01-05')
      const [soon] = await ok<Listed[]>(`GET ${at}`)
      await ok(`PUT ${at}/${soon?.id}`, { state_event: 'close' })

      const found = (query: string) => scene.titles(`${at}?${query}`)
      expect(await found('iids[]=4&iids[]=1')).toEqual(['open', 'none'])
      expect(await found('iids=4,1')).toEqual(['open', 'none'])
      expect(await found('state=closed')).toEqual(['soon'])
      expect(await found('state=active')).toEqual(['late', 'open', 'none'])
      expect(await found('state=all&title=late')).toEqual(['late'])
      expect(await found('title=lat')).toEqual([])
      expect(await found('search=O')).toEqual(['soon', 'open', 'none'])
      expect(await found('search=100%25%20text')).toEqual(['none'])
      expect(await found('updated_before=2026-01-02T12:00:00Z')).toEqual(['late', 'none'])
      expect(await found('updated_after=2026-01-04T12:00:00Z')).toEqual(['soon', 'open'])
      expect((await scene.call(`GET ${at}?state=merged`))[0]).toBe(400)
    },
  )

  test('is listed with those of groups above and below that the caller may see', async () => {
    const scene = await openScene(open)
    const { ok, group, below, project, deep } = scene
    for (const [at, title] of [
      [`/groups/${group}`, 'a'],
      [`/groups/${below}`, 'b'],
      [`/projects/${deep}`, 'c'],
      [`/projects/${project}`, 'd'],
    ]) {
      await ok(`POST ${at}/milestones`, { title, due_date: `2026-01-0${'abcd'.indexOf(title ?? '') + 1}` })
    }
    const stranger = await scene.person('stranger')
    const member = await scene.person('member', `/groups/${below}`, 10)
    const [P, G, B] = [`/projects/${deep}`, `/groups/${group}`, `/groups/${below}`].map(
      (at) => `${at}/milestones`,
    )
    expect(await scene.titles(P ?? '')).toEqual(['c'])
    expect(await scene.titles(`${P}?include_ancestors=true`)).toEqual(['a', 'b', 'c'])
    expect(await scene.titles(`${P}?include_parent_milestones=true&iids[]=7`)).toEqual(['a', 'b', 'c'])
    expect(await scene.titles(G ?? '')).toEqual(['a'])
    expect(await scene.titles(`${G}?include_descendants=true`, member)).toEqual(['a', 'b'])
    expect(await scene.titles(`${G}?include_descendants=true`, stranger)).toEqual(['a'])
    expect(await scene.titles(`${B}?include_ancestors=true`, member)).toEqual(['a', 'b'])
    expect(await scene.titles(`${B}?include_ancestors=true&include_descendants=true`)).toEqual(['a', 'b'])
  })

  test('belongs to its project or group alone', async () => {
    const { call, ok, group, below, project, own } = await openScene(open)
    const { id } = await ok<Listed>(`POST /projects/${project}/milestones`, { title: 'x' })
    const { id: ofGroup } = await ok<Listed>(`POST /groups/${group}/milestones`, { title: 'y' })
    for (const path of [
      `/projects/${own}/milestones/${id}`,
      `/groups/${group}/milestones/${id}`,
      `/groups/${below}/milestones/${ofGroup}`,
      `/projects/${project}/milestones/${ofGroup}`,
    ]) {
      for (const [method, body] of [['GET'], ['PUT', { title: 'z' }], ['DELETE']] as const) {
        expect([path, (await call(`${method} ${path}`, body))[0]]).toEqual([path, 404])
      }
    }
  })

  test('is read by all who may see issues or merge requests, and changed by reporters', async () => {
    const scene = await openScene(open)
    const { call, ok, group, project } = scene
    const at = `/projects/${project}`
    const [guest, reporter] = [await scene.person('guest', at, 10), await scene.person('reporter', at, 20)]
    const stranger = await scene.person('stranger')
    const create = async (title: string, as: Person | null) =>
      (await call(`POST ${at}/milestones`, { title }, as))[0]
    expect([await create('a', null), await create('a', stranger), await create('a', guest)]).toEqual([
      401, 403, 403,
    ])
    expect(await create('a', reporter)).toBe(201)
    const list = async (as: Person | null) => (await call(`GET ${at}/milestones`, undefined, as))[0]
    expect([await list(null), await list(stranger), await list(guest)]).toEqual([200, 200, 200])

    await ok(`PUT ${at}`, { issues_access_level: 'disabled', merge_requests_access_level: 'private' })
    expect([await list(null), await list(stranger), await list(guest)]).toEqual([401, 403, 200])
    await ok(`PUT ${at}`, { merge_requests_access_level: 'disabled' })
    expect([await list(reporter), await create('b', reporter)]).toEqual([403, 403])

    // The role in a project gives none in its group.
    const [status] = await call(`POST /groups/${group}/milestones`, { title: 'g' }, reporter)
    expect(status).toBe(403)
    const ofGroup = await scene.person('member', `/groups/${group}`, 20)
    await ok(`POST /groups/${group}/milestones`, { title: 'g' }, ofGroup)
  })

  test('ends with its project, and with its group', async () => {
    const scene = await openScene(open)
    const { ok, call, group, below, deep } = scene
    const { id } = await ok<Listed>(`POST /projects/${deep}/milestones`, { title: 'x' })
    await ok(`POST /groups/${below}/milestones`, { title: 'y' })
    await ok(`DELETE /groups/${below}`)
    expect((await call(`GET /projects/${deep}/milestones/${id}`))[0]).toBe(404)
    // Both titles can be used again.
    for (const title of ['x', 'y']) await ok(`POST /groups/${group}/milestones`, { title })
  })
})

describeOnDatabase('a project milestone that is promoted', (open) => {
  testAtNight(
    'becomes one of the group, in place of those with its title in the projects of the group',
    async () => {
      const scene = await openScene(open)
      const { call, ok, group, project } = scene
      const { id: sibling } = await ok<Listed>('POST /projects', { name: 'second', namespace_id: group })
      const fields = { title: 'v1', description: 'Text', start_date: '2026-01-01', due_date: '2026-02-01' }
      const { id } = await ok<Listed>(`POST /projects/${project}/milestones`, fields)
      const { id: second } = await ok<Listed>(`POST /projects/${sibling}/milestones`, { title: 'v1' })
      await addRelease(scene, project, [id])
      await addRelease(scene, sibling, [second])
      await ok(`POST /projects/${sibling}/milestones`, { title: 'v2' })

      const reporter = await scene.person('reporter', `/projects/${project}`, 20)
      const path = `POST /projects/${project}/milestones/${id}/promote`
      expect(await call(path, {}, reporter)).toEqual([403, { message: '403 Forbidden' }])
      const member = await scene.person('member', `/groups/${group}`, 20)
      const promoted = await ok<Listed>(path, {}, member)
      expect(promoted).toMatchObject({ ...fields, group_id: group, iid: 1, state: 'active' })
      expect(promoted).not.toHaveProperty('project_id')
      const released = await scene.database.selectFrom('release_milestone').select('milestone_id').execute()
      expect(released.map((row) => row.milestone_id)).toEqual([promoted.id, promoted.id])
      expect(await scene.titles(`/groups/${group}/milestones`)).toEqual(['v1'])
      expect(await scene.titles(`/projects/${project}/milestones`)).toEqual([])
      expect(await scene.titles(`/projects/${sibling}/milestones`)).toEqual(['v2'])
      expect(await call(path)).toEqual([404, { message: '404 Not found' }])
    },
  )

  test('is refused without a group, and if the title is used elsewhere in the hierarchy', async () => {
    const { call, ok, deep, own, project } = await openScene(open)
    const { id } = await ok<Listed>(`POST /projects/${own}/milestones`, { title: 'v1' })
    expect(await call(`POST /projects/${own}/milestones/${id}/promote`)).toEqual([
      400,
      { message: 'Promotion failed - Project does not belong to a group.' },
    ])
    await ok(`POST /projects/${deep}/milestones`, { title: 'v1' })
    const { id: second } = await ok<Listed>(`POST /projects/${project}/milestones`, { title: 'v1' })
    expect(await call(`POST /projects/${project}/milestones/${second}/promote`)).toEqual([
      400,
      { message: `Promotion failed - Title ${TAKEN}` },
    ])
  })
})

describeOnDatabase('the issues of a milestone', (open) => {
  test('are listed for callers who may read them', async () => {
    const scene = await openScene(open)
    const { ok, call, group, project, deep } = scene
    const { id } = await ok<Listed>(`POST /groups/${group}/milestones`, { title: 'None' })
    const { id: own } = await ok<Listed>(`POST /projects/${project}/milestones`, { title: 'own' })
    for (const [at, title, fields] of [
      [project, 'open', { milestone_id: id }],
      [project, 'secret', { milestone_id: id, confidential: true }],
      [deep, 'private', { milestone_id: id }],
      [project, 'own', { milestone_id: own }],
      [project, 'none', {}],
    ] as const) {
      await ok(`POST /projects/${at}/issues`, { title, ...fields })
    }
    const stranger = await scene.person('stranger')
    const ofGroup = `/groups/${group}/milestones/${id}/issues`
    expect(await scene.titles(ofGroup)).toEqual(['private', 'secret', 'open'])
    expect(await scene.titles(ofGroup, stranger)).toEqual(['open'])
    const ofProject = `/projects/${project}/milestones/${own}/issues`
    expect(await scene.titles(ofProject, stranger)).toEqual(['own'])
    await ok(`PUT /projects/${project}`, { issues_access_level: 'private' })
    expect(await scene.titles(ofProject, stranger)).toEqual([])
    expect((await call(`GET /projects/${project}/milestones/${id}/issues`))[0]).toBe(404)
  })

  test('follow it when it is promoted, and get another one when their project leaves the group', async () => {
    const scene = await openScene(open)
    const { ok, project } = scene
    const { id } = await ok<Listed>(`POST /projects/${project}/milestones`, { title: 'v1' })
    const { iid } = await ok<{ iid: number }>(`POST /projects/${project}/issues`, {
      title: 'x',
      milestone_id: id,
    })
    const milestone = async () =>
      (await ok<{ milestone: unknown }>(`GET /projects/${project}/issues/${iid}`)).milestone
    const promoted = await ok<Listed>(`POST /projects/${project}/milestones/${id}/promote`)
    expect(await milestone()).toEqual(promoted)
    const { id: target } = await ok<Listed>('POST /groups', { name: 'Other', path: 'other' })
    await ok(`PUT /projects/${project}/transfer`, { namespace: target })
    expect(await milestone()).toMatchObject({ title: 'v1', project_id: project })
  })
})

describeOnDatabase('the group milestone of a release', (open) => {
  test('is replaced when its project leaves the group, by one of the same title or a copy', async () => {
    const scene = await openScene(open)
    const { database, ok, group, project } = scene
    const { id: target } = await ok<Listed>('POST /groups', { name: 'Other', path: 'other' })
    const add = async (at: string, title: string) =>
      (await ok<Listed>(`POST ${at}/milestones`, { title, due_date: '2030-01-01' })).id
    const [v1, v2] = [await add(`/groups/${group}`, 'v1'), await add(`/groups/${group}`, 'v2')]
    const same = await add(`/groups/${target}`, 'v1')
    await addRelease(scene, project, [v1, v2])
    await ok(`PUT /projects/${project}/transfer`, { namespace: target })
    const released = await database
      .selectFrom('release_milestone')
      .innerJoin('milestone', 'milestone.id', 'release_milestone.milestone_id')
      .select(['milestone.id', 'title', 'due_date', 'project_id'])
      .orderBy('title')
      .execute()
    expect(released).toEqual([
      { id: same, title: 'v1', due_date: '2030-01-01', project_id: null },
      { id: expect.any(Number) as number, title: 'v2', due_date: '2030-01-01', project_id: project },
    ])
    expect(await scene.titles(`/groups/${group}/milestones`)).toEqual(['v2', 'v1'])
  })
})

describeOnDatabase('the milestone of the project itself', (open) => {
  test('stays with its release when the project leaves its group for a personal namespace', async () => {
    const scene = await openScene(open)
    const { database, ok, project } = scene
    const { id } = await ok<Listed>(`POST /projects/${project}/milestones`, { title: 'v1' })
    await addRelease(scene, project, [id])
    await ok(`PUT /projects/${project}/transfer`, { namespace: 'root' })
    const released = await database.selectFrom('release_milestone').select('milestone_id').execute()
    expect(released).toEqual([{ milestone_id: id }])
  })
})

describeOnEachDatabase('milestones that are created at the same time', (open) => {
  test('get one number each, and only one of them gets a title', async () => {
    const { call, ok, group, below, deep } = await openScene(open)
    const places = [`/groups/${group}`, `/groups/${below}`, `/projects/${deep}`, `/projects/${deep}`]
    const made = await Promise.all(places.map((at) => call(`POST ${at}/milestones`, { title: 'one' })))
    expect(made.map(([status]) => status).toSorted()).toEqual([201, 400, 400, 400])
    const titles = ['a', 'b', 'c', 'd']
    await Promise.all(titles.map((title) => ok(`POST /projects/${deep}/milestones`, { title })))
    const all = await ok<{ iid: number; title: string }[]>(`GET /projects/${deep}/milestones`)
    const numbers = all.filter(({ title }) => titles.includes(title)).map(({ iid }) => iid)
    expect(new Set(numbers).size).toBe(4)
  })
})
