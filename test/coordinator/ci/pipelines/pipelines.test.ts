import { expect, test, vi } from 'vitest'

import { detailedStatus } from '../../../../src/coordinator/ci/pipelines/detailed-status.js'
import type { PipelineCounts } from '../../../../src/coordinator/ci/pipelines/details/schema.js'
import { deleteFilesOfDeletedJobs } from '../../../../src/coordinator/ci/storage/deleted-jobs.js'
import { testAtNight } from '../../../support/nightly.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
} from '../../support/ci-coordinator.js'
import { addMember } from '../../support/project-team.js'
import { RunnerClient } from '../../support/runner-client.js'
import { setSettings } from '../../support/set-settings.js'
import { addPerson, EXTERNAL_URL, type Person } from '../../support/test-app.js'

const openCoordinator = ciCoordinatorForFile()

const CI_FILE = `
stages: [build, test]
build: { stage: build, script: [a] }
test: { stage: test, script: [b] }
`

function caller({ app, project }: CiCoordinator) {
  return (as: Person | undefined, route: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ')
    return app.call(as, `${method} /projects/${project.id}${path}`, body)
  }
}

test('a created pipeline has every key, and its variables', async () => {
  const coordinator = await openCoordinator()
  const { admin, repositories, project } = coordinator
  const call = caller(coordinator)
  repositories.ciFile = CI_FILE
  const created = await call(admin, 'POST /pipeline', {
    ref: 'main',
    variables: [
      { key: 'A', value: 'secret' },
      { key: 'F', value: 'text', variable_type: 'file' },
    ],
  })
  expect(created.statusCode).toBe(201)
  const pipeline = created.json<{ id: number }>()
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string
  expect(pipeline).toEqual({
    id: pipeline.id,
    iid: 1,
    project_id: project.id,
    sha: 'a'.repeat(40),
    ref: 'main',
    status: 'pending',
    source: 'api',
    created_at: time,
    updated_at: time,
    web_url: `${EXTERNAL_URL}/group/app/-/pipelines/${pipeline.id}`,
    name: null,
    before_sha: '0'.repeat(40),
    tag: false,
    yaml_errors: null,
    warnings: [],
    failure_reason: null,
    protected: false,
    auto_canceled_by_id: null,
    user: {
      id: admin.id,
      username: 'root',
      name: 'root',
      state: 'active',
      avatar_url: null,
      web_url: `${EXTERNAL_URL}/root`,
    },
    started_at: null,
    finished_at: null,
    committed_at: null,
    duration: null,
    queued_duration: null,
    coverage: null,
    detailed_status: detailedStatus({
      status: 'pending',
      hasWarnings: false,
      path: `/group/app/-/pipelines/${pipeline.id}`,
    }),
    archived: false,
  })
  expect((await call(admin, `GET /pipelines/${pipeline.id}`)).json()).toEqual(pipeline)
  expect((await call(admin, 'GET /pipelines/latest')).json()).toEqual(pipeline)
  expect((await call(admin, `GET /pipelines/${pipeline.id}/variables`)).json()).toEqual([
    { key: 'A', variable_type: 'env_var', value: 'secret' },
    { key: 'F', variable_type: 'file', value: 'text' },
  ])
})

testAtNight('a pipeline whose only failed job is allowed to fail has passed with warnings', async () => {
  const coordinator = await openCoordinator()
  const call = caller(coordinator)
  await pushPipeline(coordinator, 'a: { script: [x] }\nb: { script: [x], allow_failure: true }')
  const runner = await RunnerClient.register(coordinator)
  await runner.update(await runner.takeJob(), 'success')
  await runner.update(await runner.takeJob(), 'failed')
  expect((await call(coordinator.admin, 'GET /pipelines/latest')).json()).toMatchObject({
    status: 'success',
    detailed_status: {
      icon: 'status_warning',
      text: 'Warning',
      label: 'passed with warnings',
      group: 'success-with-warnings',
      favicon: '/assets/ci_favicons/favicon_status_success.png',
    },
  })
})

test.each([
  ['success', 'status_success', 'Passed', 'passed', 'success'],
  ['manual', 'status_manual', 'Blocked', 'waiting for manual action', 'manual'],
  ['scheduled', 'status_scheduled', 'Delayed', 'waiting for delayed job', 'scheduled'],
  ['waiting_for_resource', 'status_pending', 'Waiting', 'waiting for resource', 'waiting-for-resource'],
  ['canceled', 'status_canceled', 'Canceled', 'canceled', 'canceled'],
] as const)('the status %s is shown as clients know it', (status, icon, text, label, group) => {
  expect(detailedStatus({ status, hasWarnings: false, path: '/p' })).toMatchObject({
    icon,
    text,
    label,
    group,
    details_path: '/p',
  })
})

