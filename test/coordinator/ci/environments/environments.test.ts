import { expect, test } from 'vitest'

import { startDueJobs } from '../../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { testAtNight } from '../../../support/nightly.js'
import { type CiCoordinator, ciCoordinatorForFile, pushPipeline } from '../../support/ci-coordinator.js'
import { type CallInProject, projectTeam } from '../../support/project-team.js'
import { RunnerClient } from '../../support/runner-client.js'
import type { Person } from '../../support/test-app.js'
import { SHA } from '../engine/support/fake-repositories.js'
import { protectBranch } from '../engine/support/records.js'

const openCoordinator = ciCoordinatorForFile()

const DAY = 24 * 3600 * 1000
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
const FILE = `
deploy: { script: x, environment: { name: "review/$CI_COMMIT_REF_NAME", url: "https://r.example", on_stop: stop } }
stop: { script: x, when: manual, environment: { name: "review/$CI_COMMIT_REF_NAME", action: stop } }
`

interface Scene {
  coordinator: CiCoordinator
  maintainer: Person
  developer: Person
  reporter: Person
  guest: Person
  /** Calls `GET /environments` and the like. */
  call: CallInProject
}

async function openScene(open: OpenDatabase): Promise<Scene> {
  const coordinator = await openCoordinator(open)
  const { person, call } = projectTeam(coordinator)
  return {
    coordinator,
    maintainer: await person('max', 40),
    developer: await person('dora', 30),
    reporter: await person('rob', 20),
    guest: await person('gus', 10),
    call,
  }
}

async function made({ call, developer }: Scene, body: object): Promise<{ id: number; slug: string }> {
  return (await call(developer, 'POST /environments', body)).json()
}

