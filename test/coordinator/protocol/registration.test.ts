import { expect, test } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { ciCoordinatorForFile, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { INFO, RunnerClient, send } from '../support/runner-client.js'

const openCoordinator = ciCoordinatorForFile()

test('an instance registration token creates an instance runner with the given settings', async () => {
  const coordinator = await openCoordinator()
  const response = await send(coordinator.url, 'POST', '/runners', {
    token: coordinator.registrationToken,
    description: 'builder',
    tag_list: 'docker, linux,,docker',
    run_untagged: false,
    locked: true,
    access_level: 'ref_protected',
    maximum_timeout: 1200,
    paused: true,
    maintenance_note: 'mine',
    info: INFO,
  })
  expect(response.status).toBe(201)
  expect(response.headers.get('content-type')).toBe('application/json')
  const credentials = (await response.json()) as { id: number; token: string; token_expires_at: null }
  expect(credentials).toEqual({
    id: expect.any(Number) as number,
    token: expect.stringMatching(/^t1_[\w-]{20}$/) as string,
    token_expires_at: null,
  })
  const row = await coordinator.database.selectFrom('runner').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    id: credentials.id,
    runner_type: 'instance_type',
    description: 'builder',
    tag_list: ['docker', 'linux'],
    run_untagged: false,
    locked: true,
    access_level: 'ref_protected',
    maximum_timeout: 1200,
    active: false,
    maintenance_note: 'mine',
  })
  expect(JSON.stringify(row)).not.toContain(credentials.token)
})

test('the note of a runner is kept and shown, also under its former name', async () => {
  const { url, registrationToken: token, database } = await openCoordinator()
  const response = await send(url, 'POST', '/runners', {
    token,
    maintainer_note: 'Moves on Friday',
    info: INFO,
  })
  expect(response.status).toBe(201)
  expect(await database.selectFrom('runner').select('maintenance_note').executeTakeFirst()).toEqual({
    maintenance_note: 'Moves on Friday',
  })
})

test('a registration token of a project makes a runner of that project', async () => {
  const coordinator = await openCoordinator()
  const { projectRegistrationToken: token, database, project } = coordinator
  const response = await send(coordinator.url, 'POST', '/runners', { token, info: INFO })
  expect(response.status).toBe(201)
  const { runner_type } = await database.selectFrom('runner').selectAll().executeTakeFirstOrThrow()
  expect(runner_type).toBe('project_type')
  expect(await database.selectFrom('runner_project').selectAll().execute()).toMatchObject([
    { project_id: project.id },
  ])
})

test('an old runner says active instead of paused', async () => {
  const coordinator = await openCoordinator()
  await RunnerClient.register(coordinator, { active: false, run_untagged: true, locked: true })
  const row = await coordinator.database.selectFrom('runner').select('active').executeTakeFirstOrThrow()
  expect(row.active).toBe(false)
})

const withoutRunners = openForFile(() => startCiCoordinator())

test.each([
  [{ token: 'wrong' }, 403, { message: '403 Forbidden - invalid token supplied' }],
  [{ token: undefined }, 400, { error: 'token is missing' }],
  [
    { run_untagged: false },
    400,
    { message: { tags_list: ['can not be empty when runner is not allowed to pick untagged jobs'] } },
  ],
  [{ maximum_timeout: 599 }, 400, { message: { maximum_timeout: ['needs to be at least 10 minutes'] } }],
  [{ access_level: 'all' }, 400, { error: 'access_level does not have a valid value' }],
  [{ active: true, paused: true }, 400, { error: 'active, paused are mutually exclusive' }],
])('a registration with %j is refused', async (parameters, status, body) => {
  const { url, registrationToken } = withoutRunners()
  const response = await send(url, 'POST', '/runners', {
    token: registrationToken,
    info: INFO,
    ...parameters,
  })
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual(body)
})

test('a runner is verified by its token, and its machine is remembered', async () => {
  const coordinator = await openCoordinator()
  const { token } = await RunnerClient.register(coordinator)
  const system_id = 's_0123456789ab'
  const response = await send(coordinator.url, 'POST', '/runners/verify', { token, system_id, info: INFO })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ id: expect.any(Number) as number, token, token_expires_at: null })
  const [manager] = await coordinator.database.selectFrom('runner_manager').selectAll().execute()
  expect(manager).toMatchObject({
    system_id,
    version: '19.3.0',
    revision: 'abcdef01',
    platform: 'linux',
    architecture: 'amd64',
    executor: 'docker',
    features: INFO.features,
    ip_address: '127.0.0.1',
  })
  const runner = await coordinator.database.selectFrom('runner').selectAll().executeTakeFirstOrThrow()
  expect(runner.contacted_at).not.toBeNull()
})

