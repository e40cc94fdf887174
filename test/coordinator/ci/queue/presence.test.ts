import { expect, test } from 'vitest'

import { expireLease, expireLeases } from '../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { failOverdueJobs } from '../../../../src/coordinator/ci/engine/finish/fail-overdue-jobs.js'
import { recordContact } from '../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { areUpFor, presenceInterval, recordPresence } from '../../../../src/coordinator/ci/queue/presence.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import {
  jobNamed,
  openEngine,
  pipelineOf,
  secondCoordinator,
  takeJob,
  type TestEngine,
} from '../engine/support/engine.js'

const SECOND = 1000
const HOUR = 3600 * SECOND

async function runningJob(engine: TestEngine) {
  const pipeline = await pipelineOf(engine, 'a: { script: x, timeout: 20 minutes }')
  const { job } = await takeJob(engine, 'a')
  await recordContact(engine.deps, job)
  const status = async () => (await jobNamed(engine, pipeline, 'a')).status
  return { job, status }
}

function expireLeasesAt({ deps }: TestEngine, now: number): Promise<void> {
  return expireLeases({ ...deps, onExpired: (jobId) => expireLease(deps, jobId, now) }, now)
}

test.each([
  [{ firstContactSeconds: 60, seconds: 300 }, 5],
  [{ firstContactSeconds: 3, seconds: 300 }, 0.3],
  [{ firstContactSeconds: 60, seconds: 10 }, 1],
])('presence under the leases %j is noted every %d s', (lease, seconds) => {
  expect(presenceInterval(lease)).toBeCloseTo(seconds)
})

describeOnDatabase('while no coordinator was there', (open) => {
  test('no lease ran out: the runner has its full length to come back', async () => {
    const engine = await openEngine(open)
    const { status } = await runningJob(engine)
    const begin = Date.now()
    await recordPresence(engine.deps, begin)
    await expireLeasesAt(engine, begin + HOUR)
    for (let seconds = 10; seconds < 300; seconds += 10) {
      await expireLeasesAt(engine, begin + HOUR + seconds * SECOND)
    }
    expect(await status()).toBe('running')
    await expireLeasesAt(engine, begin + HOUR + 301 * SECOND)
    expect(await status()).toBe('failed')
  })

  test('no job was overdue: its runner may be waiting to say how it ended', async () => {
    const engine = await openEngine(open)
    const { status } = await runningJob(engine)
    const begin = Date.now()
    await recordPresence(engine.deps, begin)
    await failOverdueJobs(engine.deps, begin + HOUR)
    await recordPresence(engine.deps, begin + HOUR)
    await failOverdueJobs(engine.deps, begin + HOUR + SECOND)
    expect(await status()).toBe('running')
    for (let seconds = 0; seconds <= 600; seconds += 10) {
      await recordPresence(engine.deps, begin + HOUR + seconds * SECOND)
    }
    await failOverdueJobs(engine.deps, begin + HOUR + 601 * SECOND)
    expect(await status()).toBe('failed')
  })
})

describeOnEachDatabase('presence', (open, testOnOne) => {
  test('of one coordinator is that of all: another that starts lengthens no lease', async () => {
    const engine = await openEngine(open)
    const { job } = await runningJob(engine)
    const begin = Date.now()
    await recordPresence(engine.deps, begin)
    const lease = await engine.deps.database.selectFrom('lease').selectAll().executeTakeFirst()
    const other = secondCoordinator(engine)
    await recordPresence(other, begin + 10 * SECOND)
    await recordPresence(engine.deps, begin + 20 * SECOND)
    expect(await engine.deps.database.selectFrom('lease').selectAll().executeTakeFirst()).toEqual(lease)
    expect(lease).toMatchObject({ job_id: job.id })
    expect(await areUpFor(other, 20 * SECOND, begin + 20 * SECOND)).toBe(true)
    expect(await areUpFor(other, 21 * SECOND, begin + 20 * SECOND)).toBe(false)
  })

  testOnOne('is not set back by a clock that is behind', async () => {
    const engine = await openEngine(open)
    const begin = Date.now()
    await recordPresence(engine.deps, begin)
    await recordPresence(engine.deps, begin - HOUR)
    expect(await areUpFor(engine.deps, 0, begin + 14 * SECOND)).toBe(true)
    expect(await areUpFor(engine.deps, 0, begin + 16 * SECOND)).toBe(false)
  })
})