test('a pipeline that cannot be is refused with the reason', async () => {
  const coordinator = await openCoordinator()
  const { admin, repositories } = coordinator
  const call = caller(coordinator)
  const reasonFor = async (ciFile: string | undefined) => {
    repositories.ciFile = ciFile
    const response = await call(admin, 'POST /pipeline', { ref: 'main' })
    expect(response.statusCode).toBe(400)
    return response.json<{ message: { base: [string] } }>().message.base[0]
  }
  expect(await reasonFor(undefined)).toBe('Missing CI config file')
  expect(await reasonFor('build: { script: 1 }')).toContain('build')
  repositories.resolveRef = () => Promise.resolve(undefined as never)
  expect(await reasonFor(CI_FILE)).toBe('Reference not found')
  expect((await call(admin, 'POST /pipeline', {})).json()).toEqual({ error: 'ref is missing' })
})

test('a pipeline on a protected branch requires permission to push or merge there', async () => {
  const coordinator = await openCoordinator()
  const { database, repositories, project } = coordinator
  const call = caller(coordinator)
  await database
    .insertInto('protected_ref')
    .values({
      project_id: project.id,
      kind: 'branch',
      name: 'ma*',
      push_access_level: 0,
      merge_access_level: 40,
      created_at: Date.now(),
    })
    .execute()
  repositories.ciFile = CI_FILE
  const developer = await addMember(coordinator, 'dev', 30)
  const maintainer = await addMember(coordinator, 'main', 40)
  expect((await call(developer, 'POST /pipeline', { ref: 'main' })).statusCode).toBe(400)
  expect((await call(developer, 'POST /pipeline', { ref: 'topic' })).statusCode).toBe(201)
  const { id } = (await call(maintainer, 'POST /pipeline', { ref: 'main' })).json<{ id: number }>()
  expect((await call(developer, `POST /pipelines/${id}/retry`)).statusCode).toBe(403)
})

test('pipelines are listed newest first, filtered and ordered', async () => {
  const coordinator = await openCoordinator()
  const { admin } = coordinator
  const call = caller(coordinator)
  const first = await pushPipeline(coordinator, CI_FILE)
  const tag = await pushPipeline(coordinator, CI_FILE, { ref: 'v1', refType: 'tag', sha: 'b'.repeat(40) })
  const broken = await pushPipeline(coordinator, 'build: { script: 1 }', { ref: 'topic' })
  const last = await pushPipeline(coordinator, CI_FILE, { source: 'api' })
  const idsOf = async (query: string) =>
    (await call(admin, `GET /pipelines?${query}`)).json<{ id: number }[]>().map(({ id }) => id)
  expect(await idsOf('')).toEqual([last.id, broken.id, tag.id, first.id])
  expect(await idsOf('sort=asc&per_page=2')).toEqual([first.id, tag.id])
  expect(await idsOf('status=failed')).toEqual([broken.id])
  expect(await idsOf('status[]=failed&status[]=running')).toEqual([broken.id])
  expect(await idsOf('status[]=failed&status[]=pending')).toEqual([last.id, broken.id, tag.id, first.id])
  expect(await idsOf('yaml_errors=true')).toEqual([broken.id])
  expect(await idsOf('scope=finished')).toEqual([broken.id])
  expect(await idsOf('scope=tags')).toEqual([tag.id])
  expect(await idsOf('scope=branches')).toEqual([last.id, broken.id])
  expect(await idsOf('ref=main')).toEqual([last.id, first.id])
  expect(await idsOf(`sha=${'b'.repeat(40)}`)).toEqual([tag.id])
  expect(await idsOf('source=api')).toEqual([last.id])
  expect(await idsOf('username=root&order_by=ref&sort=asc')).toEqual([first.id, last.id, broken.id, tag.id])
  expect(await idsOf('username=nobody')).toEqual([])
  expect(await idsOf('created_after=2999-01-01T00:00:00Z')).toEqual([])
  const page = await call(admin, 'GET /pipelines?per_page=3&page=2')
  expect(page.headers).toMatchObject({ 'x-total': '4', 'x-total-pages': '2', 'x-prev-page': '1' })
  expect((await call(admin, 'GET /pipelines?scope=odd')).statusCode).toBe(400)
  expect((await call(admin, 'GET /pipelines?status=odd')).json()).toEqual({
    error: 'status does not have a valid value',
  })
  expect((await call(admin, 'GET /pipelines?per_page=1')).json<object[]>()[0]).not.toHaveProperty('stages')
  expect((await call(admin, 'GET /pipelines?with_details=true&per_page=1')).json()).toMatchObject([
    { id: last.id, stages: [{ name: 'build' }, { name: 'test' }], commit: { title: 'A commit' } },
  ])
  expect((await call(admin, 'GET /pipelines/counts')).json()).toMatchObject({
    all: { count: 4, more: false },
    tags: { count: 1, more: false },
  })
  const filtered = (await call(admin, `GET /pipelines/counts?ref=${last.ref}`)).json<PipelineCounts>()
  const listed = await idsOf(`ref=${last.ref}`)
  expect(filtered.all.count).toBe(listed.length)
  expect(filtered.all.count).toBeLessThan(4)
  expect(filtered.branches.count).toBe(1)
  expect((await call(admin, 'GET /pipelines/counts?username=nobody')).json()).toMatchObject({
    all: { count: 0 },
    branches: { count: 0 },
    tags: { count: 0 },
  })
})

