import { expect, test } from 'vitest'

import { jobPayload } from '../../support/job-payload.js'
import { runnerUnderTest } from '../../support/running-runner.js'

test('a runner whose engine goes away ends its open request, and takes jobs when the engine is back', async () => {
  const { coordinator, executor, runner } = await runnerUnderTest()
  await coordinator.until(() => coordinator.openRequests === 1)
  executor.disconnect('The engine is away.')
  await coordinator.until(() => coordinator.openRequests === 0)
  coordinator.offer(jobPayload())
  const [health] = await runner.health()
  expect(health?.engineProblem).toBe('The engine is away.')
  const requests = coordinator.callsOf('request').length
  expect(coordinator.finalUpdate(124)).toBeUndefined()
  expect(coordinator.callsOf('request')).toHaveLength(requests)
  executor.problem = undefined
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)?.state).toBe('success')
})

test('a runner that is stopped right after its settings have changed stops', async () => {
  const { coordinator, runner, settings } = await runnerUnderTest()
  await coordinator.until(() => coordinator.openRequests === 1)
  runner.apply({ ...settings, runners: settings.runners.map((entry) => ({ ...entry, limit: 3 })) })
  await coordinator.until(() => runner.entries()[0]?.limit === 3)
  await runner.stopGracefully()
  expect(coordinator.openRequests).toBe(0)
})

test('a runner that starts without its engine requests no job before the engine responds', async () => {
  const { coordinator, executor, runner } = await runnerUnderTest({
    prepareExecutor: (executor) => executor.disconnect('The engine is away.'),
  })
  coordinator.offer(jobPayload())
  await runner.health()
  expect(coordinator.callsOf('request')).toEqual([])
  executor.problem = undefined
  await coordinator.until(() => coordinator.finalUpdate(124)?.state === 'success')
})
