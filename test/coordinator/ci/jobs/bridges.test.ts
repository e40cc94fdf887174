import { buffer } from 'node:stream/consumers'

import { expect, onTestFinished, test } from 'vitest'

import { BridgeWorker } from '../../../../src/coordinator/ci/engine/downstream/bridge-worker.js'
import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
  startCiCoordinator,
} from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'
import { zipOf } from '../../support/zip.js'
import { runBridgeTasks } from '../engine/support/downstream.js'

const openCoordinator = ciCoordinatorForFile()

const CHILD = 'work: { script: [x], rules: [{ if: $WANTED == "yes" }] }'
const CI_FILE = `
stages: [make, start, end]
make: { stage: make, script: [a], artifacts: { paths: [child.yml] } }
start:
  stage: start
  variables: { WANTED: "yes" }
  trigger: { include: [{ artifact: child.yml, job: make }], strategy: depend }
end: { stage: end, script: [b] }
`

/** The periodicTasks of a coordinator that have to do with trigger jobs, until the test is over. */
function runBridges({ engine }: CiCoordinator): void {
  const worker = new BridgeWorker(engine)
  engine.notifications.on('bridgeTasksAdded', () => worker.wake())
  const stopping = new AbortController()
  const running = worker.run(stopping.signal)
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
}

/** Waits for a job as a runner does. */
async function waitForJob(runner: RunnerClient): Promise<JobPayload> {
  for (;;) {
    const response = await runner.request({ last_update: '' })
    if (response.status === 201) return (await response.json()) as JobPayload
    const lastUpdate = response.headers.get('x-gitlab-last-update')
    const held = await runner.request({ last_update: lastUpdate })
    if (held.status === 201) return (await held.json()) as JobPayload
  }
}

const valueOf = (job: JobPayload, key: string) => job.variables.findLast((item) => item.key === key)?.value

test('a job generates the file of a child pipeline, and the next stage waits for its end', async () => {
  const coordinator = await startCiCoordinator({ longPollSeconds: 10 })
  runBridges(coordinator)
  const { app, admin, project } = coordinator
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, CI_FILE)
  const call = (path: string) => app.call(admin, `GET /projects/${project.id}${path}`)

  const make = await waitForJob(runner)
  await runner.upload(make, await buffer(await zipOf({ 'child.yml': CHILD })))
  await runner.update(make, 'success')

  const work = await waitForJob(runner)
  const bridge = await jobNamed(coordinator, 'start')
  expect(bridge.status).toBe('running')
  expect(work.job_info.name).toBe('work')
  expect(
    [
      'CI_PIPELINE_SOURCE',
      'CI_UPSTREAM_PIPELINE_ID',
      'CI_UPSTREAM_PROJECT_ID',
      'CI_UPSTREAM_JOB_ID',
      'WANTED',
    ].map((key) => valueOf(work, key)),
  ).toEqual(['parent_pipeline', String(pipeline.id), String(project.id), String(bridge.id), 'yes'])
  const [record] = (await call(`/pipelines/${pipeline.id}/bridges?scope[]=running`)).json<
    { id: number; downstream_pipeline: { id: number } }[]
  >()
  expect(record).toMatchObject({
    id: bridge.id,
    name: 'start',
    status: 'running',
    downstream_errors: [],
    downstream_pipeline: { source: 'parent_pipeline', project_id: project.id, ref: 'main' },
  })
  await runner.update(work, 'success')

  expect((await waitForJob(runner)).job_info.name).toBe('end')
  expect((await jobNamed(coordinator, 'start')).status).toBe('success')
})

test('lists of jobs leave trigger jobs out, and lists of pipelines children', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, project, engine, repositories } = coordinator
  repositories.files.set('child.yml', 'work: { script: [x] }')
  const pipeline = await pushPipeline(coordinator, 'start: { trigger: { include: child.yml } }')
  await runBridgeTasks(engine)
  const call = (path: string) => app.call(admin, `GET /projects/${project.id}${path}`)
  const names = async (path: string) => (await call(path)).json<{ name: string }[]>().map(({ name }) => name)
  const ids = async (path: string) => (await call(path)).json<{ id: number }[]>().map(({ id }) => id)

  expect(await names('/jobs')).toEqual(['work'])
  expect(await names(`/pipelines/${pipeline.id}/jobs`)).toEqual([])
  const bridge = await jobNamed(coordinator, 'start')
  expect((await call(`/jobs/${bridge.id}`)).statusCode).toBe(404)

  const child = await jobNamed(coordinator, 'work')
  expect(await ids('/pipelines')).toEqual([pipeline.id])
  expect(await ids('/pipelines?scope=branches')).toEqual([pipeline.id])
  expect(await ids('/pipelines?source=parent_pipeline')).toEqual([child.pipeline_id])
  expect((await call('/pipelines/latest')).json()).toMatchObject({ id: pipeline.id })
})

