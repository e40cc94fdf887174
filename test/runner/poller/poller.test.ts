import { writeFileSync } from 'node:fs'

import { describe, expect, onTestFinished, test } from 'vitest'

import { jobPayload } from '../../support/job-payload.js'
import { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { runnerRegistration, runnerUnderTest } from '../../support/running-runner.js'

const waitFor = (file: string) => [
  { name: 'script', script: [`while [ ! -e ${file} ]; do sleep 0.05; done`] },
]

describe('job requests', () => {
  test('learn the version of the queue and let the coordinator hold the next request', async () => {
    const { coordinator } = await runnerUnderTest({ settings: { checkIntervalSeconds: 600 } })
    await coordinator.until(() => coordinator.callsOf('request').length === 2)
    const [first, second] = coordinator
      .callsOf('request')
      .map((call) => JSON.parse(call.body.toString()) as object)
    expect(first).toMatchObject({ token: 'glrt-runner-token', system_id: 's_0123456789ab' })
    expect(first).not.toHaveProperty('last_update')
    expect(second).toMatchObject({ last_update: 'first' })
    expect(coordinator.callsOf('request')[0]?.headers).toMatchObject({
      'runner-token': 'glrt-runner-token',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    })
    coordinator.offer(jobPayload())
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  })

  test('contain the labels of the runner', async () => {
    const { coordinator } = await runnerUnderTest({ registration: { labels: { region: 'north' } } })
    await coordinator.until(() => coordinator.callsOf('request').length > 0)
    const [first] = coordinator.callsOf('request')
    expect(JSON.parse(first?.body.toString() ?? '')).toMatchObject({ info: { labels: { region: 'north' } } })
  })

  test('increase while they return jobs, up to request_concurrency', async () => {
    const { coordinator } = await runnerUnderTest({
      settings: { concurrent: 4 },
      registration: { requestConcurrency: 3 },
    })
    await coordinator.until(() => coordinator.openRequests === 1)
    const ids = Array.from({ length: 12 }, (_, index) => 200 + index)
    coordinator.offer(...ids.map((id) => jobPayload({ id })))
    await coordinator.until(() => coordinator.openRequests === 3)
    await coordinator.until(() => ids.every((id) => coordinator.finalUpdate(id) !== undefined))
  })

  test('stop while every slot is in use', async () => {
    const { coordinator, directory } = await runnerUnderTest({ settings: { concurrent: 2 } })
    const steps = waitFor(`${directory}/go`)
    coordinator.offer(jobPayload({ steps }), jobPayload({ id: 125, steps }))
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.trace(125).includes('$ while'),
    )
    expect(coordinator.openRequests).toBe(0)
    coordinator.offer(jobPayload({ id: 126, steps: [{ name: 'script', script: [`touch ${directory}/go`] }] }))
    expect(coordinator.callsOf('request')).toHaveLength(2)
    writeFileSync(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(126) !== undefined)
  })

  test('number the running jobs of a project, and reuse free numbers', async () => {
    const { coordinator, executor, directory } = await runnerUnderTest({ settings: { concurrent: 2 } })
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }), jobPayload({ id: 125 }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    coordinator.offer(jobPayload({ id: 126, steps: [{ name: 'script', script: [`touch ${directory}/go`] }] }))
    await coordinator.until(
      () => coordinator.finalUpdate(124) !== undefined && coordinator.finalUpdate(126) !== undefined,
    )
    const numbers = executor.jobs.map((job) => [job.jobId, job.concurrentProjectId] as const)
    // Jobs that run side by side reach the executor in any order.
    expect(new Map(numbers)).toEqual(
      new Map([
        [124, 0],
        [125, 1],
        [126, 1],
      ]),
    )
  })

  test('leave slots beyond the limit of a registration to others', async () => {
    const { coordinator, directory } = await runnerUnderTest({
      settings: { concurrent: 4 },
      registration: { limit: 1 },
    })
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }), jobPayload({ id: 125 }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    expect(coordinator.openRequests).toBe(0)
    writeFileSync(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
  })

  test('of registrations that share one slot alternate, without waiting for a held request', async () => {
    const coordinator = await MisbehavingCoordinator.start()
    onTestFinished(() => coordinator.stop())
    const registrations = ['glrt-one', 'glrt-two'].map((token) =>
      runnerRegistration(coordinator.url, { token }),
    )
    await runnerUnderTest({ settings: { runners: registrations } })
    const tokens = () =>
      coordinator
        .callsOf('request')
        .map((call) => (JSON.parse(call.body.toString()) as { token: string }).token)
    await coordinator.until(() => tokens().filter((token) => token === 'glrt-two').length > 2)
    await coordinator.until(() => tokens().filter((token) => token === 'glrt-one').length > 2)
  })

  test('of an unknown runner pause after a few rejections', async () => {
    const coordinator = await MisbehavingCoordinator.start()
    onTestFinished(() => coordinator.stop())
    // From the first request on: a later one may be held for a job.
    coordinator.misbehave('request', { status: 403 }, { status: 403 }, { status: 403 })
    await runnerUnderTest({ settings: { runners: [runnerRegistration(coordinator.url)] } })
    await coordinator.until(() => coordinator.callsOf('request').length >= 3)
    coordinator.offer(jobPayload())
    expect(coordinator.callsOf('request').length).toBeLessThanOrEqual(4)
  })

  test('continue after invalid responses', async () => {
    const { coordinator } = await runnerUnderTest()
    coordinator.misbehave(
      'request',
      'cut',
      { status: 409 },
      { status: 201, headers: { 'content-type': 'text/html' }, body: '<html>' },
      { status: 503, headers: { 'retry-after': '0' } },
    )
    coordinator.offer(jobPayload())
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  })
})

describe('stopping the runner', () => {
  test('gracefully: aborts the open request and waits for running jobs', async () => {
    const { coordinator, runner, directory } = await runnerUnderTest({ settings: { concurrent: 2 } })
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.openRequests === 1,
    )
    const stopped = runner.stopGracefully()
    await coordinator.until(() => coordinator.openRequests === 0)
    writeFileSync(`${directory}/go`, '')
    await stopped
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
    await runner.finished
  })

  test('leaving its jobs: does not wait for their slots', async () => {
    const { coordinator, runner, directory } = await runnerUnderTest({ settings: { concurrent: 1 } })
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    await runner.leave()
    expect(coordinator.finalUpdate(124)).toBeUndefined()
    writeFileSync(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  })

  test('at once: fails the job with the reason and removes its container', async () => {
    const { coordinator, runner, executor } = await runnerUnderTest()
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script: ['echo begun', 'sleep 600'] }] }))
    await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
    await runner.stopNow('terminated')
    expect(coordinator.finalUpdate(124)).toMatchObject({
      state: 'failed',
      failure_reason: 'runner_system_failure',
    })
    expect(coordinator.trace(124)).toContain('ERROR: Job failed: aborted: terminated')
    expect(executor.cleanedUp).toBe(1)
  })

  test('at once, while the coordinator is away: ends at the time limit', async () => {
    const { coordinator, runner } = await runnerUnderTest({ settings: { shutdownTimeoutSeconds: 0.3 } })
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script: ['echo begun', 'sleep 600'] }] }))
    await coordinator.until(() => coordinator.trace(124).includes('\nbegun\n'))
    coordinator.misbehave('update', ...Array.from({ length: 1000 }, () => 'cut' as const))
    coordinator.misbehave('trace', ...Array.from({ length: 1000 }, () => 'cut' as const))
    await expect(runner.stopNow('terminated')).rejects.toThrow('Not all jobs ended within 0.3 seconds')
  })
})
