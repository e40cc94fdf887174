import { expect, test } from 'vitest'

import type { EngineDeps } from '../../../src/coordinator/ci/engine/engine-deps.js'
import { renamePipeline } from '../../../src/coordinator/ci/engine/pipeline-store.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { observedTrail } from '../../../src/coordinator/live/audited-changes.js'
import { finishTodosOf, insertTodos } from '../../../src/coordinator/planning/stores/todo-store.js'
import { testAtNight } from '../../support/nightly.js'
import { runBridgeTasks } from '../ci/engine/support/downstream.js'
import { addProject } from '../ci/engine/support/records.js'
import { type CiCoordinator, jobNamed, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { LiveClient } from '../support/live-client.js'
import { RunnerClient } from '../support/runner-client.js'
import { addPerson, type Person } from '../support/test-app.js'

const ONE_JOB = 'build: { script: [make] }'
/** A version that nothing in a test is newer than. */
const LATER = Date.now() + 3_600_000

async function addMember(
  { database }: CiCoordinator,
  projectId: number,
  person: Person,
  level = 20,
): Promise<void> {
  await database
    .insertInto('member')
    .values({ project_id: projectId, user_id: person.id, access_level: level, created_at: Date.now() })
    .execute()
}

test('a pipeline that is renamed or deleted reaches its streams', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, app, database, project } = coordinator
  const { id } = await pushPipeline(coordinator, ONE_JOB)
  const client = await LiveClient.open(coordinator, { as: admin, topics: `pipeline/${id}` })
  await client.next('hello')
  await renamePipeline(database, id, 'renamed')
  await client.next('pipeline', ({ name }) => name === 'renamed')
  await app.call(admin, `DELETE /projects/${project.id}/pipelines/${id}`)
  expect((await client.next('pipeline-deleted')).data).toEqual({ id, project_id: project.id })
})

testAtNight('a log that is erased ends, and its job has changed', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, app, project } = coordinator
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const job = await runner.takeJob()
  await runner.patch(job, '0-3', 'text')
  await runner.update(job, 'success')
  const client = await LiveClient.open(coordinator, { as: admin, topics: `job/${job.id},trace/${job.id}/0` })
  expect((await client.next('trace-end')).data).toEqual({
    job_id: job.id,
    bytes: 4,
    missing_bytes: 0,
    erased: false,
  })
  await app.call(admin, `POST /projects/${project.id}/jobs/${job.id}/erase`)
  await client.until(() => client.events.some(({ data }) => 'erased' in data && data.erased))
  await client.until(() => client.events.some(({ data }) => 'erased_at' in data && data.erased_at !== null))
})

testAtNight('a status that another system reports reaches the streams of its pipeline', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, app, project } = coordinator
  const pipeline = await pushPipeline(coordinator, ONE_JOB)
  const client = await LiveClient.open(coordinator, {
    as: admin,
    topics: `pipeline/${pipeline.id}`,
    cursor: `p${pipeline.id}=${LATER}`,
  })
  await client.next('hello')
  const route = `POST /projects/${project.id}/statuses/${pipeline.sha}`
  expect((await app.call(admin, route, { state: 'running', name: 'scan' })).statusCode).toBe(201)
  const { data } = await client.next('jobs', ({ jobs }) => jobs.some(({ kind }) => kind === 'external'))
  expect(data.jobs).toMatchObject([{ name: 'scan', status: 'running', kind: 'external' }])
})

test('a user follows the pipelines that the user started, and may still read', async () => {
  const coordinator = await startCiCoordinator()
  const { database, project } = coordinator
  const mary = await addPerson(database, 'mary')
  await addMember(coordinator, project.id, mary, 30)
  const client = await LiveClient.open(coordinator, { as: mary, topics: 'me' })
  await client.next('hello')
  await pushPipeline(coordinator, ONE_JOB)
  const own = await pushPipeline(coordinator, ONE_JOB, { user: mary })
  await client.next('pipeline', ({ id }) => id === own.id)
  await database.deleteFrom('member').execute()
  await renamePipeline(database, own.id, 'hidden')
  const open = await addProject(database, mary)
  await addMember(coordinator, open.id, mary, 30)
  const last = await pushPipeline(coordinator, ONE_JOB, { user: mary, project: open })
  await client.next('pipeline', ({ id }) => id === last.id)
  const received = client.events.flatMap(({ name, data }) => (name === 'pipeline' ? [data] : []))
  expect([...new Set(received.map((data) => 'id' in data && data.id))]).toEqual([own.id, last.id])
  expect(JSON.stringify(received)).not.toContain('hidden')
})