describeOnDatabase('the environments of a project', (open) => {
  test('are made, listed, shown, changed, stopped and deleted', async () => {
    const scene = await openScene(open)
    const { developer, reporter, call } = scene
    const created = await call(developer, 'POST /environments', {
      name: 'production',
      external_url: 'https://live.example',
      description: 'what customers see',
    })
    expect(created.statusCode).toBe(201)
    const summary = {
      id: expect.any(Number) as number,
      name: 'production',
      slug: 'production',
      external_url: 'https://live.example',
      created_at: TIME,
      updated_at: TIME,
      tier: 'production',
      state: 'available',
      description: 'what customers see',
      auto_stop_at: null,
      auto_stop_setting: 'always',
      kubernetes_namespace: null,
      flux_resource_path: null,
    }
    expect(created.json()).toEqual({ ...summary, last_deployment: null })
    const { id } = created.json<{ id: number }>()
    await made(scene, { name: 'review/one', tier: 'other' })

    const listed = await call(reporter, 'GET /environments')
    expect(listed.json()).toEqual([summary, expect.objectContaining({ name: 'review/one', tier: 'other' })])
    expect(listed.headers['x-total']).toBe('2')
    const names = async (query: string) =>
      (await call(reporter, `GET /environments?${query}`)).json<{ name: string }[]>().map(({ name }) => name)
    expect(await names('name=production')).toEqual(['production'])
    expect(await names('search=VIEW')).toEqual(['review/one'])
    expect(await names('states=stopped')).toEqual([])

    const changed = await call(developer, `PUT /environments/${id}`, {
      name: 'live',
      external_url: 'https://other.example',
      tier: 'staging',
      auto_stop_setting: 'with_action',
    })
    expect(changed.json()).toMatchObject({
      name: 'live',
      slug: 'production',
      external_url: 'https://other.example',
      tier: 'staging',
      auto_stop_setting: 'with_action',
    })
    await scene.coordinator.database.updateTable('environment').set({ auto_stop_at: 9e12 }).execute()
    const kept = await call(developer, `PUT /environments/${id}`, { cancel_auto_stop: true })
    expect(kept.json()).toMatchObject({ name: 'live', auto_stop_at: null })
    const stopped = await call(developer, `POST /environments/${id}/stop`)
    expect(stopped.statusCode).toBe(200)
    expect(stopped.json()).toMatchObject({ id, state: 'stopped' })
    expect(await names('states=stopped')).toEqual(['live'])
    expect((await call(developer, `DELETE /environments/${id}`)).statusCode).toBe(204)
    expect((await call(developer, `GET /environments/${id}`)).statusCode).toBe(404)
    const running = await call(developer, 'POST /environments', { name: 'in use' })
    const available = running.json<{ id: number; state: string }>()
    expect(available.state).toBe('available')
    expect((await call(developer, `DELETE /environments/${available.id}`)).statusCode).toBe(204)
    expect((await call(developer, `DELETE /environments/${available.id}`)).statusCode).toBe(404)
  })

  test.each([
    ['POST /environments', { name: 'taken' }, { message: { name: ['has already been taken'] } }],
    ['POST /environments', {}, { error: 'name is missing' }],
    ['POST /environments', { name: 'x', tier: 'best' }, { error: 'tier does not have a valid value' }],
    [
      'POST /environments',
      { name: 'x', slug: 'x' },
      { error: 'slug is automatically generated and cannot be changed' },
    ],
    [
      'POST /environments',
      { name: 'a:b' },
      { message: { name: [expect.stringContaining('can contain only letters')] } },
    ],
    [
      'POST /environments',
      { name: 'x', external_url: 'javascript:x' },
      { message: { external_url: ['is not a valid URL of at most 255 characters'] } },
    ],
    ['GET /environments?name=a&search=abc', undefined, { error: 'name, search cannot be used together' }],
    [
      'GET /environments?search=ab',
      undefined,
      { message: '400 Bad request - Search query is less than 3 characters' },
    ],
    [
      'POST /environments/stop_stale',
      { before: new Date().toISOString() },
      { message: '400 Bad request - Invalid Date' },
    ],
  ])('respond to %s of %j with 400 and %j', async (route, body, result) => {
    const scene = await openScene(open)
    await made(scene, { name: 'taken' })
    const response = await scene.call(scene.maintainer, route, body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual(result)
  })

  test('are for reporters to read, for developers to change, and for the jobs of the project', async () => {
    const scene = await openScene(open)
    const { coordinator, call, guest, reporter } = scene
    const { id } = await made(scene, { name: 'a' })
    expect((await call(undefined, 'GET /environments')).statusCode).toBe(404)
    expect((await call(guest, 'GET /environments')).statusCode).toBe(403)
    expect((await call(reporter, 'POST /environments', { name: 'b' })).statusCode).toBe(403)
    expect((await call(reporter, `POST /environments/${id}/stop`)).statusCode).toBe(403)
    expect(
      (await call(scene.developer, 'POST /environments/stop_stale', { before: '2020-01-01T00:00:00Z' }))
        .statusCode,
    ).toBe(403)

    await pushPipeline(coordinator, 'job: { script: x }')
    const { token } = await (await RunnerClient.register(coordinator)).takeJob()
    const asJob = (path: string, init: RequestInit = {}) =>
      fetch(`${coordinator.url}/projects/${path}`, {
        ...init,
        headers: { 'job-token': token, 'content-type': 'application/json' },
      })
    const { project } = coordinator
    expect((await asJob(`${project.id}/environments`)).status).toBe(200)
    const stopped = await asJob(`${project.id}/environments/${id}/stop`, { method: 'POST', body: '{}' })
    expect(stopped.status).toBe(200)
    const { id: _, ...row } = project
    const other = await coordinator.database
      .insertInto('project')
      .values({ ...row, path: 'other', full_path: 'group/other', runners_token_digest: 'other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect((await asJob(`${other.id}/environments`)).status).toBe(403)
  })

  test('are stopped by their jobs, where the user may run them', async () => {
    const scene = await openScene(open)
    const { coordinator, developer, maintainer, call } = scene
    const runner = await RunnerClient.register(coordinator)
    await pushPipeline(coordinator, FILE)
    const deploy = await runner.takeJob()
    await runner.update(deploy, 'success')
    const [environment] = (await call(developer, 'GET /environments')).json<{ id: number }[]>()
    const path = `/environments/${environment?.id}`
    expect((await call(developer, `GET ${path}`)).json()).toMatchObject({
      external_url: 'https://r.example',
      last_deployment: {
        iid: 1,
        status: 'success',
        sha: SHA,
        user: { username: 'root' },
        deployable: { id: deploy.id, name: 'deploy', status: 'success' },
      },
    })
    await protectBranch(coordinator.database, coordinator.project.id, 'main')
    const refused = await call(developer, `POST ${path}/stop`)
    expect(refused.statusCode).toBe(403)
    expect((await call(maintainer, `POST ${path}/stop`)).json()).toMatchObject({ state: 'stopping' })
    const stop = await runner.takeJob()
    expect(stop.job_info.name).toBe('stop')
    expect(stop.variables.find(({ key }) => key === 'GITLAB_USER_LOGIN')?.value).toBe('max')
    await runner.update(stop, 'success')
    expect((await call(developer, `GET ${path}`)).json()).toMatchObject({ state: 'stopped' })
    expect(await startDueJobs(coordinator.engine)).toBeUndefined()
  })

  test('are stopped together when they are unused for long', async () => {
    const scene = await openScene(open)
    const { coordinator, maintainer, call } = scene
    const [old, used] = [await made(scene, { name: 'old' }), await made(scene, { name: 'used' })]
    await made(scene, { name: 'new' })
    await coordinator.database
      .updateTable('environment')
      .set({ updated_at: Date.now() - 30 * DAY })
      .where('id', 'in', [old.id, used.id])
      .execute()
    await call(maintainer, 'POST /deployments', {
      environment: 'used',
      sha: SHA,
      ref: 'main',
      tag: false,
      status: 'running',
    })
    const before = new Date(Date.now() - 8 * DAY).toISOString()
    const stopped = await call(maintainer, 'POST /environments/stop_stale', { before })
    expect(stopped.json()).toMatchObject({ message: '200 OK', scheduled_entries: [{ name: 'old' }] })
    const states = (await call(maintainer, 'GET /environments')).json<{ state: string }[]>()
    expect(states.map(({ state }) => state)).toEqual(['stopped', 'available', 'available'])
  })

  test('below review/ are deleted together once they are stopped, if that is meant', async () => {
    const scene = await openScene(open)
    const { coordinator, developer, call } = scene
    for (const name of ['review/old', 'review/live', 'production']) await made(scene, { name })
    await coordinator.database
      .updateTable('environment')
      .set({ created_at: Date.now() - 40 * DAY })
      .execute()
    await coordinator.database
      .updateTable('environment')
      .set({ state: 'stopped' })
      .where('name', '!=', 'review/live')
      .execute()
    const entries = {
      scheduled_entries: [expect.objectContaining({ name: 'review/old' })],
      unprocessable_entries: [],
    }
    expect((await call(developer, 'DELETE /environments/review_apps')).json()).toEqual(entries)
    expect((await call(developer, 'GET /environments')).json()).toHaveLength(3)
    const deleted = await call(developer, 'DELETE /environments/review_apps?dry_run=false')
    expect(deleted.json()).toEqual(entries)
    expect((await call(developer, 'GET /environments')).json()).toHaveLength(2)
  })
})

const TOLD = { environment: 'production', sha: SHA, ref: 'main', tag: false, status: 'created' }

describeOnDatabase('the deployments of a project', (open) => {
  testAtNight('are created, updated, listed and deleted', async () => {
    const { developer, maintainer, reporter, call } = await openScene(open)
    const created = await call(developer, 'POST /deployments', TOLD)
    expect(created.statusCode).toBe(201)
    const record = {
      id: expect.any(Number) as number,
      iid: 1,
      ref: 'main',
      sha: SHA,
      created_at: TIME,
      updated_at: TIME,
      status: 'created',
      user: expect.objectContaining({ username: 'dora' }) as object,
      environment: {
        id: expect.any(Number) as number,
        name: 'production',
        slug: 'production',
        external_url: null,
      },
      deployable: null,
    }
    expect(created.json()).toEqual(record)
    const { id } = created.json<{ id: number }>()
    const path = `/deployments/${id}`
    expect((await call(reporter, `GET ${path}`)).json()).toEqual({
      ...record,
      pending_approval_count: 0,
      approvals: [],
      approval_summary: { rules: [] },
    })
    expect((await call(developer, `PUT ${path}`, { status: 'running' })).json()).toMatchObject({
      status: 'running',
    })
    const running = await call(maintainer, `DELETE ${path}`)
    expect(running.statusCode).toBe(400)
    expect((await call(developer, `PUT ${path}`, { status: 'success' })).json()).toMatchObject({
      status: 'success',
    })
    expect((await call(developer, `PUT ${path}`, { status: 'success' })).statusCode).toBe(200)
    const back = await call(developer, `PUT ${path}`, { status: 'failed' })
    expect(back.statusCode).toBe(400)
    expect(back.json()).toEqual({ message: 'Cannot transition status via failed from success' })
    const last = await call(maintainer, `DELETE ${path}`)
    expect(last.json()).toEqual({ message: '400 Bad request - Deployment currently deployed to environment' })

    const failed = await call(developer, 'POST /deployments', {
      ...TOLD,
      status: 'failed',
      environment: 'other',
    })
    expect(failed.json()).toMatchObject({ iid: 2, environment: { name: 'other' } })
    const ids = async (query: string) =>
      (await call(reporter, `GET /deployments?${query}`)).json<{ iid: number }[]>().map(({ iid }) => iid)
    expect(await ids('')).toEqual([1, 2])
    expect(await ids('order_by=iid&sort=desc')).toEqual([2, 1])
    expect(await ids('environment=other')).toEqual([2])
    expect(await ids('status=success')).toEqual([1])
    expect(await ids('updated_after=2100-01-01T00:00:00Z')).toEqual([])
    expect(await ids('finished_before=2100-01-01T00:00:00Z&order_by=finished_at')).toEqual([1, 2])
    const forgotten = await call(maintainer, `DELETE /deployments/${failed.json<{ id: number }>().id}`)
    expect(forgotten.statusCode).toBe(204)
  })

  test('of jobs follow their jobs alone', async () => {
    const { coordinator, developer, call } = await openScene(open)
    await pushPipeline(coordinator, 'deploy: { script: x, environment: a }')
    const [deployment] = (await call(developer, 'GET /deployments')).json<{ id: number }[]>()
    expect(deployment).toMatchObject({ status: 'created', deployable: { name: 'deploy', status: 'pending' } })
    const moved = await call(developer, `PUT /deployments/${deployment?.id}`, { status: 'success' })
    expect(moved.statusCode).toBe(403)
  })

  test('make a stopped environment available again', async () => {
    const scene = await openScene(open)
    const { developer, call } = scene
    const { id } = await made(scene, { name: 'production' })
    await call(developer, `POST /environments/${id}/stop`)
    await call(developer, 'POST /deployments', { ...TOLD, status: 'success' })
    expect((await call(developer, `GET /environments/${id}`)).json()).toMatchObject({
      state: 'available',
      last_deployment: { status: 'success' },
    })
  })

  test.each([
    [{ ...TOLD, sha: 'f'.repeat(40) }, { message: { sha: ['The commit does not exist'] } }],
    [{ ...TOLD, ref: 'gone' }, { message: { ref: ['The branch or tag does not exist'] } }],
    [{ ...TOLD, status: 'done' }, { error: 'status does not have a valid value' }],
    [
      { ...TOLD, environment: 'a:b' },
      { message: { 'environment.name': [expect.stringContaining('letters')] } },
    ],
  ])('are not made of %j', async (body, result) => {
    const { coordinator, developer, call } = await openScene(open)
    coordinator.repositories.missingRefs.add('f'.repeat(40)).add('gone')
    const response = await call(developer, 'POST /deployments', body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual(result)
  })

  test('are listed with their last deployments, and those to come', async () => {
    const scene = await openScene(open)
    const { reporter, developer, call } = scene
    await call(developer, 'POST /environments', { name: 'empty' })
    for (const [environment, status] of [
      ['production', 'success'],
      ['production', 'failed'],
      ['production', 'running'],
      ['staging', 'success'],
    ]) {
      const deployment = { environment, status, sha: SHA, ref: 'main', tag: false }
      expect((await call(developer, 'POST /deployments', deployment)).statusCode).toBe(201)
    }
    const listed = (await call(reporter, 'GET /environments?with_deployments=true')).json<
      {
        name: string
        last_deployment: { status: string } | null
        upcoming_deployments: { status: string }[]
      }[]
    >()
    expect(
      listed.map(({ name, last_deployment: last, upcoming_deployments: upcoming }) => [
        name,
        last?.status,
        upcoming.map(({ status }) => status),
      ]),
    ).toEqual([
      ['empty', undefined, []],
      ['production', 'success', ['running']],
      ['staging', 'success', []],
    ])
    const [plain] = (await call(reporter, 'GET /environments')).json<object[]>()
    expect(plain).not.toHaveProperty('last_deployment')
  })
})