test('a runner whose token is only in the header is verified too', async () => {
  const coordinator = await openCoordinator()
  const { token } = await RunnerClient.register(coordinator)
  const response = await send(
    coordinator.url,
    'POST',
    '/runners/verify',
    {},
    { headers: { 'runner-token': token } },
  )
  expect(response.status).toBe(200)
})

test.each(['POST /runners/verify', 'DELETE /runners', 'POST /runners/reset_authentication_token'])(
  '%s with an unknown token is 403',
  async (route) => {
    const { url } = await openCoordinator()
    const [method = '', path = ''] = route.split(' ')
    const response = await send(url, method, path, { token: 'unknown' })
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({ message: '403 Forbidden' })
  },
)

test('an unregistered runner is deleted', async () => {
  const coordinator = await openCoordinator()
  const { token } = await RunnerClient.register(coordinator)
  const removed = await send(coordinator.url, 'DELETE', '/runners', { token })
  expect(removed.status).toBe(204)
  expect(await removed.text()).toBe('')
  expect((await send(coordinator.url, 'POST', '/runners/verify', { token })).status).toBe(403)
})

test('one machine of a runner can be removed, the runner stays', async () => {
  const coordinator = await openCoordinator()
  const { url } = coordinator
  const { token } = await RunnerClient.register(coordinator)
  // Runners before 19.3 tell nothing of themselves here; one that unregisters at once has done no other call.
  await send(url, 'POST', '/runners/verify', { token, system_id: 's_a' })
  expect((await send(url, 'DELETE', '/runners/managers', { token })).status).toBe(400)
  expect((await send(url, 'DELETE', '/runners/managers', { token: 'x', system_id: 's_a' })).status).toBe(403)
  expect((await send(url, 'DELETE', '/runners/managers', { token, system_id: 's_a' })).status).toBe(204)
  expect((await send(url, 'DELETE', '/runners/managers', { token, system_id: 's_a' })).status).toBe(404)
  expect((await send(url, 'POST', '/runners/verify', { token })).status).toBe(200)
})

test('a new authentication token replaces the old one', async () => {
  const coordinator = await openCoordinator()
  const { token } = await RunnerClient.register(coordinator)
  const response = await send(coordinator.url, 'POST', '/runners/reset_authentication_token', { token })
  expect(response.status).toBe(201)
  const fresh = (await response.json()) as { token: string; token_expires_at: null }
  expect(fresh.token_expires_at).toBeNull()
  expect((await send(coordinator.url, 'POST', '/runners/verify', { token })).status).toBe(403)
  expect((await send(coordinator.url, 'POST', '/runners/verify', { token: fresh.token })).status).toBe(200)
})

test('a runner reads how many waiting jobs it may take, and is online by that', async () => {
  const coordinator = await startCiCoordinator()
  const linux = await RunnerClient.register(coordinator, { tag_list: 'linux' })
  const other = await RunnerClient.register(coordinator, { tag_list: 'windows', run_untagged: false })
  await pushPipeline(
    coordinator,
    'a: { script: [x], tags: [linux] }\nb: { script: [x], tags: [linux] }\nc: { script: [x] }\nd: { script: [x], tags: [windows, gpu] }',
  )
  const countOf = async (token: string) => {
    const headers = { 'runner-token': token }
    const response = await fetch(`${coordinator.url}/runners/queue/own?system_id=s_0123456789ab`, { headers })
    return [response.status, await response.json()]
  }
  expect(await countOf(linux.token)).toEqual([200, { count: 3 }])
  expect(await countOf(other.token)).toEqual([200, { count: 0 }])
  expect((await countOf('wrong'))[0]).toBe(403)
  const contacts = await coordinator.database.selectFrom('runner').select('contacted_at').execute()
  expect(contacts.map(({ contacted_at }) => contacted_at !== null)).toEqual([true, true])
})

test('there is no job router', async () => {
  const { url } = await openCoordinator()
  expect((await fetch(`${url}/runners/router/discovery`)).status).toBe(501)
})
