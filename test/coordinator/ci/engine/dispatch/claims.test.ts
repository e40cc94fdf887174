import { expect, test } from 'vitest'

import { dispatchJob } from '../../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import { startClaimed } from '../../../../../src/coordinator/ci/engine/dispatch/start-claimed.js'
import { onEngineEvents } from '../../../../../src/coordinator/ci/engine/engine-events.js'
import { expireLease } from '../../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { loadRunnerProfile } from '../../../../../src/coordinator/ci/queue/runner-profile.js'
import type { RunnerRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { describeOnEachDatabase, openPostgres } from '../../../../support/databases.js'
import {
  ALL_FEATURES,
  jobNamed,
  nextJob,
  openEngine,
  pipelineOf,
  secondCoordinator,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { addRunner } from '../support/records.js'

const ONE_JOB = 'a: { script: x }'
const AFTER_FIRST_CONTACT = 61_000

/** Commits a claim, as a coordinator does before it starts the job. Returns the ID of the job. */
async function claimFor({ deps }: TestEngine, runner: RunnerRow): Promise<number> {
  const profile = await loadRunnerProfile(deps.database, runner)
  const [claim] = await inTransaction(deps.database, (tx) =>
    deps.queue.claimInFairOrder(tx, [profile], deps.lease),
  )
  if (!claim) throw new Error('Nothing was claimed')
  return claim.jobId
}

function start({ deps }: TestEngine, jobId: number, runner: RunnerRow) {
  const asking = { runner, features: ALL_FEATURES }
  return inTransaction(deps.database, (tx) => startClaimed(deps, tx, [{ jobId, asking }]))
}

function expire({ deps }: TestEngine, jobId: number): Promise<void> {
  return expireLease(deps, jobId, Date.now() + AFTER_FIRST_CONTACT)
}

describeOnEachDatabase('a job that was claimed and not started', (open) => {
  test('goes to no other runner until its lease has expired', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const jobId = await claimFor(engine, engine.runner)
    expect(await nextJob(engine)).toBeUndefined()

    await expireLease(engine.deps, jobId)
    expect(await nextJob(engine)).toBeUndefined()
    await expire(engine, jobId)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('pending')
    await expectConsistentStore(engine)
    expect((await takeJob(engine, 'a')).job.id).toBe(jobId)
  })

  test('is started by no claimer whose lease has expired', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, ONE_JOB)
    const other = await addRunner(engine.deps.database)
    const jobId = await claimFor(engine, engine.runner)
    await expire(engine, jobId)
    expect(await start(engine, jobId, engine.runner)).toEqual(['dropped'])
    await expectConsistentStore(engine)

    await claimFor(engine, other)
    expect(await start(engine, jobId, engine.runner)).toEqual(['dropped'])
    expect(await start(engine, jobId, other)).toMatchObject([{ job: { id: jobId, runner_id: other.id } }])
    expect(await start(engine, jobId, other)).toEqual(['dropped'])
    await expectConsistentStore(engine)
  })

  test('and is canceled runs no more', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const jobId = await claimFor(engine, engine.runner)
    await cancelPipeline(engine.deps, pipeline)
    expect(await start(engine, jobId, engine.runner)).toEqual(['dropped'])
    await expectConsistentStore(engine)
  })

  test('and is canceled stays canceled when its lease expires', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const jobId = await claimFor(engine, engine.runner)
    await cancelPipeline(engine.deps, pipeline)
    await expire(engine, jobId)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('canceled')
    await expectConsistentStore(engine)
  })

  test('because its start failed returns to the queue at once', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, ONE_JOB)
    onEngineEvents(engine.deps.database, async () => {
      throw new Error('No events today')
    })
    await expect(nextJob(engine)).rejects.toThrow('No events today')
    await expectConsistentStore(engine)
    onEngineEvents(engine.deps.database, async () => undefined)
    await takeJob(engine, 'a')
  })
})

test('jobs that another claimer has locked on PostgreSQL are passed over', async () => {
  const engine = await openEngine(openPostgres)
  const pipeline = await pipelineOf(engine, 'a: { script: x }\nb: { script: x }\nc: { script: x }')
  const { id } = await jobNamed(engine, pipeline, 'a')
  const other = secondCoordinator(engine)
  const asking = { runner: engine.runner, features: ALL_FEATURES }
  const given = await inTransaction(other.database, async (tx) => {
    await tx.selectFrom('queue_entry').select('job_id').where('job_id', '=', id).forUpdate().execute()
    const asked = await Promise.all([1, 2, 3].map(() => dispatchJob(engine.deps, asking)))
    return asked.map((dispatched) => dispatched?.job.name)
  })
  expect(given.toSorted()).toEqual(['b', 'c', undefined])
  await takeJob(engine, 'a')
})
