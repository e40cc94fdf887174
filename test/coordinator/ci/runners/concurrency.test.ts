import { expect, test } from 'vitest'

import { concurrencyOf } from '../../../../src/coordinator/ci/runners/concurrency.js'
import { runnerInfo } from '../../../../src/runner/client/runner-info.js'
import { openForFile } from '../../../support/lifetime.js'
import { startCiCoordinator } from '../../support/ci-coordinator.js'
import { INFO, RunnerClient } from '../../support/runner-client.js'

const scene = openForFile(() => startCiCoordinator())

test('a list of runners says how many jobs the machines of each run at a time', async () => {
  const coordinator = scene()
  const client = await RunnerClient.register(coordinator)
  const read = async () => {
    const list = await coordinator.app.call(coordinator.admin, 'GET /runners/all?with_details=true')
    return list.json<{ concurrency: number | null }[]>()[0]?.concurrency
  }
  expect(await read()).toBeNull()
  await client.request({ system_id: 's_one', info: runnerInfo({ executor: 'docker', concurrency: 4 }) })
  await client.request({ system_id: 's_two', info: runnerInfo({ executor: 'docker', concurrency: 2 }) })
  expect(await read()).toBe(6)
  await client.request({ system_id: 's_reference', info: INFO })
  expect(await read()).toBeNull()
})

test.each([
  [[], null],
  [[{ gpus: '' }], null],
  [[{ concurrency: 3 }, { concurrency: 0 }], 3],
  [[{ concurrency: 3 }, {}], null],
  [[{ concurrency: '3' }], null],
  [[{ concurrency: -1 }], null],
  [[{ concurrency: 1e300 }], null],
])('machines that report %j have the concurrency %j', (configs, concurrency) => {
  expect(concurrencyOf(configs)).toBe(concurrency)
})
