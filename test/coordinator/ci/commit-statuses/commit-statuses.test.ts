import { expect, test } from 'vitest'

import { describeOnEachDatabase, type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
  startCiCoordinator,
} from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { SHA } from '../engine/support/fake-repositories.js'

const openCoordinator = ciCoordinatorForFile()

async function start(open: OpenDatabase = openSqlite) {
  return actionsOf(await openCoordinator(open))
}

function actionsOf(coordinator: CiCoordinator) {
  const { app, admin, project, database } = coordinator
  const post = (body: object, as: Person | undefined = admin, sha = SHA) =>
    app.call(as, `POST /projects/${project.id}/statuses/${sha}`, body)
  const list = async (query = '') =>
    (await app.call(admin, `GET /projects/${project.id}/repository/commits/${SHA}/statuses?${query}`)).json<
      { id: number; name: string; status: string }[]
    >()
  const pipelines = () =>
    database.selectFrom('pipeline').select(['id', 'ref', 'source', 'status', 'tag']).orderBy('id').execute()
  return { coordinator, post, list, pipelines }
}

async function developer({ database, project }: CiCoordinator, name: string): Promise<Person> {
  const person = await addPerson(database, name)
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: person.id, access_level: 30, created_at: Date.now() })
    .execute()
  return person
}

