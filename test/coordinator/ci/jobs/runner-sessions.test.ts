import { expect, test } from 'vitest'

import { requeueJob } from '../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import {
  findRunnerSession,
  storeRunnerSession,
} from '../../../../src/coordinator/ci/jobs/runner-sessions/store.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { AUTHORIZATION } from '../../../support/session-server.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'

const SESSION = { url: 'https://runner.example/session/1', certificate: '', authorization: AUTHORIZATION }

async function openScene(open: OpenDatabase) {
  const coordinator = await startCiCoordinator({}, open)
  const { engine } = coordinator
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  const job = await runner.takeJob({ session: SESSION })
  return { engine, runner, job, stored: () => findRunnerSession(engine, job.id) }
}

describeOnDatabase('the session of a runner', (open) => {
  test('is stored with its job, and deleted when that ends', async () => {
    const { runner, job, stored } = await openScene(open)
    expect(await stored()).toEqual(SESSION)
    await runner.update(job, 'failed', { failure_reason: 'script_failure' })
    expect(await stored()).toBeUndefined()
  })

  test('is deleted when the job returns to the queue, and not stored for another runner then', async () => {
    const { engine, runner, job, stored } = await openScene(open)
    await requeueJob(engine, job.id, job.token)
    expect(await stored()).toBeUndefined()
    const again = await runner.takeJob()
    expect(again.id).toBe(job.id)
    await storeRunnerSession(engine, { job, token: job.token }, SESSION)
    expect(await stored()).toBeUndefined()
    await storeRunnerSession(engine, { job, token: again.token }, SESSION)
    expect(await stored()).toEqual(SESSION)
  })
})
