import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { deleteExpiredArtifacts } from '../../../../src/coordinator/ci/storage/artifacts/delete-expired.js'
import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import { openForFile } from '../../../support/lifetime.js'
import {
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
  startCiCoordinator,
} from '../../support/ci-coordinator.js'
import { insertProject } from '../../support/insert-project.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'
import { zipOf } from '../../support/zip.js'
import { runBridgeTasks } from '../engine/support/downstream.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = `
stages: [build, deploy]
build: { stage: build, script: [a], artifacts: { paths: [dist] }, tags: [docker] }
ship: { stage: deploy, script: [b], when: manual, allow_failure: true }
`

const INPUTS_FILE = `
ship:
  when: manual
  image: rocket:\${{ job.inputs.speed }}
  script:
    - fly \${{ job.inputs.to }} \${{ job.inputs.speed }}
    - ${'${{ job.inputs.to }}'.repeat(200)}
  inputs:
    to: { default: earth, regex: '^[a-z]+$' }
    speed: { type: number, default: 3 }
`

async function startJobs(open = openCoordinator) {
  const coordinator = await open()
  const runner = await RunnerClient.register(coordinator, { tag_list: 'docker' })
  const pipeline = await pushPipeline(coordinator, CI_FILE)
  const { app, admin, project } = coordinator
  const call = (route: string, body?: object, as: Person | undefined = admin) => {
    const [method = '', path = ''] = route.split(' ')
    return app.call(as, `${method} /projects/${project.id}${path}`, body)
  }
  return { coordinator, runner, pipeline, call, build: await jobNamed(coordinator, 'build') }
}

/** Ends `build` with a log and an archive that holds `dist/a.txt`. */
async function finishBuild({ runner }: { runner: RunnerClient }): Promise<JobPayload> {
  const job = await runner.takeJob()
  await runner.patch(job, '0-4', 'hello')
  await runner.upload(job, await buffer(await zipOf({ 'dist/a.txt': 'first', 'dist/b.json': '{}' })))
  await runner.update(job, 'success')
  return job
}

test('a job that has ended has every key', async () => {
  const started = await startJobs()
  const { coordinator, call, pipeline, build } = started
  await finishBuild(started)
  const { admin } = coordinator
  const record = (await call(`GET /jobs/${build.id}`)).json<{ artifacts_file: { size: number } }>()
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
  const user = {
    id: admin.id,
    username: 'root',
    name: 'root',
    state: 'active',
    avatar_url: null,
    web_url: `${EXTERNAL_URL}/root`,
  }
  const { size } = record.artifacts_file
  expect(record).toEqual({
    id: build.id,
    status: 'success',
    stage: 'build',
    name: 'build',
    ref: 'main',
    tag: false,
    coverage: null,
    allow_failure: false,
    created_at: time,
    started_at: time,
    finished_at: time,
    scheduled_at: null,
    erased_at: null,
    duration: expect.any(Number) as number,
    queued_duration: expect.any(Number) as number,
    user,
    commit: expect.objectContaining({
      id: 'a'.repeat(40),
      short_id: 'aaaaaaaa',
      title: 'A commit',
      author_name: 'A',
      author_email: 'a@example.com',
      created_at: '2026-01-01T00:00:00+00:00',
    }) as object,
    pipeline: expect.objectContaining({ id: pipeline.id, iid: 1, ref: 'main', source: 'push' }) as object,
    project: { ci_job_token_scope_enabled: false },
    web_url: `${EXTERNAL_URL}/group/app/-/jobs/${build.id}`,
    artifacts_file: { filename: 'artifacts.zip', size },
    artifacts: [
      { file_type: 'archive', size, filename: 'artifacts.zip', file_format: 'zip' },
      { file_type: 'trace', size: 5, filename: 'job.log', file_format: null },
    ],
    artifacts_expire_at: time,
    runner: expect.objectContaining({
      is_shared: true,
      active: true,
      runner_type: 'instance_type',
      online: true,
      status: 'online',
    }) as object,
    runner_manager: {
      id: expect.any(Number) as number,
      system_id: 's_0123456789ab',
      version: '19.3.0',
      revision: 'abcdef01',
      platform: 'linux',
      architecture: 'amd64',
      created_at: expect.any(String) as string,
      contacted_at: expect.any(String) as string,
      ip_address: '127.0.0.1',
      status: 'online',
    },
    archived: false,
    source: 'push',
    tag_list: ['docker'],
  })
})

test('jobs are listed newest first, by scope, with and without earlier attempts', async () => {
  const { call, runner, pipeline, build } = await startJobs()
  await runner.update(await runner.takeJob(), 'failed', { failure_reason: 'script_failure' })
  const retried = await call(`POST /jobs/${build.id}/retry`)
  expect(retried.statusCode).toBe(201)
  expect(retried.json()).toMatchObject({ name: 'build', status: 'pending' })
  const list = async (path: string) =>
    (await call(`GET ${path}`))
      .json<{ name: string; status: string }[]>()
      .map(({ name, status }) => `${name} ${status}`)
  const jobs = `/pipelines/${pipeline.id}/jobs`
  expect(await list(jobs)).toEqual(['build pending', 'ship created'])
  expect(await list(`${jobs}?include_retried=true`)).toEqual([
    'build pending',
    'ship created',
    'build failed',
  ])
  expect(await list('/jobs?scope[]=failed&scope[]=pending')).toEqual(['build pending', 'build failed'])
  expect(await list('/jobs?scope=failed')).toEqual(['build failed'])
  const wrong = await call('GET /jobs?scope=odd')
  expect([wrong.statusCode, wrong.json()]).toEqual([400, { error: 'scope does not have a valid value' }])
  expect((await call(`GET /jobs/${build.id}`)).json()).toMatchObject({ failure_reason: 'script_failure' })
  expect((await call(`POST /jobs/${build.id}/retry`)).json()).toEqual({
    message: '403 Forbidden - Job is not retryable',
  })
  expect((await call('GET /jobs/999999')).json()).toEqual({ message: '404 Not found' })
})

test('a log marked as debugging by the runner is shown to developers only', async () => {
  const { call, coordinator, runner, build } = await startJobs()
  const { database, project } = coordinator
  const member = async (name: string, level: number) => {
    const person = await addPerson(database, name)
    const times = { created_at: Date.now() }
    const values = { project_id: project.id, user_id: person.id, access_level: level, ...times }
    await database.insertInto('member').values(values).execute()
    return person
  }
  const [reporter, developer] = [await member('rita', 20), await member('dora', 30)]
  const read = async (as: Person) => (await call(`GET /jobs/${build.id}/trace`, undefined, as)).statusCode
  const job = await runner.takeJob()
  expect([await read(reporter), await read(developer)]).toEqual([200, 200])
  expect((await runner.patch(job, '0-4', 'hello', true)).status).toBe(202)
  await runner.patch(job, '5-5', '!')
  await runner.update(job, 'success')
  expect([await read(reporter), await read(developer)]).toEqual([403, 200])
  expect((await call(`GET /jobs/${build.id}`, undefined, reporter)).statusCode).toBe(200)
})

test('the log can be read while it grows, whole or in part', async () => {
  const { call, coordinator, runner, build } = await startJobs()
  expect((await call(`GET /jobs/${build.id}/trace`)).statusCode).toBe(404)
  const job = await runner.takeJob()
  const empty = await call(`GET /jobs/${build.id}/trace`)
  expect([empty.statusCode, empty.body]).toEqual([200, ''])
  await runner.patch(job, '0-4', 'hello')
  const trace = await call(`GET /jobs/${build.id}/trace`)
  expect(trace.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-disposition': `infile; filename="${build.id}.log"`,
    'content-length': '5',
  })
  expect(trace.body).toBe('hello')
  const rest = await coordinator.app.app.inject({
    url: `/api/v4/projects/${coordinator.project.id}/jobs/${build.id}/trace`,
    headers: { 'private-token': coordinator.admin.token, range: 'bytes=3-' },
  })
  expect([rest.statusCode, rest.body]).toEqual([206, 'lo'])
})

test('an archive, and one file of it, are fetched by job and by branch', async () => {
  const started = await startJobs()
  const { call, build } = started
  expect((await call(`GET /jobs/${build.id}/artifacts`)).statusCode).toBe(404)
  await finishBuild(started)
  const archive = await call(`GET /jobs/${build.id}/artifacts`)
  expect(archive.statusCode).toBe(200)
  expect(archive.headers['content-type']).toBe('application/octet-stream')
  for (const path of [
    '/jobs/artifacts/main/download?job=build',
    '/jobs/artifacts/ma%69n/download?job=build',
  ]) {
    expect((await call(`GET ${path}`)).rawPayload.equals(archive.rawPayload)).toBe(true)
  }
  for (const path of [
    `/jobs/${build.id}/artifacts/dist/a.txt`,
    '/jobs/artifacts/main/raw/dist/a.txt?job=build',
  ]) {
    const file = await call(`GET ${path}`)
    expect([file.statusCode, file.body, file.headers['content-type']]).toEqual([200, 'first', 'text/plain'])
  }
  expect((await call(`GET /jobs/${build.id}/artifacts/dist%2F..%2Fa`)).statusCode).toBe(400)
  expect((await call(`GET /jobs/${build.id}/artifacts/dist/none`)).statusCode).toBe(404)
  expect((await call('GET /jobs/artifacts/main/download?job=none')).statusCode).toBe(404)
  expect((await call('GET /jobs/artifacts/other/download?job=build')).statusCode).toBe(404)
  expect((await call('GET /jobs/artifacts/main/download')).json()).toEqual({ error: 'job is missing' })
})

/** For tests that only read the artifacts of `build`. */
const finished = openForFile(async () => {
  const started = await startJobs(() => startCiCoordinator())
  const { id } = await finishBuild(started)
  return { ...started, id }
})

test.each([
  ['bytes=1-2', 206, 'ir', 'bytes 1-2/5'],
  ['bytes=-2', 206, 'st', 'bytes 3-4/5'],
  ['bytes=0-', 206, 'first', 'bytes 0-4/5'],
  ['bytes=5-', 416, undefined, 'bytes */5'],
])('of one file of an archive, %s can be read', async (range, status, text, contentRange) => {
  const { coordinator, id } = finished()
  const { app, admin, project } = coordinator
  const file = await app.app.inject({
    url: `/api/v4/projects/${project.id}/jobs/${id}/artifacts/dist/a.txt`,
    headers: { 'private-token': admin.token, range },
  })
  expect([file.statusCode, file.headers['content-range']]).toEqual([status, contentRange])
  if (text !== undefined) expect(file.body).toBe(text)
})

test.each(['artifacts', 'artifacts/dist/a.txt'])('%s: only the missing range is sent', async (path) => {
  const { coordinator, id } = finished()
  const { app, admin, project } = coordinator
  const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    app.app.inject({
      method,
      url: `/api/v4/projects/${project.id}/jobs/${id}/${path}`,
      headers: { 'private-token': admin.token, ...headers },
    })
  const whole = await ask({})
  const etag = String(whole.headers['etag'])
  expect(etag).toMatch(/^"[0-9a-f]{64}"$/)

  const known = await ask({ 'if-none-match': etag })
  expect([known.statusCode, known.body, known.headers['etag']]).toEqual([304, '', etag])
  const resumed = await ask({ range: 'bytes=2-', 'if-range': etag })
  expect([resumed.statusCode, resumed.rawPayload]).toEqual([206, whole.rawPayload.subarray(2)])
  const changed = await ask({ range: 'bytes=2-', 'if-range': '"of other bytes"' })
  expect([changed.statusCode, changed.rawPayload]).toEqual([200, whole.rawPayload])
  const head = await ask({}, 'HEAD')
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect(head.headers['content-length']).toBe(String(whole.rawPayload.length))
})

test('earlier successful pipelines are looked through when that is asked for', async () => {
  const started = await startJobs()
  const { coordinator, runner, call } = started
  await finishBuild(started)
  await pushPipeline(coordinator, 'lint: { script: [a] }')
  await runner.update(await runner.takeJob(), 'success')
  const archive = '/jobs/artifacts/main/download?job=build'
  expect((await call(`GET ${archive}`)).statusCode).toBe(404)
  expect((await call(`GET ${archive}&search_recent_successful_pipelines=true`)).statusCode).toBe(200)
  const file = '/jobs/artifacts/main/raw/dist/a.txt?job=build&search_recent_successful_pipelines=true'
  expect((await call(`GET ${file}`)).body).toBe('first')
})

test('artifacts of a child pipeline are found by the branch of its parent', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, project, repositories } = coordinator
  const runner = await RunnerClient.register(coordinator, { tag_list: 'docker' })
  repositories.files.set('child.yml', 'build: { script: [a], artifacts: { paths: [dist] }, tags: [docker] }')
  const parent = 'child: { trigger: { include: child.yml, strategy: depend } }'
  await pushPipeline(coordinator, parent)
  await runBridgeTasks(coordinator.engine)
  await finishBuild({ runner })
  await runBridgeTasks(coordinator.engine)
  const file = `/projects/${project.id}/jobs/artifacts/main/raw/dist/a.txt?job=build`
  expect((await app.call(admin, `GET ${file}`)).body).toBe('first')
})

test('the older path of an archive redirects to the newer one', async () => {
  const { coordinator, call } = await startJobs()
  const response = await call('GET /jobs/artifacts/feature%2Fx?job=build')
  const newer = `/api/v4/projects/${coordinator.project.id}/jobs/artifacts/feature%2Fx/download?job=build`
  expect([response.statusCode, response.headers.location]).toEqual([302, EXTERNAL_URL + newer])
})

test('a branch with slashes may be written with or without encoding', async () => {
  const { coordinator, runner, call } = await startJobs()
  await finishBuild({ runner })
  await pushPipeline(coordinator, CI_FILE, { ref: 'feature/x' })
  await finishBuild({ runner })
  for (const ref of ['feature%2Fx', 'feature/x']) {
    expect((await call(`GET /jobs/artifacts/${ref}/download?job=build`)).statusCode).toBe(200)
    expect((await call(`GET /jobs/artifacts/${ref}/raw/dist/a.txt?job=build`)).body).toBe('first')
  }
})

test.each([
  ['access: all', [200, 200, 200]],
  ['public: false', [403, 200, 200]],
  ['access: developer', [403, 200, 200]],
  ['access: maintainer', [403, 403, 200]],
  ['access: none', [403, 403, 403]],
])('artifacts with %s are for reporter, developer, maintainer as %j', async (keyword, statuses) => {
  const coordinator = await openCoordinator()
  const { app, database, project } = coordinator
  const runner = await RunnerClient.register(coordinator, { tag_list: 'docker' })
  await pushPipeline(coordinator, CI_FILE.replace('paths: [dist]', `paths: [dist], ${keyword}`))
  await finishBuild({ runner })
  const { id } = await jobNamed(coordinator, 'build')
  const people: [string, number][] = [
    ['reporter', 20],
    ['developer', 30],
    ['maintainer', 40],
  ]
  for (const [index, [name, level]] of people.entries()) {
    const person = await addPerson(database, name)
    const values = { project_id: project.id, user_id: person.id, access_level: level, created_at: 0 }
    await database.insertInto('member').values(values).execute()
    for (const path of [
      `${id}/artifacts`,
      `${id}/artifacts/dist/a.txt`,
      'artifacts/main/download?job=build',
      'artifacts/main/raw/dist/a.txt?job=build',
      'artifacts/ma%69n/download?job=build',
    ]) {
      const { statusCode } = await app.call(person, `GET /projects/${project.id}/jobs/${path}`)
      expect([name, path, statusCode]).toEqual([name, path, statuses[index]])
    }
  }
})

test('artifacts are kept without expiry, or deleted', async () => {
  const started = await startJobs()
  const { call, build } = started
  expect((await call(`POST /jobs/${build.id}/artifacts/keep`)).statusCode).toBe(404)
  await finishBuild(started)
  const kept = await call(`POST /jobs/${build.id}/artifacts/keep`)
  expect([kept.statusCode, kept.json<{ artifacts_expire_at: null }>().artifacts_expire_at]).toEqual([
    200,
    null,
  ])
  expect((await call(`DELETE /jobs/${build.id}/artifacts`)).statusCode).toBe(204)
  expect((await call(`GET /jobs/${build.id}/artifacts`)).statusCode).toBe(404)
})

test('all artifacts of a project can be expired, except those of its latest pipelines', async () => {
  const started = await startJobs()
  const { call, build, coordinator } = started
  const { database, blobs } = coordinator
  await finishBuild(started)
  const expired = async () => {
    const letGo = await call('DELETE /artifacts')
    expect([letGo.statusCode, letGo.json()]).toEqual([202, { message: '202 Accepted' }])
    return deleteExpiredArtifacts(database, blobs)
  }
  expect(await expired()).toBe(0)
  expect((await call(`GET /jobs/${build.id}/artifacts`)).statusCode).toBe(200)
  await database.deleteFrom('artifact_lock').execute()
  expect(await expired()).toBe(1)
  expect((await call(`GET /jobs/${build.id}/artifacts`)).statusCode).toBe(404)
})

test('a delayed job can be made to wait for a user, and shows when it would start', async () => {
  const { coordinator, call } = await startJobs()
  await pushPipeline(coordinator, 'later: { script: x, when: delayed, start_in: 10 minutes }')
  const { id } = await jobNamed(coordinator, 'later')
  const waiting = (await call(`GET /jobs/${id}`)).json<{ status: string; scheduled_at: string }>()
  expect(waiting.status).toBe('scheduled')
  expect(Date.parse(waiting.scheduled_at)).toBeGreaterThan(Date.now())
  const stopped = await call(`POST /jobs/${id}/unschedule`)
  expect(stopped.statusCode).toBe(200)
  expect(stopped.json()).toMatchObject({ status: 'manual', scheduled_at: null })
  const again = await call(`POST /jobs/${id}/unschedule`)
  expect([again.statusCode, again.json()]).toEqual([
    400,
    { message: '400 Bad request - Job is not scheduled' },
  ])
  expect((await call(`POST /jobs/${id}/play`)).json()).toMatchObject({ status: 'pending' })
})

test('manual variables need valid shell names, and undeclared inputs are refused', async () => {
  const { coordinator, call } = await startJobs()
  await coordinator.engine.database
    .updateTable('job')
    .set({ status: 'manual' })
    .where('name', '=', 'ship')
    .execute()
  const ship = await jobNamed(coordinator, 'ship')
  const play = async (body: object) => (await call(`POST /jobs/${ship.id}/play`, body)).json<unknown>()
  const twice = [
    { key: 'A', value: '1' },
    { key: 'A', value: '2' },
  ]
  expect(await play({ job_variables_attributes: [{ key: 'a-b', value: 'x' }] })).toEqual({
    message: { 'job_variables.key': ["'a-b' can contain only letters, digits and '_'."] },
  })
  expect(await play({ job_variables_attributes: twice })).toEqual({
    message: { job_variables: ['have duplicate values (A)'] },
  })
  expect(await play({ job_inputs: { speed: 'high' } })).toEqual({
    message: '400 Bad request - unknown input arguments: speed',
  })
})

test('a manual job is played, and run again, with values for its inputs', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator, { tag_list: 'docker' })
  await pushPipeline(coordinator, INPUTS_FILE)
  const ship = await jobNamed(coordinator, 'ship')
  const { app, admin, project } = coordinator
  const call = (path: string, body: object) =>
    app.call(admin, `POST /projects/${project.id}/jobs/${path}`, body)
  const wrong = await call(`${ship.id}/play`, { job_inputs: { to: 'Mars!', speed: 'high' } })
  expect([wrong.statusCode, wrong.json()]).toEqual([
    400,
    {
      message:
        '400 Bad request - `to` input: provided value does not match required RegEx pattern, `speed` input: provided value is not a number',
    },
  ])
  const large = await call(`${ship.id}/play`, { job_inputs: { speed: 1, to: 'a'.repeat(100_000) } })
  expect([large.statusCode, large.json()]).toEqual([
    400,
    { message: '400 Bad request - The variables expand to more than 16777216 characters' },
  ])
  expect((await call(`${ship.id}/play`, { job_inputs: { to: 'moon' } })).statusCode).toBe(200)
  const first = await runner.takeJob()
  expect(first.steps?.[0]?.script[0]).toBe('fly moon 3')
  expect(first.image?.name).toBe('rocket:3')
  await runner.update(first, 'failed')
  const again = await call(`${first.id}/retry`, { inputs: { speed: '5' } })
  expect(again.statusCode).toBe(201)
  const second = await runner.takeJob()
  expect([second.steps?.[0]?.script[0], second.image?.name]).toEqual(['fly moon 5', 'rocket:5'])
})

test('a manual job is played with variables of its own', async () => {
  const started = await startJobs()
  const { coordinator, runner, call } = started
  const early = await call(`POST /jobs/${(await jobNamed(coordinator, 'ship')).id}/play`)
  expect([early.statusCode, early.json()]).toEqual([400, { message: '400 Bad request - Unplayable Job' }])
  await finishBuild(started)
  const ship = await jobNamed(coordinator, 'ship')
  const played = await call(`POST /jobs/${ship.id}/play`, {
    job_variables_attributes: [{ key: 'TARGET', value: 'production' }],
  })
  expect([played.statusCode, played.json<{ status: string }>().status]).toEqual([200, 'pending'])
  const { variables, dependencies } = await runner.takeJob()
  expect(variables).toContainEqual({ key: 'TARGET', value: 'production', public: false, masked: false })
  expect(variables).toContainEqual({ key: 'CI_JOB_MANUAL', value: 'true', public: true, masked: false })
  expect(dependencies?.map(({ name }) => name)).toEqual(['build'])
})

test('where variables are restricted, a developer plays and runs again without any', async () => {
  const started = await startJobs()
  const { coordinator, call } = started
  await finishBuild(started)
  const { database, project } = coordinator
  await database.updateTable('project').set({ restrict_user_defined_variables: true }).execute()
  const developer = await addPerson(database, 'developer')
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: developer.id, access_level: 30, created_at: 0 })
    .execute()
  const body = { job_variables_attributes: [{ key: 'TARGET', value: 'production' }] }
  for (const [name, verb] of [
    ['ship', 'play'],
    ['build', 'retry'],
  ] as const) {
    const path = `POST /jobs/${(await jobNamed(coordinator, name)).id}/${verb}`
    expect((await call(path, body, developer)).statusCode).toBe(403)
    expect((await call(path, {}, developer)).statusCode).toBeLessThan(300)
  }
})

test('a job is canceled, also when there is nothing to cancel', async () => {
  const { call, build } = await startJobs()
  for (let round = 0; round < 2; round++) {
    const response = await call(`POST /jobs/${build.id}/cancel`)
    expect([response.statusCode, response.json<{ status: string }>().status]).toEqual([201, 'canceled'])
  }
})

test('the log of a job is listed as a file after the job has ended, in any status', async () => {
  const { coordinator, runner, call, build } = await startJobs()
  const files = async () => (await call(`GET /jobs/${build.id}`)).json<{ artifacts: unknown[] }>().artifacts
  const job = await runner.takeJob()
  await runner.patch(job, '0-4', 'hello')
  expect(await files()).toEqual([])
  const canceled = await call(`POST /jobs/${build.id}/cancel`)
  const log = { file_type: 'trace', size: 5, filename: 'job.log', file_format: null }
  expect(canceled.json()).toMatchObject({ artifacts: [log], artifacts_expire_at: null })
  const [listed] = (await call('GET /jobs?scope=canceled')).json<{ artifacts: unknown[] }[]>()
  expect(listed?.artifacts).toEqual([log])
  const { id } = await coordinator.database.selectFrom('runner').select('id').executeTakeFirstOrThrow()
  const ofRunner = await coordinator.app.call(coordinator.admin, `GET /runners/${id}/jobs`)
  expect(ofRunner.json()).toMatchObject([{ artifacts: [log] }])
})

test('a job without a log lists no log file', async () => {
  const { runner, call, build } = await startJobs()
  await runner.update(await runner.takeJob(), 'success')
  expect((await call(`GET /jobs/${build.id}`)).json()).toMatchObject({ status: 'success', artifacts: [] })
})

test('an erased job has neither log nor artifacts', async () => {
  const started = await startJobs()
  const { call, build } = started
  expect((await call(`POST /jobs/${build.id}/erase`)).json()).toEqual({
    message: '403 Forbidden - Job is not erasable!',
  })
  await finishBuild(started)
  const erased = await call(`POST /jobs/${build.id}/erase`)
  expect(erased.statusCode).toBe(201)
  const record = erased.json<{ erased_at: string; artifacts: unknown[] }>()
  expect(record.erased_at).not.toBeNull()
  expect(record.artifacts).toEqual([])
  expect((await call(`GET /jobs/${build.id}/trace`)).statusCode).toBe(404)
  expect((await call(`GET /jobs/${build.id}/artifacts`)).statusCode).toBe(404)
})

test('settings variables reach the job; protected ones only on a protected branch', async () => {
  const { coordinator, runner } = await startJobs()
  const { database, engine, project } = coordinator
  const add = (key: string, more: object) =>
    database
      .insertInto('ci_variable')
      .values({
        project_id: project.id,
        key,
        value_encrypted: engine.secrets.encrypt(`value of ${key}`),
        variable_type: 'env_var',
        created_at: 0,
        updated_at: 0,
        ...more,
      })
      .execute()
  await add('MASKED', { masked: true })
  await add('FILE', { variable_type: 'file' })
  await add('RAW', { raw: true })
  await add('PROTECTED', { protected: true })
  await add('STAGING', { environment_scope: 'staging' })
  const settings = async () => {
    const { variables } = await runner.takeJob()
    return variables.filter(({ value }) => value.startsWith('value of '))
  }
  const shown = { public: false, masked: false }
  const always = [
    { key: 'MASKED', value: 'value of MASKED', public: false, masked: true },
    { key: 'FILE', value: 'value of FILE', ...shown, file: true },
    { key: 'RAW', value: 'value of RAW', ...shown, raw: true },
  ]
  expect(await settings()).toEqual(always)
  await database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'branch',
      name: 'main',
      push_access_level: 40,
      merge_access_level: 40,
      created_at: 0,
    })
    .execute()
  await pushPipeline(coordinator, CI_FILE)
  expect(await settings()).toEqual([...always, { key: 'PROTECTED', value: 'value of PROTECTED', ...shown }])
})

test('a job token shows its job, and reads the artifacts of its own project', async () => {
  const started = await startJobs()
  const { coordinator, runner, call } = started
  const { app, project } = coordinator
  await finishBuild(started)
  await call(`POST /jobs/${(await jobNamed(coordinator, 'ship')).id}/play`)
  const ship = await runner.takeJob()
  const read = (path: string) =>
    app.app.inject({ url: `/api/v4${path}`, headers: { 'job-token': ship.token } })
  expect((await read('/job')).json()).toMatchObject({ id: ship.id, name: 'ship' })
  const download = `/projects/${project.id}/jobs/artifacts/main/download?job=build`
  expect((await read(download)).statusCode).toBe(404) // the pipeline is running again
  await runner.update(ship, 'success')
  expect((await read('/job')).statusCode).toBe(401)
  expect((await app.call(coordinator.admin, 'GET /job')).json()).toEqual({ message: '404 Job Not Found' })
  expect((await app.call(undefined, 'GET /job')).statusCode).toBe(401)
})

test('the jobs of a runner are listed with their projects', async () => {
  const started = await startJobs()
  const { coordinator } = started
  const { id } = await finishBuild(started)
  const { app, admin, database, project } = coordinator
  const runner = await database.selectFrom('runner').select('id').executeTakeFirstOrThrow()
  const jobs = await app.call(admin, `GET /runners/${runner.id}/jobs?status=success`)
  expect(jobs.json()).toMatchObject([
    { id, ip_address: '127.0.0.1', project: { id: project.id, path_with_namespace: 'group/app' } },
  ])
  const ofMachine = (systemId: string) =>
    app.call(admin, `GET /runners/${runner.id}/jobs?system_id=${systemId}`)
  expect((await ofMachine('s_0123456789ab')).json()).toMatchObject([{ id }])
  expect((await ofMachine('s_other')).json()).toEqual([])
  const stranger = await addPerson(database, 'stranger')
  expect((await app.call(stranger, `GET /runners/${runner.id}/jobs`)).statusCode).toBe(403)

  // The maintainer of another project that the runner works for too sees nothing of this one.
  const other = await insertProject(database, {
    namespace_id: project.namespace_id,
    creator_id: admin.id,
    full_path: 'group/other',
  })
  await database.insertInto('runner_project').values({ runner_id: runner.id, project_id: other.id }).execute()
  await database
    .insertInto('member')
    .values({ project_id: other.id, user_id: stranger.id, access_level: 40, created_at: 0 })
    .execute()
  expect((await app.call(stranger, `GET /runners/${runner.id}/jobs`)).json()).toEqual([])
})