describeOnEachDatabase('a status of another system', (open, testOnOne) => {
  testOnOne('has an ID of its own and cannot be retried as a job', async () => {
    const { coordinator, post, list } = await start(open)
    const ids = []
    for (const [name, file] of Object.entries({ one: 'a: { script: x }', two: 'b: { script: x }' })) {
      ids.push((await post({ state: 'success', name })).json<{ id: number }>().id)
      await pushPipeline(coordinator, file)
      ids.push((await jobNamed(coordinator, file.charAt(0))).id)
    }
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    expect(new Set(ids).size).toBe(4)
    expect((await list()).map(({ id }) => id)).toEqual(ids)
    const { app, admin, project } = coordinator
    for (const route of ['GET /jobs/:id', 'POST /jobs/:id/retry', 'GET /jobs/:id/trace']) {
      const call = route.replace(' ', ` /projects/${project.id}`).replace(':id', String(ids[0]))
      expect((await app.call(admin, call)).statusCode).toBe(404)
    }
  })

  testAtNight('counts into the newest pipeline of the commit, as the last stage of it', async () => {
    const { coordinator, post, pipelines } = await start(open)
    const runner = await RunnerClient.register(coordinator)
    const pipeline = await pushPipeline(coordinator, 'one: { script: [a] }')
    const posted = await post({ state: 'running', context: 'scan', target_url: 'https://scan.example/1' })
    expect(posted.statusCode).toBe(201)
    expect(posted.json()).toMatchObject({
      sha: SHA,
      ref: 'main',
      status: 'running',
      name: 'scan',
      target_url: 'https://scan.example/1',
      description: null,
      finished_at: null,
      allow_failure: false,
      coverage: null,
      pipeline_id: pipeline.id,
      author: { username: 'root' },
    })
    await runner.update(await runner.takeJob(), 'success')
    expect(await pipelines()).toMatchObject([{ status: 'running', source: 'push' }])
    await post({ state: 'failed', name: 'scan' })
    expect(await pipelines()).toMatchObject([{ status: 'failed' }])
    await post({ state: 'success', name: 'scan' })
    expect(await pipelines()).toMatchObject([{ status: 'success' }])
    const stages = await coordinator.database
      .selectFrom('stage')
      .select(['name', 'status'])
      .orderBy('position')
      .execute()
    expect(stages).toEqual([
      { name: 'test', status: 'success' },
      { name: 'external', status: 'success' },
    ])
  })

  testOnOne('does not keep jobs waiting, and is not needed by one of its name', async () => {
    const { coordinator, post } = await start(open)
    const runner = await RunnerClient.register(coordinator)
    await pushPipeline(
      coordinator,
      `
      stages: [build, test]
      scan: { stage: build, script: [a] }
      after: { stage: test, needs: [scan], script: [b] }
      `,
    )
    await post({ state: 'failed', name: 'scan' })
    const scan = await runner.takeJob()
    await runner.update(scan, 'success')
    expect((await runner.takeJob()).job_info.name).toBe('after')
    await coordinator.app.call(
      coordinator.admin,
      `POST /projects/${coordinator.project.id}/jobs/${scan.id}/retry`,
    )
    expect(await jobNamed(coordinator, 'scan')).toMatchObject({ status: 'pending' })
  })

  test('makes a pipeline of its own where the commit has none, one for all that come', async () => {
    const { post, pipelines } = await start(open)
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => post({ state: 'success', name, description: 'fine' })),
    )
    expect(results.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(await pipelines()).toMatchObject([
      { ref: 'main', source: 'external', status: 'success', tag: false },
    ])
    await post({ state: 'pending', name: 'e', ref: 'refs/heads/other' })
    expect(await pipelines()).toMatchObject([{ status: 'success' }, { ref: 'other', status: 'pending' }])
  })

  testOnOne('does not make up for a file that is wrong', async () => {
    const { coordinator, post, pipelines, list } = await start(open)
    await pushPipeline(coordinator, 'one: { script: { a: b } }')
    expect((await post({ state: 'success' })).statusCode).toBe(201)
    expect(await pipelines()).toMatchObject([{ source: 'push', status: 'failed' }])
    expect(await list()).toMatchObject([{ name: 'default', status: 'success' }])
  })

  testOnOne('leaves a branch the artifacts that it has', async () => {
    const { coordinator, post, pipelines } = await start(open)
    const { app, admin, project, database } = coordinator
    const runner = await RunnerClient.register(coordinator)
    const sha = 'b'.repeat(40)
    const { id } = await pushPipeline(coordinator, 'one: { script: [a], artifacts: { paths: [a] } }', { sha })
    const job = await runner.takeJob()
    await runner.upload(job, 'the archive')
    await runner.update(job, 'success')
    await post({ state: 'success' })
    expect(await pipelines()).toMatchObject([
      { id, status: 'success' },
      { source: 'external', status: 'success' },
    ])
    const path = `GET /projects/${project.id}/jobs/artifacts/main/download?job=one`
    expect((await app.call(admin, path)).body).toBe('the archive')
    const locks = await database.selectFrom('artifact_lock').select('pipeline_id').execute()
    expect(locks).toEqual([{ pipeline_id: id }])
  })

  testOnOne('is gone on with by the same user until it is over, then a new one begins', async () => {
    const { coordinator, post, list } = await start(open)
    const other = await developer(coordinator, 'other')
    const first = (await post({ state: 'pending', description: 'waits' })).json<{ id: number }>()
    const again = await post({ state: 'pending' })
    expect(again.statusCode).toBe(400)
    expect(again.json()).toEqual({
      message:
        'Cannot transition status via :enqueue from :pending (Reason(s): Status cannot transition via "enqueue")',
    })
    expect((await post({ state: 'running', coverage: 81.5 })).json()).toMatchObject({
      id: first.id,
      description: 'waits',
      coverage: 81.5,
    })
    expect((await post({ state: 'success', description: 'done' })).json()).toMatchObject({
      id: first.id,
      description: 'done',
    })
    const second = (await post({ state: 'pending' })).json<{ id: number }>()
    const third = (await post({ state: 'pending' }, other)).json<{ id: number }>()
    expect(await list()).toMatchObject([{ id: third.id, name: 'default', status: 'pending' }])
    expect((await list('all=true')).map(({ id }) => id)).toEqual([first.id, second.id, third.id])
  })

  testOnOne('is shown among the jobs of the commit', async () => {
    const { coordinator, post, list } = await start(open)
    const pipeline = await pushPipeline(
      coordinator,
      'one: { stage: build, script: [a], allow_failure: true }',
    )
    const other = await pushPipeline(coordinator, 'two: { script: [a] }', { ref: 'other' })
    await post({ state: 'success', name: 'scan', coverage: 50 })
    const one = await jobNamed(coordinator, 'one')
    const all = await list('sort=desc&order_by=pipeline_id')
    expect(all.map(({ name }) => name).sort()).toEqual(['one', 'scan', 'two'])
    expect(all.find(({ name }) => name === 'one')).toMatchObject({
      status: 'pending',
      target_url: `${EXTERNAL_URL}/group/app/-/jobs/${one.id}`,
      allow_failure: true,
      pipeline_id: pipeline.id,
    })
    const names = async (query: string) => (await list(query)).map(({ name }) => name)
    expect(await names('ref=main')).toEqual(['one'])
    expect(await names('stage=external')).toEqual(['scan'])
    expect(await names('stage=build')).toEqual(['one'])
    expect(await names('name=two')).toEqual(['two'])
    expect(await names(`pipeline_id=${pipeline.id}`)).toEqual(['one'])
    expect(await names('per_page=1&page=2&order_by=pipeline_id&stage=test')).toEqual([])
    const { admin, app, project } = coordinator
    const { coverage } = (await app.call(admin, `GET /projects/${project.id}/pipelines/${other.id}`)).json<{
      coverage: string
    }>()
    expect(coverage).toBe('50.0')
  })

  testOnOne('ends with the pipeline when that is canceled; a newer commit leaves it alone', async () => {
    const { coordinator, post, pipelines, list } = await start(open)
    await post({ state: 'running', name: 'scan' })
    await pushPipeline(coordinator, 'one: { script: [a] }', { sha: 'b'.repeat(40) })
    expect(await pipelines()).toMatchObject([
      { status: 'running', source: 'external' },
      { status: 'pending' },
    ])
    const [external] = await pipelines()
    const { admin, app, project } = coordinator
    await app.call(admin, `POST /projects/${project.id}/pipelines/${external?.id ?? 0}/cancel`)
    expect(await pipelines()).toMatchObject([{ status: 'canceled' }, { status: 'pending' }])
    expect(await list()).toMatchObject([{ name: 'scan', status: 'canceled' }])
  })
})

