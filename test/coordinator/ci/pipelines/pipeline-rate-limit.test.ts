import { expect, test } from 'vitest'

import { DEFAULT_PIPELINE_LIMITS } from '../../../../src/coordinator/ci/engine/pipeline-limits.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'

const FILE = 'again: { script: [trigger] }'
const TOO_MANY = 'Too many pipelines created in the last minute. Try again later.'

async function start(pipelinesPerMinute: number) {
  const coordinator = await startCiCoordinator()
  coordinator.engine.limits = { ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute }
  coordinator.repositories.ciFile = FILE
  const { app, admin, project } = coordinator
  const post = (path: string, body: object) => app.call(admin, `POST /projects/${project.id}${path}`, body)
  return { coordinator, post }
}

test('over the limit the API returns 429 and says when to try again', async () => {
  const { coordinator, post } = await start(2)
  for (let count = 0; count < 2; count++) {
    expect((await post('/pipeline', { ref: 'main' })).statusCode).toBe(201)
  }
  const { statusCode, headers, body } = await post('/pipeline', { ref: 'main' })
  expect(statusCode).toBe(429)
  expect(JSON.parse(body)).toEqual({ message: { error: TOO_MANY } })
  expect(headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' })
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  const schedule = await post('/pipeline_schedules', { ref: 'main', description: 'x', cron: '0 1 * * *' })
  const { id } = schedule.json<{ id: number }>()
  expect((await post(`/pipeline_schedules/${id}/play`, {})).statusCode).toBe(429)
  const { token } = (await post('/triggers', { description: 'x' })).json<{ token: string }>()
  expect((await post('/trigger/pipeline', { ref: 'main', token })).statusCode).toBe(429)
  const rows = await coordinator.database.selectFrom('pipeline').select('id').execute()
  expect(rows).toHaveLength(2)
})

test('a retry of a pipeline is not refused over the limit', async () => {
  const { coordinator, post } = await start(1)
  const pipeline = await pushPipeline(coordinator, FILE)
  const runner = await RunnerClient.register(coordinator)
  await runner.update(await runner.takeJob(), 'failed', { failure_reason: 'script_failure' })
  expect((await post(`/pipelines/${pipeline.id}/retry`, {})).statusCode).toBe(201)
})

test('a job that starts a pipeline of its own project in every pipeline comes to an end', async () => {
  const { coordinator, post } = await start(5)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, FILE)
  const responses: number[] = []
  while (responses.at(-1) !== 429 && responses.length < 10) {
    const job = await runner.takeJob()
    const { statusCode } = await post('/trigger/pipeline', { ref: 'main', token: job.token })
    responses.push(statusCode)
    await runner.update(job, statusCode === 201 ? 'success' : 'failed', { failure_reason: 'script_failure' })
  }
  expect(responses).toEqual([201, 201, 201, 201, 429])
  expect((await runner.request()).status).toBe(204)
})