testAtNight('the latest pipeline of each commit is found, without child pipelines', async () => {
  const coordinator = await openCoordinator()
  const { admin } = coordinator
  const call = caller(coordinator)
  const [one, two] = ['a'.repeat(40), 'b'.repeat(40)]
  await pushPipeline(coordinator, CI_FILE, { sha: one })
  const ofOne = await pushPipeline(coordinator, CI_FILE, { sha: one, ref: 'topic' })
  const ofTwo = await pushPipeline(coordinator, CI_FILE, { sha: two })
  const child = await pushPipeline(coordinator, CI_FILE, { sha: two })
  await coordinator.database
    .updateTable('pipeline')
    .set({ source: 'parent_pipeline' })
    .where('id', '=', child.id)
    .execute()
  const found = await call(
    admin,
    `GET /pipelines/by_commit?shas[]=${one}&shas[]=${two}&shas[]=${'c'.repeat(40)}`,
  )
  expect(found.json()).toMatchObject([
    { id: ofTwo.id, sha: two, ref: 'main', status: 'pending' },
    { id: ofOne.id, sha: one, ref: 'topic' },
  ])
  expect((await call(admin, 'GET /pipelines/by_commit')).statusCode).toBe(400)
})

testAtNight('times and users narrow the list, bounds included', async () => {
  const coordinator = await openCoordinator()
  const { admin, database } = coordinator
  const call = caller(coordinator)
  const { id } = await pushPipeline(coordinator, CI_FILE)
  const at = Date.parse('2026-03-01T12:00:00.500Z')
  await database.updateTable('pipeline').set({ created_at: at, updated_at: at }).execute()
  for (const [query, isFound] of [
    ['created_after=2026-03-01T12:00:00.500Z', true],
    ['created_before=2026-03-01T12:00:00.500Z', true],
    ['updated_after=2026-03-01T12:00:00.500Z', true],
    ['updated_before=2026-03-01T12:00:00.500Z', true],
    ['updated_after=2026-03-01T12:00:00.501Z', false],
    ['updated_before=2026-03-01T12:00:00.499Z', false],
    ['created_after=2026-03-01', true],
    ['name=root', true],
    ['name=Somebody', false],
    ['username=ROOT', true],
    ['yaml_errors=false', true],
  ] as const) {
    const found = (await call(admin, `GET /pipelines?${query}`)).json<{ id: number }[]>()
    expect([query, found.map((pipeline) => pipeline.id)]).toEqual([query, isFound ? [id] : []])
  }
})

test('a pipeline is given another name', async () => {
  const coordinator = await openCoordinator()
  const { admin } = coordinator
  const call = caller(coordinator)
  const { id } = await pushPipeline(coordinator, CI_FILE)
  const renamed = await call(admin, `PUT /pipelines/${id}/metadata`, { name: 'Nightly' })
  expect([renamed.statusCode, renamed.json()]).toEqual([
    200,
    expect.objectContaining({ id, name: 'Nightly' }),
  ])
  expect((await call(admin, `GET /pipelines/${id}`)).json()).toMatchObject({ name: 'Nightly' })
  expect((await call(admin, `PUT /pipelines/${id}/metadata`, {})).json()).toEqual({
    error: 'name is missing',
  })
  expect((await call(admin, 'PUT /pipelines/999/metadata', { name: 'a' })).statusCode).toBe(404)
})