const withoutStatuses = openForFile(async () => actionsOf(await startCiCoordinator()))

test.each([
  [{}, 400, { error: 'state is missing' }],
  [{ state: 'great' }, 400, { error: 'state does not have a valid value' }],
  [
    { state: 'success', name: 'n'.repeat(256) },
    400,
    { message: { name: ['is too long (maximum is 255 characters)'] } },
  ],
  [
    { state: 'success', description: 'd'.repeat(256) },
    400,
    { message: { description: ['is too long (maximum is 255 characters)'] } },
  ],
  [
    { state: 'success', target_url: 'javascript:alert(1)' },
    400,
    { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
  ],
  [{ state: 'success', pipeline_id: 4711 }, 404, { message: '404 Pipeline Not Found' }],
])('%j is refused', async (body, status, result) => {
  const { post } = withoutStatuses()
  const response = await post(body)
  expect([response.statusCode, response.json()]).toEqual([status, result])
})

test('a commit that is not there, or on no branch, has no statuses', async () => {
  const { coordinator, post } = await start()
  const { repositories, app, admin, project } = coordinator
  repositories.missingRefs.add('nowhere')
  const response = await post({ state: 'success' }, admin, 'nowhere')
  expect([response.statusCode, response.json()]).toEqual([404, { message: '404 Commit Not Found' }])
  const path = `GET /projects/${project.id}/repository/commits/nowhere/statuses`
  expect((await app.call(admin, path)).statusCode).toBe(404)
  repositories.containing = undefined
  const lost = await post({ state: 'success' })
  expect([lost.statusCode, lost.json()]).toEqual([404, { message: '404 References for commit Not Found' }])
})

test('developers report statuses; users who see the pipelines read them', async () => {
  const { coordinator, post } = await start()
  const { app, database, project } = coordinator
  const reporter = await addPerson(database, 'reporter')
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: reporter.id, access_level: 20, created_at: Date.now() })
    .execute()
  expect((await post({ state: 'success' }, reporter)).statusCode).toBe(403)
  expect((await post({ state: 'success' }, await developer(coordinator, 'dev'))).statusCode).toBe(201)
  const path = `GET /projects/${project.id}/repository/commits/${SHA}/statuses`
  expect((await app.call(reporter, path)).statusCode).toBe(200)
  expect((await app.call(undefined, path)).statusCode).toBe(404)
})
