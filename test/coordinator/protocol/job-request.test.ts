import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'

import { expect, test } from 'vitest'

import { cancelPipeline } from '../../../src/coordinator/ci/engine/retry/cancel.js'
import { deferred } from '../../../src/lib/deferred.js'
import {
  type CiCoordinator,
  ciCoordinatorForFile,
  jobNamed,
  pushPipeline,
  startCiCoordinator,
} from '../support/ci-coordinator.js'
import { nextHeld } from '../support/next-held.js'
import { INFO, RunnerClient, send } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()
/** Holds requests. */
const openPatient = ciCoordinatorForFile({ longPollSeconds: 30 })

const ONE_JOB = 'build: { script: [make] }'

test('a runner is given a pending job with 201 and JSON', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const response = await runner.request()
  expect(response.status).toBe(201)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-gitlab-last-update')).toBeNull()
  const payload = (await response.json()) as { id: number; token: string }
  const job = await jobNamed(coordinator, 'build')
  expect(payload).toMatchObject({ id: job.id, token: expect.stringMatching(/^glcbt-[\w-]{20}$/) as string })
  expect(job).toMatchObject({ status: 'running', timeout: 3600 })
})

test('without a job the response is 204 without a body, with a value for the next request', async () => {
  const runner = await RunnerClient.register(await openCoordinator())
  const response = await runner.request()
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  expect(response.headers.get('x-gitlab-last-update')).toMatch(/^[0-9a-f]{32}$/)
  expect(response.headers.get('gitlab-ci-builds-polling')).toBeNull()
})

test('the token may be in the header alone, or in the body alone', async () => {
  const coordinator = await openCoordinator()
  const { token } = await RunnerClient.register(coordinator)
  const headers = { 'runner-token': token }
  expect((await send(coordinator.url, 'POST', '/jobs/request', { info: INFO }, { headers })).status).toBe(204)
  expect((await send(coordinator.url, 'POST', '/jobs/request', { info: INFO, token })).status).toBe(204)
})

test('an old runner without system id is remembered as one machine', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await runner.request({ system_id: undefined })
  const [manager] = await coordinator.database.selectFrom('runner_manager').selectAll().execute()
  expect(manager?.system_id).toBe('<legacy>')
})

test('an unknown token is 403, a missing one 400', async () => {
  const { url } = await openCoordinator()
  expect((await send(url, 'POST', '/jobs/request', { token: 'unknown', info: INFO })).status).toBe(403)
  expect((await send(url, 'POST', '/jobs/request', { info: INFO })).status).toBe(400)
})

test('a paused runner receives no jobs', async () => {
  const coordinator = await openPatient()
  const runner = await RunnerClient.register(coordinator, { paused: true })
  await pushPipeline(coordinator, ONE_JOB)
  const first = await runner.request()
  expect(first.status).toBe(204)
  const again = await runner.request({ last_update: first.headers.get('x-gitlab-last-update') })
  expect(again.status).toBe(204)
})

test('a runner without the tag is not given the job, the one that has it is', async () => {
  const coordinator = await openCoordinator()
  const plain = await RunnerClient.register(coordinator)
  const tagged = await RunnerClient.register(coordinator, { tag_list: 'gpu,linux' })
  await pushPipeline(coordinator, 'train: { script: [go], tags: [gpu] }')
  expect((await plain.request()).status).toBe(204)
  expect((await tagged.request()).status).toBe(201)
})

test('a job that needs a feature the runner lacks fails as unsupported', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [a], artifacts: { paths: [a], exclude: [b] } }')
  expect((await runner.request({ info: { ...INFO, features: {} } })).status).toBe(204)
  expect(await jobNamed(coordinator, 'build')).toMatchObject({
    status: 'failed',
    failure_reason: 'runner_unsupported',
  })
})

test('features that a request does not repeat are those the machine announced before', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await runner.request()
  await pushPipeline(coordinator, 'build: { script: [a], artifacts: { paths: [a], exclude: [b] } }')
  expect((await runner.request({ info: undefined })).status).toBe(201)
})

test('a request that has seen everything is held, and gets the job that comes', async () => {
  const coordinator = await openPatient()
  const runner = await RunnerClient.register(coordinator)
  const last_update = await runner.lastUpdate()
  const isHeld = nextHeld(coordinator)
  const held = runner.request({ last_update })
  await isHeld
  await pushPipeline(coordinator, ONE_JOB)
  const response = await held
  expect(response.status).toBe(201)
  expect(response.headers.get('gitlab-ci-builds-polling')).toBe('yes')
  expect(response.headers.get('x-gitlab-last-update')).toBeNull()
})

test('a request with an outdated value is served at once', async () => {
  const coordinator = await openPatient()
  const runner = await RunnerClient.register(coordinator)
  const response = await runner.request({ last_update: 'old' })
  expect(response.status).toBe(204)
  expect(response.headers.get('x-gitlab-last-update')).toMatch(/^[0-9a-f]{32}$/)
})

test('a request that was held in vain gets 204 without a value', async () => {
  const coordinator = await startCiCoordinator({ longPollSeconds: 0.05 })
  const runner = await RunnerClient.register(coordinator)
  const response = await runner.request({ last_update: await runner.lastUpdate() })
  expect(response.status).toBe(204)
  expect(response.headers.get('x-gitlab-last-update')).toBeNull()
  expect(response.headers.get('gitlab-ci-builds-polling')).toBe('yes')
})

