import { expect, test } from 'vitest'

import { failStuckJobs } from '../../../../../src/coordinator/ci/engine/finish/fail-stuck-jobs.js'
import { recordPresence } from '../../../../../src/coordinator/ci/queue/presence.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import {
  jobNamed,
  openEngine,
  pipelineOfPlan,
  statusesOf,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { planOf } from '../support/plan.js'

const MINUTE = 60 * 1000
const HOUR = 60 * MINUTE

/** The task so many milliseconds from now; coordinators have been there for `upFor` until then. */
async function sweepAfter({ deps }: TestEngine, later: number, upFor = 2 * HOUR): Promise<void> {
  const now = Date.now() + later
  const times = [
    ['coordinators_seen_at', now],
    ['coordinators_up_since', now - upFor],
  ] as const
  for (const [key, at] of times) {
    const value = String(at)
    await deps.database
      .insertInto('instance_setting')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  }
  await failStuckJobs(deps, now)
}

/** The runner of the engine asks for work so many milliseconds from now, without getting any. */
async function contactAfter({ deps, runner }: TestEngine, later: number): Promise<void> {
  await deps.database
    .updateTable('runner')
    .set({ contacted_at: Date.now() + later })
    .where('id', '=', runner.id)
    .execute()
}

describeOnEachDatabase('a pending job', (open, testOnOne) => {
  test('that no online runner may take fails after an hour', async () => {
    const engine = await openEngine(open)
    await contactAfter(engine, 0)
    const sketch = { a: {}, b: { tags: ['gpu'] }, c: { stage: 1 } }
    const pipeline = await pipelineOfPlan(engine, planOf(sketch))
    await sweepAfter(engine, 59 * MINUTE)
    expect((await statusesOf(engine, pipeline)).jobs).toMatchObject({ a: 'pending', b: 'pending' })
    await sweepAfter(engine, 61 * MINUTE)
    expect(await jobNamed(engine, pipeline, 'b')).toMatchObject({
      status: 'failed',
      failure_reason: 'stuck_pending_no_matching_runners',
      waited_for: { reason: expect.any(String) as string, message: expect.any(String) as string },
    })
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('pending')
    // Two hours after its last call the runner is offline.
    await sweepAfter(engine, 121 * MINUTE)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ a: 'failed', b: 'failed', c: 'skipped' })
    await expectConsistentStore(engine)
  })

  testOnOne('that a runner could take fails when nothing has happened for a day', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ a: {} }))
    await contactAfter(engine, 23 * HOUR)
    await sweepAfter(engine, 23 * HOUR)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('pending')
    await contactAfter(engine, 25 * HOUR)
    await sweepAfter(engine, 25 * HOUR)
    expect((await jobNamed(engine, pipeline, 'a')).failure_reason).toBe('stuck_pending_with_matching_runners')
    await expectConsistentStore(engine)
  })

  testOnOne('is not blamed for the time in which there was no coordinator', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ a: {} }))
    await sweepAfter(engine, 72 * HOUR, 59 * MINUTE)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('pending')
    await sweepAfter(engine, 73 * HOUR, 61 * MINUTE)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('failed')
  })

  testOnOne('that has been taken is none', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ a: {} }))
    await takeJob(engine, 'a')
    await recordPresence(engine.deps)
    await sweepAfter(engine, 25 * HOUR)
    expect((await jobNamed(engine, pipeline, 'a')).status).toBe('running')
  })
})
