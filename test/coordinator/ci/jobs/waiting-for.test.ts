import { expect, test } from 'vitest'

import { jobNamed, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'

test('the record of a single job has its pending reason and queue position', async () => {
  const coordinator = await startCiCoordinator()
  const { app, admin, project } = coordinator
  const client = await RunnerClient.register(coordinator, { tag_list: 'docker' })
  const pipeline = await pushPipeline(
    coordinator,
    'running: { script: x }\nwaiting: { script: x }\ntagged: { script: x, tags: [gpu] }\nlater: { script: x, when: manual }',
  )
  await client.takeJob()
  const busy = 'The only suitable runner is busy'
  const list = await app.call(admin, `GET /projects/${project.id}/pipelines/${pipeline.id}/jobs`)
  const records = list.json<{ name: string; waiting_for?: object }[]>()
  expect(Object.fromEntries(records.map(({ name, waiting_for }) => [name, waiting_for]))).toEqual({
    running: undefined,
    waiting: { reason: 'busy', message: `${busy}.` },
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
