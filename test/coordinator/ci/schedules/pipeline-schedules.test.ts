import { expect, test, vi } from 'vitest'

import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { type CiCoordinator, startCiCoordinator } from '../../support/ci-coordinator.js'
import { type CallInProject, projectTeam } from '../../support/project-team.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'

const NIGHTLY = { description: 'nightly', ref: 'main', cron: '0 4 * * *' }

interface Scene {
  coordinator: CiCoordinator
  owner: Person
  maintainer: Person
  developer: Person
  reporter: Person
  /** Calls `GET /pipeline_schedules` and the like. */
  call: CallInProject
}

async function openScene(open: OpenDatabase = openSqlite): Promise<Scene> {
  const coordinator = await startCiCoordinator({}, open)
  coordinator.repositories.ciFile = 'job: { script: [a] }'
  const { person, call } = projectTeam(coordinator)
  return {
    coordinator,
    owner: await person('olga', 30),
    maintainer: await person('max', 40),
    developer: await person('dora', 30),
    reporter: await person('rob', 20),
    call,
  }
}

async function openWithSchedule(open?: OpenDatabase): Promise<Scene & { path: string }> {
  return addSchedule(await openScene(open))
}

/** A new schedule of the owner, in the place of those before it: a project may have ten. */
async function addSchedule(scene: Scene): Promise<Scene & { path: string }> {
  await scene.coordinator.database.deleteFrom('pipeline_schedule').execute()
  const made = await scene.call(scene.owner, 'POST /pipeline_schedules', NIGHTLY)
  return { ...scene, path: `/pipeline_schedules/${made.json<{ id: number }>().id}` }
}

/** For tests of single requests, each about a schedule of its own. */
const shared = openForFile(() => openScene())