test('a trigger job is played, canceled and retried like a job, and shows its error', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, project, engine, repositories } = coordinator
  await pushPipeline(
    coordinator,
    'start: { when: manual, trigger: { include: child.yml, strategy: depend } }',
  )
  const act = async (verb: string) => {
    const { id } = await jobNamed(coordinator, 'start')
    return app.call(admin, `POST /projects/${project.id}/jobs/${id}/${verb}`)
  }
  expect((await act('play')).json()).toMatchObject({ status: 'pending', downstream_pipeline: null })
  await runBridgeTasks(engine)
  const failed = await act('play')
  const { pipeline_id } = await jobNamed(coordinator, 'start')
  const bridges = async () =>
    (await app.call(admin, `GET /projects/${project.id}/pipelines/${pipeline_id}/bridges`)).json<object[]>()
  expect(failed.statusCode).toBe(200)
  await runBridgeTasks(engine)
  expect(await bridges()).toMatchObject([
    {
      status: 'failed',
      failure_reason: 'downstream_pipeline_creation_failed',
      downstream_errors: ['Local file `child.yml` does not exist!'],
    },
  ])

  repositories.files.set('child.yml', 'work: { script: [x] }')
  expect((await act('retry')).statusCode).toBe(201)
  await runBridgeTasks(engine)
  expect(await bridges()).toMatchObject([{ status: 'running', downstream_pipeline: { status: 'pending' } }])
  expect((await act('cancel')).json()).toMatchObject({ status: 'canceled' })
  await runBridgeTasks(engine)
  expect(await bridges()).toMatchObject([{ status: 'canceled', downstream_pipeline: { status: 'canceled' } }])
})

/** A pipeline that starts one of another project with this file; a reporter sees the first project alone. */
async function startForeign(libraryFile: string) {
  const coordinator = await openCoordinator()
  const { app, admin, database, project, engine, repositories } = coordinator
  const { id, ...likeThis } = project
  const other = await database
    .insertInto('project')
    .values({ ...likeThis, path: 'lib', full_path: 'group/lib', runners_token_digest: 'other' })
    .returning('id')
    .executeTakeFirstOrThrow()
  repositories.files.set(`${other.id}:.gitlab-ci.yml`, libraryFile)
  const reporter = await addPerson(database, 'reporter')
  const join = (projectId: number, level: number) =>
    database
      .insertInto('member')
      .values({ project_id: projectId, user_id: reporter.id, access_level: level, created_at: Date.now() })
      .execute()
  await join(id, 20)
  const pipeline = await pushPipeline(coordinator, 'start: { trigger: group/lib }')
  await runBridgeTasks(engine)
  const bridges = async (as: Person) =>
    (await app.call(as, `GET /projects/${id}/pipelines/${pipeline.id}/bridges`)).json<object[]>()
  return { admin, other, reporter, join, bridges, database }
}

test('errors in a CI file of another project are shown only to users who may read it', async () => {
  const { admin, other, reporter, join, bridges, database } = await startForeign(
    'work: { script: x, secret-word: 1 }',
  )
  const errors = async (as: Person) => JSON.stringify(await bridges(as))
  const told = 'jobs:work config contains unknown keys: secret-word'
  const hidden =
    'The pipeline of the other project failed (config_error); users who may read its code see the details'
  expect(await errors(admin)).toContain(told)
  expect(await errors(reporter)).toContain(hidden)
  expect(await errors(reporter)).not.toContain('secret-word')
  await join(other.id, 10)
  expect(await errors(reporter)).not.toContain('secret-word')
  await database.updateTable('member').set({ access_level: 20 }).where('project_id', '=', other.id).execute()
  expect(await errors(reporter)).toContain(told)
  // With the pipeline goes what told the projects apart.
  await database.deleteFrom('pipeline').where('project_id', '=', other.id).execute()
  expect(await errors(admin)).toContain(hidden)
})

test('a pipeline of a project that the caller may not see is not shown', async () => {
  const { admin, other, reporter, bridges } = await startForeign('work: { script: [x] }')
  expect(await bridges(admin)).toMatchObject([{ downstream_pipeline: { project_id: other.id } }])
  expect(await bridges(reporter)).toMatchObject([{ status: 'success', downstream_pipeline: null }])
})

test('a pipeline is deleted with its children and the data of their jobs', async () => {
  const coordinator = await openCoordinator()
  const { app, admin, project, engine, repositories, database } = coordinator
  const runner = await RunnerClient.register(coordinator)
  repositories.files.set('child.yml', 'grandchild: { trigger: { include: last.yml } }')
  repositories.files.set('last.yml', 'work: { script: [x] }')
  const pipeline = await pushPipeline(coordinator, 'start: { trigger: { include: child.yml } }')
  await runBridgeTasks(engine)
  const work = await runner.takeJob()
  await runner.upload(work, 'files')
  await runner.update(work, 'success')
  const route = `DELETE /projects/${project.id}/pipelines/${pipeline.id}`
  expect((await app.call(admin, route)).statusCode).toBe(204)
  expect(await database.selectFrom('pipeline').select('id').execute()).toEqual([])
  expect(await database.selectFrom('job_artifact').select('id').execute()).toEqual([])
  expect(repositories.pipelineRefs).toEqual([])
})

test('a child downloads artifacts of a parent job with its own token', async () => {
  const coordinator = await openCoordinator()
  const { engine, repositories } = coordinator
  const runner = await RunnerClient.register(coordinator)
  repositories.files.set(
    'child.yml',
    'use: { script: [x], needs: [{ pipeline: $PARENT_PIPELINE_ID, job: make }] }\nother: { script: [x] }',
  )
  await pushPipeline(
    coordinator,
    `
stages: [make, start]
make: { stage: make, script: [a], artifacts: { paths: [a] } }
start: { stage: start, trigger: { include: child.yml }, variables: { PARENT_PIPELINE_ID: $CI_PIPELINE_ID } }
`,
  )
  const make = await runner.takeJob()
  await runner.upload(make, 'files')
  await runner.update(make, 'success')
  await runBridgeTasks(engine)
  const use = await runner.takeJob()
  const other = await runner.takeJob()
  expect(use.dependencies).toMatchObject([{ id: make.id, name: 'make', artifacts_file: { size: 5 } }])
  expect(await (await runner.download(make.id, use.token)).text()).toBe('files')
  expect((await runner.download(make.id, other.token)).status).toBe(403)
})
