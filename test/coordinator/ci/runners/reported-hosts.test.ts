import { expect, test } from 'vitest'

import { reportedHosts } from '../../../../src/coordinator/ci/runners/reported-hosts.js'
import { CoordinatorClient } from '../../../../src/runner/client/coordinator-client.js'
import { runnerInfo } from '../../../../src/runner/client/runner-info.js'
import { reportedState } from '../../../../src/runner/registrations/reported-state.js'
import { openForFile } from '../../../support/lifetime.js'
import { testAtNight } from '../../../support/nightly.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'

const scene = openForFile(() => startCiCoordinator())

const NEVER = new AbortController().signal

const HOST = {
  name: 'build-2',
  state: 'online' as const,
  address: 'ssh://ci@build-2',
  running: 2,
  concurrent: 4,
  weight: 3,
  lastError: { message: 'It was away.', at: 0 },
}

test('the machines of a runner show the Docker hosts that they reported last', async () => {
  const coordinator = scene()
  const client = await RunnerClient.register(coordinator)
  const capacity = { jobs: 4, onChange: () => () => {} }
  const state = reportedState({ capacity, hosts: () => [HOST] }, 10)
  expect(state.concurrency).toBe(4)
  await client.request({ system_id: 's_one', info: runnerInfo({ executor: 'docker-hosts', ...state }) })
  await client.request({ system_id: 's_two', info: runnerInfo({ executor: 'docker', concurrency: 2 }) })
  const runners = await coordinator.app.call(coordinator.admin, 'GET /runners/all')
  const id = runners.json<{ id: number }[]>()[0]?.id
  const managers = await coordinator.app.call(coordinator.admin, `GET /runners/${id}/managers`)
  const list = managers.json<{ system_id: string; hosts: unknown[] }[]>()
  const shown = Object.fromEntries(list.map(({ system_id: system, hosts }) => [system, hosts]))
  const { address: _, lastError: __, ...facts } = HOST
  expect(shown).toEqual({
    s_one: [{ ...facts, error: 'It was away.', error_at: '1970-01-01T00:00:00.000Z' }],
    s_two: [],
  })
})

testAtNight('a runner that requests no job reports its hosts nevertheless', async () => {
  const coordinator = scene()
  const { token } = await RunnerClient.register(coordinator)
  let running = 2
  const state = () =>
    reportedState(
      { capacity: { jobs: 4, onChange: () => () => {} }, hosts: () => [{ ...HOST, running }] },
      10,
    )
  const client = new CoordinatorClient({
    url: new URL(coordinator.url).origin,
    token,
    systemId: 's_full',
    state,
  })
  await client.requestJob({ mayBeHeld: false, signal: NEVER })
  expect(client.hasUnreportedState).toBe(false)
  running = 4
  expect(client.hasUnreportedState).toBe(true)
  await client.reportState(NEVER)
  expect(client.hasUnreportedState).toBe(false)
  const { config } = await coordinator.database
    .selectFrom('runner_manager')
    .select('config')
    .where('system_id', '=', 's_full')
    .executeTakeFirstOrThrow()
  expect(reportedHosts(config)).toMatchObject([{ name: 'build-2', running: 4 }])
  await client.close()
})

test('what a runner reports as hosts is bounded, and what is none is left out', () => {
  const host = {
    name: 'a',
    state: 'online',
    running: 0,
    concurrent: 1,
    weight: 1,
    error: null,
    error_at: null,
  }
  expect(reportedHosts({})).toEqual([])
  expect(reportedHosts({ hosts: 'many' })).toEqual([])
  expect(reportedHosts({ hosts: [host, null, { ...host, running: '1' }] })).toEqual([host])
  const loud = { ...host, error: 'x'.repeat(10_000), error_at: 'yesterday' }
  expect(reportedHosts({ hosts: [loud] })).toEqual([{ ...host, error: 'x'.repeat(200) }])
  expect(reportedHosts({ hosts: Array.from({ length: 1000 }, () => host) })).toHaveLength(50)
})