describeOnDatabase('a pipeline schedule', (open) => {
  test('is made, listed, changed and deleted', async () => {
    const { coordinator, owner, call } = await openScene(open)
    const scheduled = vi.spyOn(coordinator.pipelineSchedule, 'schedule')
    const made = await call(owner, 'POST /pipeline_schedules', { ...NIGHTLY, cron_timezone: 'Europe/Berlin' })
    expect(made.statusCode).toBe(201)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
    const record = made.json<{ id: number; next_run_at: string }>()
    const summary = {
      id: record.id,
      description: 'nightly',
      ref: 'refs/heads/main',
      cron: '0 4 * * *',
      cron_timezone: 'Europe/Berlin',
      next_run_at: time,
      active: true,
      last_failure: null,
      created_at: time,
      updated_at: time,
      owner: expect.objectContaining({ username: 'olga', web_url: `${EXTERNAL_URL}/olga` }) as object,
    }
    expect(record).toEqual({ ...summary, last_pipeline: null, variables: [], inputs: [] })
    expect(scheduled.mock.calls).toEqual([[Date.parse(record.next_run_at)]])
    const listed = await call(owner, 'GET /pipeline_schedules')
    expect(listed.json()).toEqual([summary])
    const detailed = await call(owner, 'GET /pipeline_schedules?with_details=true')
    expect(detailed.json()).toEqual([{ ...summary, last_pipeline: null }])
    expect(listed.headers['x-total']).toBe('1')

    const path = `/pipeline_schedules/${record.id}`
    const off = await call(owner, `PUT ${path}`, { active: false, description: 'off' })
    expect(off.json()).toMatchObject({ active: false, description: 'off', cron: '0 4 * * *' })
    expect((await call(owner, 'GET /pipeline_schedules?scope=active')).json()).toEqual([])
    expect((await call(owner, 'GET /pipeline_schedules?scope=inactive')).json()).toHaveLength(1)

    expect((await call(owner, `DELETE ${path}`)).statusCode).toBe(204)
    const gone = await call(owner, `GET ${path}`)
    expect(gone.statusCode).toBe(404)
    expect(gone.json()).toEqual({ message: '404 Pipeline Schedule Not Found' })
  })

  test('keeps variables, encrypted, for its owner and maintainers', async () => {
    const { coordinator, owner, maintainer, developer, call, path } = await openWithSchedule(open)
    const variable = { key: 'KEY', value: 'a-secret-value', variable_type: 'file' }
    const made = await call(owner, `POST ${path}/variables`, variable)
    expect(made.statusCode).toBe(201)
    expect(made.json()).toEqual({ ...variable, raw: false })
    const again = await call(owner, `POST ${path}/variables`, variable)
    expect(again.json()).toEqual({ message: { key: ['has already been taken'] } })
    const rows = await coordinator.database.selectFrom('pipeline_schedule_variable').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('a-secret-value')

    for (const person of [owner, maintainer]) {
      expect((await call(person, `GET ${path}`)).json()).toMatchObject({ variables: [variable] })
      expect((await call(person, `GET ${path}/variables/KEY`)).json()).toEqual({ ...variable, raw: false })
    }
    expect((await call(developer, `GET ${path}`)).json()).not.toHaveProperty('variables')
    expect((await call(developer, `GET ${path}/variables/KEY`)).statusCode).toBe(403)

    const changed = await call(owner, `PUT ${path}/variables/KEY`, { value: 'new' })
    expect(changed.json()).toMatchObject({ value: 'new', variable_type: 'file' })
    const removed = await call(owner, `DELETE ${path}/variables/KEY`)
    expect(removed.statusCode).toBe(202)
    expect(removed.json()).toMatchObject({ key: 'KEY', value: 'new' })
    const missing = await call(owner, `DELETE ${path}/variables/KEY`)
    expect(missing.json()).toEqual({ message: '404 Variable Not Found' })
  })

  test('may be played by users who may run pipelines, once a minute', async () => {
    const { developer, call, path } = await openWithSchedule(open)
    const played = await call(developer, `POST ${path}/play`)
    expect(played.statusCode).toBe(201)
    expect(played.json()).toEqual({ message: '201 Created' })
    const started = await call(developer, `GET ${path}/pipelines`)
    expect(started.json()).toMatchObject([{ source: 'schedule', ref: 'main', status: 'pending' }])
    expect((await call(developer, `GET ${path}`)).json()).toMatchObject({
      last_pipeline: { ref: 'main', status: 'pending' },
    })
    expect((await call(developer, 'GET /pipeline_schedules?with_details=true')).json()).toMatchObject([
      { description: 'nightly', last_pipeline: { ref: 'main', status: 'pending' } },
    ])
    const tooSoon = await call(developer, `POST ${path}/play`)
    expect(tooSoon.statusCode).toBe(429)
    expect(tooSoon.headers).toMatchObject({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' })
    expect(Number(tooSoon.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('loses the reason of its last failure when it is switched off or on, and keeps it if it was deactivated', async () => {
    const { coordinator, owner, call, path } = await openWithSchedule(open)
    const turn = async (before: boolean, active: boolean): Promise<unknown> => {
      await coordinator.database
        .updateTable('pipeline_schedule')
        .set({ active: before, last_failure: 'why' })
        .execute()
      return (await call(owner, `PUT ${path}`, { active })).json<{ last_failure: unknown }>().last_failure
    }
    expect(await turn(true, false)).toBeNull()
    expect(await turn(false, true)).toBeNull()
    expect(await turn(false, false)).toBe('why')
  })

  test('uses up its minute only when it is played, and only once', async () => {
    const { coordinator, developer, call, path } = await openWithSchedule(open)
    coordinator.repositories.ciFile = undefined
    for (let attempt = 0; attempt < 2; attempt++) {
      const refused = await call(developer, `POST ${path}/play`)
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toEqual({ message: { base: ['Missing CI config file'] } })
    }
    coordinator.repositories.ciFile = 'job: { script: [a] }'
    const plays = await Promise.all([1, 2, 3].map(() => call(developer, `POST ${path}/play`)))
    expect(plays.map(({ statusCode }) => statusCode).sort()).toEqual([201, 429, 429])
    const started = await call(developer, `GET ${path}/pipelines`)
    expect(started.json()).toHaveLength(1)
  })

  testAtNight('keeps inputs: each is set, changed or removed by its name', async () => {
    const { owner, developer, call } = await openScene(open)
    const inputs = [
      { name: 'a', value: 'x' },
      { name: 'b', value: [1, { c: true }] },
    ]
    const made = await call(owner, 'POST /pipeline_schedules', { ...NIGHTLY, inputs })
    const record = made.json<{ id: number; inputs: object[] }>()
    expect(record.inputs).toEqual(inputs)
    const path = `/pipeline_schedules/${record.id}`
    const changes = [
      { name: 'a', destroy: true },
      { name: 'b', value: 2 },
      { name: 'c', value: false },
    ]
    const changed = await call(owner, `PUT ${path}`, { inputs: changes })
    expect(changed.json()).toMatchObject({ inputs: changes.slice(1) })
    expect((await call(developer, `GET ${path}`)).json()).not.toHaveProperty('inputs')
    const many = Array.from({ length: 19 }, (_, index) => ({ name: `n${index}`, value: '' }))
    const tooMany = await call(owner, `PUT ${path}`, { inputs: many })
    expect(tooMany.json()).toEqual({ message: { base: ['There cannot be more than 20 inputs'] } })
    const empty = await call(owner, `PUT ${path}`, { inputs: [{ name: 'd' }] })
    expect(empty.json()).toEqual({ error: 'inputs[d][value] is missing' })
  })

  test('is limited to ten in a project', async () => {
    const { owner, call } = await openScene(open)
    for (let count = 0; count < 10; count++) {
      expect((await call(owner, 'POST /pipeline_schedules', NIGHTLY)).statusCode).toBe(201)
    }
    const one = await call(owner, 'POST /pipeline_schedules', NIGHTLY)
    expect(one.statusCode).toBe(400)
    expect(one.json()).toEqual({ message: { base: ['Maximum number of pipeline schedules (10) exceeded'] } })
  })
})

test.each([
  [{ cron: 'x' }, { message: { cron: ['syntax is invalid'] } }],
  [{ cron: '0 0 0 * * *' }, { message: { cron: ['syntax is invalid'] } }],
  [{ cron: '0 0 30 2 *' }, { message: { cron: ['never matches a date'] } }],
  [{ cron_timezone: 'Nowhere/Town' }, { message: { cron_timezone: ['syntax is invalid'] } }],
  [{ ref: 'gone' }, { message: { base: ['Reference not found'] } }],
  [{ description: '' }, { error: expect.any(String) as string }],
])('%j is refused, for a new schedule and for a change', async (params, body) => {
  const { coordinator, owner, call, path } = await addSchedule(shared())
  coordinator.repositories.missingRefs.add('gone')
  for (const [route, given] of [
    ['POST /pipeline_schedules', { ...NIGHTLY, ...params }],
    [`PUT ${path}`, params],
  ] as const) {
    const response = await call(owner, route, given)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual(body)
  }
})

type Who = 'owner' | 'maintainer' | 'developer' | 'reporter'

test.each<[string, Record<Who, number>]>([
  ['GET ', { owner: 200, maintainer: 200, developer: 200, reporter: 200 }],
  ['GET /pipelines', { owner: 200, maintainer: 200, developer: 200, reporter: 200 }],
  ['PUT ', { owner: 200, maintainer: 403, developer: 403, reporter: 403 }],
  ['POST /play', { owner: 201, maintainer: 201, developer: 201, reporter: 403 }],
  ['POST /take_ownership', { owner: 403, maintainer: 201, developer: 403, reporter: 403 }],
  ['GET /variables/A', { owner: 404, maintainer: 404, developer: 403, reporter: 403 }],
  ['POST /variables', { owner: 201, maintainer: 403, developer: 403, reporter: 403 }],
  ['PUT /variables/A', { owner: 404, maintainer: 403, developer: 403, reporter: 403 }],
  ['DELETE /variables/A', { owner: 404, maintainer: 403, developer: 403, reporter: 403 }],
  ['DELETE ', { owner: 204, maintainer: 204, developer: 403, reporter: 403 }],
])('who may %s', async (route, statuses) => {
  for (const [who, status] of Object.entries(statuses)) {
    const scene = await addSchedule(shared())
    const [method, rest = ''] = route.split(' ')
    const body = method === 'GET' || method === 'DELETE' ? undefined : { key: 'K', value: 'v' }
    const response = await scene.call(scene[who as Who], `${method} ${scene.path}${rest}`, body)
    expect([who, response.statusCode]).toEqual([who, status])
  }
})

test('a user who takes ownership of a schedule may change it', async () => {
  const { owner, maintainer, call, path } = await openWithSchedule()
  const taken = await call(maintainer, `POST ${path}/take_ownership`)
  expect(taken.json()).toMatchObject({ owner: { username: 'max' } })
  expect((await call(maintainer, `POST ${path}/take_ownership`)).statusCode).toBe(200)
  expect((await call(maintainer, `PUT ${path}`, { description: 'mine' })).statusCode).toBe(200)
  expect((await call(owner, `PUT ${path}`, { description: 'mine' })).statusCode).toBe(403)
})

test('a schedule on a protected branch is for those who may run pipelines there', async () => {
  const { coordinator, owner, maintainer, call, path } = await openWithSchedule()
  await coordinator.database
    .insertInto('protected_ref')
    .values({
      project_id: coordinator.project.id,
      kind: 'branch',
      name: 'main',
      push_access_level: 40,
      merge_access_level: 40,
      created_at: Date.now(),
    })
    .execute()
  for (const route of ['POST /pipeline_schedules', `PUT ${path}`, `POST ${path}/play`]) {
    const refused = await call(owner, route, NIGHTLY)
    expect(refused.statusCode).toBe(403)
    expect(refused.body).toContain("You do not have sufficient permission to run a pipeline on 'main'")
  }
  expect((await call(maintainer, 'POST /pipeline_schedules', NIGHTLY)).statusCode).toBe(201)
})

testAtNight('reactivating a schedule clears the reason for its deactivation', async () => {
  const { coordinator, owner, call, path } = await openWithSchedule()
  await coordinator.database
    .updateTable('pipeline_schedule')
    .set({ active: false, last_failure: 'no right', next_run_at: 1 })
    .execute()
  expect((await call(owner, `GET ${path}`)).json()).toMatchObject({ last_failure: 'no right' })
  const again = await call(owner, `PUT ${path}`, { active: true })
  expect(again.json()).toMatchObject({ active: true, last_failure: null })
  expect(Date.parse(again.json<{ next_run_at: string }>().next_run_at)).toBeGreaterThan(Date.now())
})

test('a due run is not lost to an update with unchanged values', async () => {
  const { coordinator, owner, call, path } = await openWithSchedule()
  const due = Date.now() - 1000
  await coordinator.database.updateTable('pipeline_schedule').set({ next_run_at: due }).execute()
  const same = await call(owner, `PUT ${path}`, { ...NIGHTLY, cron_timezone: 'UTC', active: true })
  expect(same.json()).toMatchObject({ next_run_at: new Date(due).toISOString() })
  const other = await call(owner, `PUT ${path}`, { cron: '0 5 * * *' })
  expect(Date.parse(other.json<{ next_run_at: string }>().next_run_at)).toBeGreaterThan(Date.now())
})

test('variables of a schedule are for those who may give variables to pipelines', async () => {
  const { coordinator, owner, call, path } = await openWithSchedule()
  const variable = { key: 'A', value: '1' }
  expect((await call(owner, `POST ${path}/variables`, variable)).statusCode).toBe(201)
  await coordinator.database.updateTable('project').set({ restrict_user_defined_variables: true }).execute()
  const refused = await call(owner, `POST ${path}/variables`, { key: 'B', value: '1' })
  expect(refused.statusCode).toBe(403)
  expect(refused.body).toContain('Insufficient permissions to set pipeline variables')
  expect((await call(owner, `PUT ${path}/variables/A`, { value: '2' })).statusCode).toBe(403)
  // What is there is used, and may go.
  expect((await call(owner, `POST ${path}/play`)).statusCode).toBe(201)
  expect((await call(owner, `DELETE ${path}/variables/A`)).statusCode).toBe(202)
})
