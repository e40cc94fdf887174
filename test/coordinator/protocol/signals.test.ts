import { expect, test, vi } from 'vitest'

import { expireLease } from '../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { cancelJob } from '../../../src/coordinator/ci/engine/retry/cancel.js'
import { describeOnDatabase, type OpenDatabase } from '../../support/databases.js'
import { testAtNight } from '../../support/nightly.js'
import { jobNamed, type Limits, pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { INFO, RunnerClient } from '../support/runner-client.js'

const GRACEFUL = { info: { ...INFO, features: { ...INFO.features, cancel_gracefully: true } } }

async function startJob(open: OpenDatabase, limits: Limits = { longPollSeconds: 50 }) {
  const coordinator = await startCiCoordinator(limits, open)
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  const job = await runner.takeJob(GRACEFUL)
  const cancel = async (force = false) =>
    cancelJob(coordinator.engine, await jobNamed(coordinator, 'build'), { force })
  return { coordinator, runner, job, cancel }
}

function statusIn(response: Response): [number, string | null] {
  return [response.status, response.headers.get('job-status')]
}

describeOnDatabase('a runner that waits for news of its job', (open) => {
  test('the job payload says that the runner can receive signals', async () => {
    const { job } = await startJob(open)
    expect(job.features?.job_signals).toBe(true)
  })

  test('receives a cancel signal, then a forced one', async () => {
    const { runner, job, cancel } = await startJob(open)
    const first = runner.signals(job)
    await cancel()
    expect(statusIn(await first)).toEqual([200, 'canceling'])
    const second = runner.signals(job, 'canceling')
    await cancel(true)
    expect(statusIn(await second)).toEqual([403, 'canceled'])
  })

  test('receives a change that was made before its request', async () => {
    const { runner, job, cancel } = await startJob(open)
    await cancel()
    expect(statusIn(await runner.signals(job))).toEqual([200, 'canceling'])
  })

  test('hears that its job was given up', async () => {
    const { coordinator, runner, job } = await startJob(open)
    await runner.update(job, 'running')
    const held = runner.signals(job)
    await expireLease(coordinator.engine, job.id, Date.now() + 3_600_000)
    expect(statusIn(await held)).toEqual([403, 'failed'])
  })

  test('hears that somebody begins to read its log', async () => {
    const { coordinator, runner, job } = await startJob(open)
    const { app, admin, traceReaders } = coordinator
    const watch = vi.spyOn(coordinator.watches, 'watch')
    const held = runner.signals(job, 'running', '&watched=false')
    await expect.poll(() => watch.mock.calls.length).toBe(1)
    await app.call(admin, `GET /projects/group%2Fapp/jobs/${job.id}/trace/outline`)
    const response = await held
    expect(statusIn(response)).toEqual([200, 'running'])
    expect(response.headers.get('x-switchyard-trace-interval')).toBe('0.2')
    expect(statusIn(await runner.signals(job, 'running', '&watched=false'))).toEqual([200, 'running'])
    const now = Date.now()
    const again = runner.signals(job, 'running', '&watched=true')
    await expect.poll(() => watch.mock.calls.length).toBe(3)
    // Reading goes on, which the runner knows, and begins again later.
    traceReaders.recordRead(job.id, now)
    traceReaders.recordRead(job.id, now + 15_000)
    expect(statusIn(await again)).toEqual([200, 'running'])
  })

  testAtNight('that does not ask for readers receives none', async () => {
    const { coordinator, runner, job } = await startJob(open, { longPollSeconds: 1 })
    coordinator.traceReaders.recordRead(job.id)
    const bodies = await Promise.all([runner.signals(job), runner.signals(job, 'running', '&watched=true')])
    expect(bodies.map(({ status }) => status)).toEqual([204, 204])
  })

  testAtNight('has its response when the time is over, or the coordinator stops', async () => {
    const { runner, job } = await startJob(open, { longPollSeconds: 1 })
    expect((await runner.signals(job)).status).toBe(204)
    const other = await startJob(open)
    const held = other.runner.signals(other.job)
    other.coordinator.stop.abort()
    expect((await held).status).toBe(204)
  })

  test('and shows another token is refused', async () => {
    const { runner, job } = await startJob(open)
    expect((await runner.signals({ id: job.id, token: 'wrong' })).status).toBe(403)
  })
})
