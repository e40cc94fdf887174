import { expect, test } from 'vitest'

import { requeueJob } from '../../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import { expireLease, expireLeases } from '../../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { failOverdueJobs } from '../../../../../src/coordinator/ci/engine/finish/fail-overdue-jobs.js'
import { finishJob, recordContact } from '../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { cancelJob } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { extendLeases } from '../../../../../src/coordinator/ci/queue/lease.js'
import { recordPresence } from '../../../../../src/coordinator/ci/queue/presence.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { jobNamed, openEngine, pipelineOf, reread, takeJob, type TestEngine } from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'

const ONE_JOB = 'a: { script: x }'
const SECOND = 1000

function leaseOf({ deps }: TestEngine, job: { id: number }) {
  return deps.database.selectFrom('lease').selectAll().where('job_id', '=', job.id).executeTakeFirst()
}

/** A coordinator is there from now on, for so many milliseconds. */
async function stayFor({ deps }: TestEngine, milliseconds: number): Promise<void> {
  const begin = Date.now()
  for (let passed = 0; passed < milliseconds; passed += 10 * SECOND)
    await recordPresence(deps, begin + passed)
}

/** The task as it would run so many milliseconds from now, a coordinator having been there until then. */
async function expireAfter(engine: TestEngine, milliseconds: number): Promise<void> {
  await stayFor(engine, milliseconds)
  const { deps } = engine
  const now = Date.now() + milliseconds
  await expireLeases({ ...deps, onExpired: (jobId) => expireLease(deps, jobId, now) }, now)
}

describeOnEachDatabase('the lease of a job', (open, testOnOne) => {
  test('that was never heard from runs out: another runner gets the job under another token', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const first = await takeJob(engine, 'a')
    await expireAfter(engine, 50 * SECOND)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('running')

    await expireAfter(engine, 61 * SECOND)
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      status: 'pending',
      runner_id: null,
      token_digest: null,
      started_at: null,
    })
    expect((await reread(engine, pipeline)).status).toBe('running')
    await expectConsistentStore(engine)

    const second = await takeJob(engine, 'a')
    expect(second.job.id).toBe(first.job.id)
    expect(second.token).not.toBe(first.token)
    expect(await finishJob(engine.deps, first.job, { status: 'success' })).toBe('not-running')
    expect(await finishJob(engine.deps, second.job, { status: 'success' })).toMatchObject({
      status: 'success',
    })
  })

  test('that was heard from runs out: the job has failed', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const { job } = await takeJob(engine, 'a')
    await recordContact(engine.deps, job)
    await expireAfter(engine, 290 * SECOND)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('running')
    await expireAfter(engine, 301 * SECOND)
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      status: 'failed',
      failure_reason: 'no_updates_running',
      token_digest: null,
    })
    expect((await reread(engine, pipeline)).status).toBe('failed')
    await expectConsistentStore(engine)
  })

  testOnOne('that was renewed after it was found expired is kept', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const { job } = await takeJob(engine, 'a')
    await stayFor(engine, 61 * SECOND)
    const now = Date.now() + 61 * SECOND
    await expireLeases(
      {
        ...engine.deps,
        onExpired: async (jobId) => {
          await recordContact(engine.deps, job)
          await expireLease(engine.deps, jobId, now)
        },
      },
      now,
    )
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('running')
  })

  testOnOne('of a job that is being canceled runs out: the job is canceled', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const { job } = await takeJob(engine, 'a')
    await cancelJob(engine.deps, job)
    await expireAfter(engine, 61 * SECOND)
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      status: 'canceled',
      failure_reason: 'no_updates_canceling',
    })
    await expectConsistentStore(engine)
  })

  testOnOne('is whole again after no coordinator was there', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, ONE_JOB)
    const { job } = await takeJob(engine, 'a')
    const { database, dialect, lease } = engine.deps
    const now = Date.now() + 3600 * SECOND
    await extendLeases(database, dialect, lease, now)
    expect(await leaseOf(engine, job)).toMatchObject({ expires_at: now + 60 * SECOND, heard_from: false })
    await recordContact(engine.deps, job)
    await extendLeases(database, dialect, lease, now)
    expect(await leaseOf(engine, job)).toMatchObject({ expires_at: now + 300 * SECOND, heard_from: true })
  })

  test('ends when the job is requeued because its response did not arrive', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const first = await takeJob(engine, 'a')
    expect(await requeueJob(engine.deps, first.job.id, 'glcbt-another')).toBe(false)
    expect(await requeueJob(engine.deps, first.job.id, first.token)).toBe(true)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('pending')
    expect(await requeueJob(engine.deps, first.job.id, first.token)).toBe(false)
    await expectConsistentStore(engine)
    await takeJob(engine, 'a')
  })

  testOnOne('holds against taking back once the runner was heard from', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, ONE_JOB)
    const { job, token } = await takeJob(engine, 'a')
    await recordContact(engine.deps, job)
    expect(await requeueJob(engine.deps, job.id, token)).toBe(false)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('running')
  })

  testOnOne('does not save a job that runs beyond its timeout', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x, timeout: 1 month }')
    const { job } = await takeJob(engine, 'a')
    const end = job.started_at! + job.timeout! * SECOND
    await recordPresence(engine.deps, Date.now())
    for (let minutes = 0; minutes < 11; minutes += 0.2) {
      await recordPresence(engine.deps, end + minutes * 60 * SECOND)
    }
    await failOverdueJobs(engine.deps, end + 9 * 60 * SECOND)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('running')
    await failOverdueJobs(engine.deps, end + 11 * 60 * SECOND)
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      status: 'failed',
      failure_reason: 'server_timeout_running',
    })
    await expectConsistentStore(engine)
  })
})