test('a pipeline is canceled, and retried', async () => {
  const coordinator = await openCoordinator()
  const { admin } = coordinator
  const call = caller(coordinator)
  const { id } = await pushPipeline(coordinator, CI_FILE)
  const canceled = await call(admin, `POST /pipelines/${id}/cancel`)
  expect([canceled.statusCode, canceled.json<{ status: string }>().status]).toEqual([200, 'canceled'])
  expect((await call(admin, `POST /pipelines/${id}/cancel`)).statusCode).toBe(200)
  const retried = await call(admin, `POST /pipelines/${id}/retry`)
  expect([retried.statusCode, retried.json<{ status: string }>().status]).toEqual([201, 'running'])
})

test('deleting a pipeline deletes its logs and artifacts', async () => {
  const coordinator = await openCoordinator()
  const { admin, traces, artifacts } = coordinator
  const call = caller(coordinator)
  const runner = await RunnerClient.register(coordinator)
  const { id } = await pushPipeline(coordinator, CI_FILE)
  const job = await runner.takeJob()
  await runner.patch(job, '0-4', 'hello')
  await runner.upload(job, 'zip')
  const notify = vi.spyOn(coordinator.watches, 'notify')
  const maintainer = await addMember(coordinator, 'main', 40)
  expect((await call(maintainer, `DELETE /pipelines/${id}`)).statusCode).toBe(403)
  expect((await call(admin, `DELETE /pipelines/${id}`)).statusCode).toBe(204)
  expect((await call(admin, `GET /pipelines/${id}`)).json()).toEqual({ message: '404 Not found' })
  expect(await artifacts.find(job.id)).toBeUndefined()
  expect(await traces.size({ id: job.id, project_id: coordinator.project.id })).toBe(0)
  expect(notify.mock.calls).toEqual([[job.id]])
  expect((await runner.update(job, 'running')).status).toBe(403)
  expect(coordinator.repositories.pipelineRefs).toEqual([])
})

testAtNight('files that a pipeline deletion failed to delete are deleted later', async () => {
  const coordinator = await openCoordinator()
  const { admin, engine, traces, artifacts, blobs, database } = coordinator
  const call = caller(coordinator)
  const runner = await RunnerClient.register(coordinator)
  const { id } = await pushPipeline(coordinator, CI_FILE)
  const job = await runner.takeJob()
  const owner = { id: job.id, project_id: coordinator.project.id }
  await runner.patch(job, '0-4', 'hello')
  await runner.upload(job, 'zip')
  const deleteBelow = blobs.deleteBelow.bind(blobs)
  blobs.deleteBelow = () => Promise.reject(new Error('the disk is read-only'))
  expect((await call(admin, `DELETE /pipelines/${id}`)).statusCode).toBe(204)
  expect(await traces.size(owner)).toBe(5)
  blobs.deleteBelow = deleteBelow
  await deleteFilesOfDeletedJobs({ ...engine, artifacts, traces })
  expect(await traces.size(owner)).toBe(0)
  expect(await database.selectFrom('removed_job').selectAll().execute()).toEqual([])
})

test('permissions', async () => {
  const coordinator = await openCoordinator()
  const call = caller(coordinator)
  const { id } = await pushPipeline(coordinator, CI_FILE)
  const [guest, reporter] = [
    await addMember(coordinator, 'guest', 10),
    await addMember(coordinator, 'reporter', 20),
  ]
  const stranger = await addPerson(coordinator.database, 'stranger')
  expect((await call(undefined, `GET /pipelines/${id}`)).statusCode).toBe(404)
  expect((await call(stranger, `GET /pipelines/${id}`)).statusCode).toBe(404)
  expect((await call(guest, `GET /pipelines/${id}`)).statusCode).toBe(200)
  expect((await call(reporter, `POST /pipelines/${id}/cancel`)).statusCode).toBe(403)
  expect((await call(reporter, `GET /pipelines/${id}/variables`)).statusCode).toBe(403)
  await coordinator.database.updateTable('project').set({ public_jobs: false }).execute()
  expect((await call(guest, `GET /pipelines/${id}`)).statusCode).toBe(403)
  expect((await call(reporter, `GET /pipelines/${id}`)).statusCode).toBe(200)
})