test('a stopping coordinator serves its waiting requests', async () => {
  const coordinator = await startCiCoordinator({ longPollSeconds: 600 })
  const runner = await RunnerClient.register(coordinator)
  const last_update = await runner.lastUpdate()
  const isHeld = nextHeld(coordinator)
  const held = runner.request({ last_update })
  await isHeld
  coordinator.stop.abort()
  expect((await held).status).toBe(204)
})

test('one job wakes one of two held requests, the other stays held', async () => {
  const coordinator = await startCiCoordinator({ longPollSeconds: 30 })
  const runners = [await RunnerClient.register(coordinator), await RunnerClient.register(coordinator)]
  const held = []
  for (const runner of runners) {
    const last_update = await runner.lastUpdate()
    const isHeld = nextHeld(coordinator)
    held.push(runner.request({ last_update }))
    await isHeld
  }
  await pushPipeline(coordinator, ONE_JOB)
  expect((await Promise.race(held)).status).toBe(201)
  coordinator.stop.abort()
  const statuses = (await Promise.all(held)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 204])
})

test('a held request is not given a job that was canceled before it could take it', async () => {
  const coordinator = await openPatient()
  const runner = await RunnerClient.register(coordinator, { tag_list: 'gpu', run_untagged: false })
  const last_update = await runner.lastUpdate()
  const isHeld = nextHeld(coordinator)
  const held = runner.request({ last_update })
  await isHeld
  await cancelPipeline(coordinator.engine, await pushPipeline(coordinator, ONE_JOB))
  await pushPipeline(coordinator, 'train: { script: [go], tags: [gpu] }')
  const payload = (await (await held).json()) as { job_info: { name: string } }
  expect(payload.job_info.name).toBe('train')
})

test('a job whose payload cannot be built fails after two retries and does not block other jobs', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  const pipeline = await pushPipeline(coordinator, 'broken: { script: [a] }', {
    variables: [{ key: 'A', value: 'b', variable_type: 'env_var' }],
  })
  await coordinator.database
    .updateTable('pipeline_variable')
    .set({ value_encrypted: 'not a ciphertext' })
    .where('pipeline_id', '=', pipeline.id)
    .execute()
  await pushPipeline(coordinator, 'sound: { script: [a] }')
  expect((await runner.takeJob()).job_info.name).toBe('sound')
  expect((await runner.request()).status).toBe(204)
  const attempts = await coordinator.database
    .selectFrom('job')
    .select(['status', 'failure_reason'])
    .where('name', '=', 'broken')
    .execute()
  expect(attempts).toEqual(Array(3).fill({ status: 'failed', failure_reason: 'scheduler_failure' }))
})

test('a job does not fail because the database is away while its payload is made', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const { repositories } = coordinator
  const { readCommit } = repositories
  repositories.readCommit = () => {
    repositories.readCommit = readCommit.bind(repositories)
    throw Object.assign(new Error('getaddrinfo EAI_AGAIN postgres'), { code: 'EAI_AGAIN' })
  }
  expect((await runner.request()).status).toBe(503)
  expect((await untilTaken(runner)).job_info.name).toBe('build')
  const attempts = await coordinator.database.selectFrom('job').select('status').execute()
  expect(attempts).toEqual([{ status: 'running' }])
})

test('a job is not lost when its client vanishes before the response', async () => {
  const coordinator = await openCoordinator()
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, ONE_JOB)
  const { reached, release } = holdPayload(coordinator)

  const connection = connectionOf(coordinator)
  const abandoned = askAndForget(coordinator, runner)
  await reached
  expect((await jobNamed(coordinator, 'build')).status).toBe('running')
  abandoned.destroy()
  await closed(await connection)
  release()

  const job = await untilTaken(runner)
  expect(job.job_info.name).toBe('build')
  expect((await runner.update(job, 'running')).status).toBe(200)
})

test('a client that vanishes while its request is held takes no job with it', async () => {
  const coordinator = await startCiCoordinator({ longPollSeconds: 30 })
  const runner = await RunnerClient.register(coordinator)
  const last_update = await runner.lastUpdate()
  const connection = connectionOf(coordinator)
  const isHeld = nextHeld(coordinator)
  const abandoned = askAndForget(coordinator, runner, { last_update })
  await isHeld
  abandoned.destroy()
  await closed(await connection)
  await pushPipeline(coordinator, ONE_JOB)
  expect((await runner.request()).status).toBe(201)
})

/** Stops the making of the next payload, when the job has been claimed already. */
function holdPayload({ repositories }: CiCoordinator): { reached: Promise<void>; release: () => void } {
  const reached = deferred()
  const released = deferred()
  const { readCommit } = repositories
  repositories.readCommit = async (projectId, sha) => {
    repositories.readCommit = readCommit.bind(repositories)
    reached.resolve()
    await released.promise
    return repositories.readCommit(projectId, sha)
  }
  return { reached: reached.promise, release: () => released.resolve() }
}

function connectionOf({ app }: CiCoordinator): Promise<Socket> {
  return new Promise((resolve) => app.app.server.once('connection', resolve))
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

function askAndForget(
  { url }: CiCoordinator,
  { token }: RunnerClient,
  parameters: object = {},
): { destroy: () => void } {
  const asking = httpRequest(`${url}/jobs/request`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  })
  asking.on('error', () => undefined) // it is destroyed on purpose
  asking.end(JSON.stringify({ token, info: INFO, ...parameters }))
  return asking
}

/** Requests a job until there is one: it returns to the queue shortly after the payload was built. */
async function untilTaken(runner: RunnerClient) {
  for (;;) {
    const response = await runner.request()
    if (response.status === 201)
      return (await response.json()) as Awaited<ReturnType<RunnerClient['takeJob']>>
  }
}
