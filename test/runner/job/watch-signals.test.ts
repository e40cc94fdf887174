import { expect, test } from 'vitest'

import { jobPayload } from '../../support/job-payload.js'
import { runnerUnderTest } from '../../support/running-runner.js'

const SILENT = jobPayload({
  features: { job_signals: true },
  steps: [
    { name: 'script', script: ['echo begun', 'sleep 600'] },
    { name: 'after_script', script: ['echo status=$CI_JOB_STATUS'] },
  ],
})

/** A silent job under way at a coordinator that tells of a cancel nowhere but in held requests. */
async function silentJob(payload = SILENT) {
  const { coordinator } = await runnerUnderTest()
  coordinator.traceInterval = 900
  coordinator.offer(payload)
  await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
  const known = () => coordinator.callsOf('signals').map(({ path }) => path.replace(/.*status=/, ''))
  return { coordinator, known, isOver: () => coordinator.finalUpdate(124) !== undefined }
}

test('a silent job is notified of its cancel at once and ends gracefully', async () => {
  const { coordinator, known, isOver } = await silentJob()
  await coordinator.until(() => known().length === 1)
  coordinator.signal(124, 'canceling')
  await coordinator.until(isOver)
  expect(coordinator.trace(124)).toContain('status=canceled\n')
  expect(known()).toEqual(['running', 'canceling'])
})

test('a job whose log somebody begins to read learns of it at once, and holds the next request', async () => {
  const { coordinator, isOver } = await silentJob()
  const asked = () => coordinator.callsOf('signals').map(({ path }) => /watched=(\w+)/.exec(path)?.[1])
  await coordinator.until(() => asked().length === 1)
  coordinator.watch()
  await coordinator.until(() => asked().length === 2)
  expect(asked()).toEqual(['false', 'true'])
  coordinator.signal(124, 'canceling')
  await coordinator.until(isOver)
})

test('a forced cancel ends the after-script too', async () => {
  const steps = [
    { name: 'script', script: ['echo begun', 'sleep 600'] },
    { name: 'after_script', script: ['echo after', 'sleep 600'] },
  ]
  const { coordinator, isOver } = await silentJob({ ...SILENT, steps })
  coordinator.signal(124, 'canceling')
  await coordinator.until(() => coordinator.trace(124).includes('\nafter\n'))
  coordinator.signal(124, 'canceled')
  await coordinator.until(isOver)
})

test('a failed request is repeated', async () => {
  const { coordinator } = await runnerUnderTest()
  coordinator.traceInterval = 900
  coordinator.misbehave('signals', 'cut', { status: 204 }, 'done-then-cut', { status: 400 })
  coordinator.offer(SILENT)
  await coordinator.until(() => coordinator.callsOf('signals').length === 3)
  coordinator.signal(124, 'canceling')
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.callsOf('signals').length).toBeGreaterThanOrEqual(5)
})

test('a coordinator without the endpoint is not called again, and the heartbeat reports the cancel', async () => {
  const { coordinator } = await runnerUnderTest({ timings: { heartbeat: 200 } })
  coordinator.traceInterval = 900
  coordinator.misbehave('signals', { status: 404 })
  coordinator.offer(SILENT)
  await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
  coordinator.jobStatus.set(124, 'canceling')
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.callsOf('signals')).toHaveLength(1)
})

test('a coordinator without the feature is not called', async () => {
  const { coordinator } = await runnerUnderTest()
  coordinator.offer(jobPayload())
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.callsOf('signals')).toEqual([])
})

test('the request is aborted when the job ends', async () => {
  const { coordinator } = await runnerUnderTest()
  coordinator.offer(jobPayload({ features: { job_signals: true } }))
  await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  expect(coordinator.finalUpdate(124)?.state).toBe('success')
})