test('where variables are restricted, only maintainers give them', async () => {
  const coordinator = await openCoordinator()
  const call = caller(coordinator)
  coordinator.repositories.ciFile = CI_FILE
  const [developer, maintainer] = [
    await addMember(coordinator, 'developer', 30),
    await addMember(coordinator, 'maintainer', 40),
  ]
  await coordinator.database.updateTable('project').set({ restrict_user_defined_variables: true }).execute()
  const variables = [{ key: 'A', value: '1' }]
  const refused = await call(developer, 'POST /pipeline', { ref: 'topic', variables })
  expect([refused.statusCode, refused.json()]).toEqual([
    400,
    { message: { base: ['Insufficient permissions to set pipeline variables'] } },
  ])
  expect((await call(developer, 'POST /pipeline', { ref: 'topic' })).statusCode).toBe(201)
  expect((await call(maintainer, 'POST /pipeline', { ref: 'topic', variables })).statusCode).toBe(201)
})

test('a name of a variable that no shell could read is refused', async () => {
  const coordinator = await openCoordinator()
  coordinator.repositories.ciFile = CI_FILE
  const variables = [
    { key: 'A-B', value: '1' },
    { key: 'C', value: '1' },
  ]
  const refused = await caller(coordinator)(coordinator.admin, 'POST /pipeline', { ref: 'main', variables })
  expect(refused.json()).toEqual({
    message: { base: ["Variable names can contain only letters, digits and '_', 255 at most: A-B"] },
  })
})

test('an archived project refuses to start, play or retry jobs and pipelines', async () => {
  const coordinator = await openCoordinator()
  const { admin, database } = coordinator
  const call = caller(coordinator)
  const { id } = await pushPipeline(coordinator, 'a: { script: [a], when: manual }\nb: { script: [b] }')
  const job = await (await RunnerClient.register(coordinator)).takeJob()
  await call(admin, `POST /pipelines/${id}/cancel`)
  const manual = await jobNamed(coordinator, 'a')
  await database.updateTable('project').set({ archived: true }).execute()
  for (const route of [
    'POST /pipeline?ref=main',
    `POST /pipelines/${id}/retry`,
    `POST /jobs/${job.id}/retry`,
    `POST /jobs/${manual.id}/play`,
    `POST /jobs/${manual.id}/unschedule`,
  ]) {
    const refused = await call(admin, route)
    expect([refused.statusCode, refused.json()]).toEqual([403, { message: '403 Forbidden' }])
  }
  await database.updateTable('project').set({ archived: false }).execute()
  expect((await call(admin, `POST /pipelines/${id}/retry`)).statusCode).toBe(201)
})

testAtNight('jobs above the age in the settings are archived: not retried, not started by hand', async () => {
  const coordinator = await openCoordinator()
  const { admin, database } = coordinator
  const call = caller(coordinator)
  const { id } = await pushPipeline(coordinator, 'a: { script: [a], when: manual }\nb: { script: [b] }')
  await call(admin, `POST /pipelines/${id}/cancel`)
  const [ended, manual] = [await jobNamed(coordinator, 'b'), await jobNamed(coordinator, 'a')]
  const archived = async () => {
    const records = await Promise.all(
      [`jobs/${ended.id}`, `jobs/${manual.id}`, `pipelines/${id}`].map((path) => call(admin, `GET /${path}`)),
    )
    return records.map((record) => record.json<{ archived: boolean }>().archived)
  }
  const actions = async () => {
    const graph = await call(admin, `GET /pipelines/${id}/graph`)
    return graph.json<{ jobs: { actions: string[] }[] }>().jobs.map((job) => job.actions)
  }
  expect(await actions()).toEqual([['retry'], ['retry']])
  await setSettings(coordinator, { archive_builds_in_human_readable: '1 week' })
  expect(await archived()).toEqual([false, false, false])
  const twoWeeksAgo = Date.now() - 14 * 24 * 3600 * 1000
  await database.updateTable('job').set({ created_at: twoWeeksAgo }).execute()
  await database.updateTable('pipeline').set({ created_at: twoWeeksAgo }).execute()
  expect(await archived()).toEqual([true, true, true])
  expect(await actions()).toEqual([[], []])
  const retried = await call(admin, `POST /jobs/${ended.id}/retry`)
  expect([retried.statusCode, retried.json()]).toEqual([
    403,
    { message: '403 Forbidden - Job is not retryable' },
  ])
  expect((await call(admin, `POST /jobs/${manual.id}/play`)).statusCode).toBe(400)
  await call(admin, `POST /pipelines/${id}/retry`)
  expect((await call(admin, `GET /pipelines/${id}/jobs?include_retried=true`)).json()).toHaveLength(2)
  await setSettings(coordinator, { archive_builds_in_human_readable: '1 month' })
  expect(await archived()).toEqual([false, false, false])
  expect((await call(admin, `POST /jobs/${ended.id}/retry`)).statusCode).toBe(201)
})