test('a user receives the number of pending to-do items when it changes', async () => {
  const coordinator = await startCiCoordinator()
  const { database, project } = coordinator
  const mary = await addPerson(database, 'mary')
  await addMember(coordinator, project.id, mary, 10)
  const client = await LiveClient.open(coordinator, { as: mary, topics: 'me' })
  await client.next('hello')
  const { id } = await database
    .insertInto('issue')
    .values({
      project_id: project.id,
      iid: 1,
      title: 'a',
      author_id: mary.id,
      created_at: 0,
      updated_at: 0,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  const target = { table: 'issue', id, project_id: project.id } as const
  await inTransaction(database, (tx) =>
    insertTodos(tx, target, { userIds: [mary.id], authorId: mary.id, action: 'marked' }),
  )
  expect((await client.next('todos')).data).toEqual({ count: 1 })
  await inTransaction(database, (tx) => finishTodosOf(tx, mary.id, []))
  expect((await client.next('todos')).data).toEqual({ count: 0 })
})

test('runners that are seen, paused or busy, and their queue, reach the streams that may see them', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, app, database, project } = coordinator
  const other = await addProject(database, admin, { shared_runners_enabled: false })
  const all = await LiveClient.open(coordinator, {
    as: admin,
    topics: `runners,runners/group/${project.namespace_id}`,
  })
  const ofProject = await LiveClient.open(coordinator, { as: admin, topics: `runners/project/${project.id}` })
  const ofOther = await LiveClient.open(coordinator, { as: admin, topics: `runners/project/${other.id}` })
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'a: { script: [x] }\nb: { script: [x] }')
  await ofProject.next('queue', ({ length }) => length === 2)
  const group = `runners/group/${project.namespace_id}`
  await all.until(() =>
    ['runners', group].every((topic) =>
      all.events.some(({ data }) => 'length' in data && data.topic === topic && data.length === 2),
    ),
  )
  const job = await runner.takeJob()
  const busy = await ofProject.next('runner', ({ running_jobs }) => running_jobs === 1)
  expect(busy.data).toMatchObject({ paused: false, online: true, job_execution_status: 'active' })
  await ofProject.next('queue', ({ length }) => length === 1)
  await runner.update(job, 'success')
  const { data } = await ofProject.next('runner', ({ running_jobs }) => running_jobs === 0)
  expect(data.contacted_at).not.toBeNull()
  await app.call(admin, `PUT /runners/${data.id}`, { paused: true })
  await ofProject.next('runner', ({ paused }) => paused)
  await app.call(admin, `DELETE /runners/${data.id}`)
  expect((await ofProject.next('runner-deleted')).data).toEqual({ id: data.id })
  expect((await all.next('runner-deleted')).data).toEqual({ id: data.id })
  await ofOther.next('runner-deleted')
  expect(ofOther.events.map(({ name }) => name)).not.toContain('runner')
})

test('a change of the settings of a project is reported, one of an object in it is not', async () => {
  const changes: unknown[] = []
  const trail = observedTrail({ begin: async () => 1, finish: async () => {} }, (changed) =>
    changes.push(changed),
  )
  const event = (operation: string, target_id: number) => ({
    author_id: 1,
    entity_type: 'Project' as const,
    entity_id: 5,
    details: { operation, target_id },
  })
  await trail.finish(1, [event('PUT /projects/:id', 5), event('POST /projects/:id/archive', 5)])
  await trail.finish(1, [event('POST /projects/:id/jobs/:job_id/retry', 6)])
  await trail.finish(1, [event('PUT /runners/:id', 7), event('DELETE /projects/:id/runners/:runner_id', 8)])
  await trail.finish(1, [event('POST /projects/:id/runners/reset_registration_token', 5)])
  expect(changes).toEqual([{ projects: [5] }, { projects: [5] }, {}, { runners: [7] }, { runners: [8] }, {}])
})

test('a pipeline of another project is shown to the viewers who may read it, with its status', async () => {
  const coordinator = await startCiCoordinator()
  const { admin, database, project, repositories } = coordinator
  const engine: EngineDeps = coordinator.engine
  const other = await addProject(database, admin)
  repositories.files.set(`${other.id}:.gitlab-ci.yml`, 'work: { script: [x] }')
  const rita = await addPerson(database, 'rita')
  await addMember(coordinator, project.id, rita)
  const pipeline = await pushPipeline(
    coordinator,
    `start: { trigger: { project: ${other.full_path}, strategy: depend } }`,
  )
  const topics = `pipeline/${pipeline.id}`
  const [seeing, blind] = [
    await LiveClient.open(coordinator, { as: admin, topics }),
    await LiveClient.open(coordinator, { as: rita, topics }),
  ]
  await runBridgeTasks(engine)
  const runner = await RunnerClient.register(coordinator)
  const job = await runner.takeJob()
  await seeing.next('jobs', ({ jobs }) => jobs.some(({ downstream }) => downstream?.status === 'running'))
  await runner.update(job, 'success')
  await runBridgeTasks(engine)
  const ended = ({ jobs }: { jobs: { status: string }[] }) => jobs.some(({ status }) => status === 'success')
  expect((await seeing.next('jobs', ended)).data.jobs).toMatchObject([
    { downstream: { project_path: other.full_path } },
  ])
  expect((await blind.next('jobs', ended)).data.jobs).toMatchObject([{ downstream: null }])
  expect(JSON.stringify(blind.events)).not.toContain(other.full_path)
  expect((await jobNamed(coordinator, 'start')).status).toBe('success')
})
