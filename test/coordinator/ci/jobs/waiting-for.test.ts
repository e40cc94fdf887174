import { expect, test } from 'vitest'

import { jobNamed, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson, type Person } from '../../support/test-app.js'

test('jobs of lists and single ones have their pending reason and queue position', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, project } = coordinator
  const client = await RunnerClient.register(coordinator, { tag_list: 'docker' })
  const pipeline = await pushPipeline(
    coordinator,
    'running: { script: x }\nwaiting: { script: x }\nnext: { script: x }\ntagged: { script: x, tags: [gpu] }\nlater: { script: x, when: manual }',
  )
  await client.takeJob()
  const busy = 'The only suitable runner is busy'
  const list = await app.call(admin, `GET /projects/${project.id}/pipelines/${pipeline.id}/jobs`)
  const records = list.json<{ name: string; waiting_for?: object }[]>()
  expect(Object.fromEntries(records.map(({ name, waiting_for }) => [name, waiting_for]))).toEqual({
    running: undefined,
    waiting: { reason: 'busy', message: `${busy}; the job is number 1 in the queue.`, queue_position: 1 },
    next: { reason: 'busy', message: `${busy}; the job is number 2 in the queue.`, queue_position: 2 },
    tagged: {
      reason: 'missing_tags',
      message: 'No runner of this project has the tag "gpu".',
      missing_tags: ['gpu'],
    },
    later: undefined,
  })
  const waiting = await jobNamed(coordinator, 'waiting')
  expect((await app.call(admin, `GET /projects/${project.id}/jobs/${waiting.id}`)).json()).toMatchObject({
    waiting_for: {
      reason: 'busy',
      message: `${busy}; the job is number 1 in the queue.`,
      queue_position: 1,
    },
  })
})

test('a job names the job that holds its resource', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, project } = coordinator
  await pushPipeline(coordinator, 'deploy: { script: x, resource_group: production }')
  const holder = await jobNamed(coordinator, 'deploy')
  await pushPipeline(coordinator, 'deploy: { script: x, resource_group: production }')
  const { id } = await jobNamed(coordinator, 'deploy')
  expect((await app.call(admin, `GET /projects/${project.id}/jobs/${id}`)).json()).toMatchObject({
    status: 'waiting_for_resource',
    waiting_for: {
      reason: 'resource_group',
      message: `Waits for the resource group "production", which job ${holder.id} has.`,
    },
  })
})

test('the details of a job name its runners to those who manage them, and belong to trigger jobs too', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, database, project } = coordinator
  await RunnerClient.register(coordinator, { tag_list: 'docker' })
  await pushPipeline(
    coordinator,
    'work: { script: x, tags: [docker] }\nstart: { trigger: { include: [{ local: child.yml }] } }',
  )
  const developer = await addPerson(database, 'dev')
  await database
    .insertInto('member')
    .values({ project_id: project.id, user_id: developer.id, access_level: 30, created_at: 0 })
    .execute()
  const read = async (as: Person, name: string, query = '?with_details=true') => {
    const { id } = await jobNamed(coordinator, name)
    return app.call(as, `GET /projects/${project.id}/jobs/${id}${query}`)
  }
  expect((await read(admin, 'work')).json()).toMatchObject({
    name: 'work',
    pipeline: { project_id: project.id },
    attempts: [{ status: 'pending' }],
    waiting: { matching: { total: 1 }, runners: [{ running_jobs: 0 }] },
  })
  expect((await read(developer, 'work')).json<{ waiting: object }>().waiting).not.toHaveProperty('runners')
  expect((await read(admin, 'work', '')).json()).not.toHaveProperty('attempts')
  expect((await read(admin, 'start')).json()).toMatchObject({ kind: 'trigger', downstream_pipeline: null })
  expect((await read(admin, 'start', '')).statusCode).toBe(404)
})
