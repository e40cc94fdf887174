import { expect, test } from 'vitest'

import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import {
  jobNamed,
  openEngine,
  pipelineOfPlan,
  reread,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { planOf, type PlanSketch } from '../support/plan.js'

const DAY = 24 * 3600 * 1000
type Mode = 'conservative' | 'interruptible' | 'none'

function sha(digit: number): string {
  return String(digit).repeat(40)
}

/** A push of the commit to the branch, whose file has these jobs. */
function push(
  engine: TestEngine,
  commit: number,
  sketch: PlanSketch,
  { mode = 'conservative', ref = 'main' }: { mode?: Mode; ref?: string } = {},
): Promise<PipelineRow> {
  engine.repositories.head = sha(commit)
  const plan = planOf(sketch, { autoCancel: { onNewCommit: mode, onJobFailure: 'none' } })
  return pipelineOfPlan(engine, plan, { sha: sha(commit), ref })
}

describeOnEachDatabase('a pipeline that a newer commit makes redundant', (open, testOnOne) => {
  testOnOne('is canceled while nothing has started, and says by which', async () => {
    const engine = await openEngine(open)
    const older = await push(engine, 1, { a: {}, ask: { when: 'manual' }, b: { stage: 1 } })
    const newer = await push(engine, 2, { a: {} })
    expect(await statusesOf(engine, older)).toEqual({
      pipeline: 'canceled',
      jobs: { a: 'canceled', ask: 'canceled', b: 'canceled' },
    })
    expect((await reread(engine, older)).auto_canceled_by_id).toBe(newer.id)
    expect((await jobNamed(engine, older, 'b')).auto_canceled_by_id).toBe(newer.id)
    expect((await reread(engine, newer)).status).toBe('pending')
    expect((await takeJob(engine, 'a')).pipeline.id).toBe(newer.id)
    await expectConsistentStore(engine)
  })

  testOnOne('goes on when a job that must not be interrupted has started', async () => {
    const engine = await openEngine(open)
    const older = await push(engine, 1, { a: { interruptible: true }, b: {}, c: { stage: 1 } })
    await succeed(engine, await takeJob(engine, 'a'))
    await takeJob(engine, 'b')
    await push(engine, 2, { a: {} })
    expect(await statusesOf(engine, older)).toMatchObject({
      pipeline: 'running',
      jobs: { b: 'running', c: 'created' },
    })
    expect((await reread(engine, older)).auto_canceled_by_id).toBeNull()
  })

  testAtNight('is canceled when only interruptible jobs have started', async () => {
    const engine = await openEngine(open)
    const older = await push(engine, 1, { a: { interruptible: true }, b: { stage: 1 } })
    const a = await takeJob(engine, 'a')
    await push(engine, 2, { z: {} })
    expect(await statusesOf(engine, older)).toEqual({
      pipeline: 'canceling',
      jobs: { a: 'canceling', b: 'canceled' },
    })
    await succeed(engine, a)
    expect((await reread(engine, older)).status).toBe('canceled')
    await expectConsistentStore(engine)
  })

  testOnOne('loses its interruptible jobs only, if it asks for that', async () => {
    const engine = await openEngine(open)
    const sketch = { a: {}, b: { interruptible: true }, c: { stage: 1 } }
    const older = await push(engine, 1, sketch, { mode: 'interruptible' })
    await takeJob(engine, 'a')
    await push(engine, 2, { z: {} })
    expect((await statusesOf(engine, older)).jobs).toEqual({ a: 'running', b: 'canceled', c: 'created' })
    await expectConsistentStore(engine)
  })

  testAtNight('is left alone if it asks for that', async () => {
    const engine = await openEngine(open)
    const older = await push(engine, 1, { a: { interruptible: true } }, { mode: 'none' })
    await push(engine, 2, { z: {} })
    expect((await reread(engine, older)).status).toBe('pending')
  })

  testAtNight('is not one of another branch, of the same commit, of the head or of last month', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const others = [
      await push(engine, 1, { a: {} }, { ref: 'other' }),
      await push(engine, 2, { a: {} }),
      await pipelineOfPlan(engine, planOf({ a: {} }), { sha: sha(2), refType: 'tag' }),
    ]
    const old = await pipelineOfPlan(
      engine,
      planOf({ a: {} }, { autoCancel: { onNewCommit: 'conservative', onJobFailure: 'none' } }),
      { sha: sha(9), ref: 'x' },
    )
    await database
      .updateTable('pipeline')
      .set({ ref: 'main', created_at: Date.now() - 8 * DAY })
      .where('id', '=', old.id)
      .execute()
    // A late pipeline of an earlier commit: the branch points to the one before.
    engine.repositories.head = sha(2)
    const late = await pipelineOfPlan(engine, planOf({ a: {} }), { sha: sha(1) })
    for (const pipeline of [...others, old]) expect((await reread(engine, pipeline)).status).toBe('pending')
    await pipelineOfPlan(engine, planOf({ a: {} }), { sha: sha(2) })
    expect((await reread(engine, late)).status).toBe('canceled')
    expect((await reread(engine, others[1]!)).status).toBe('pending')
  })

  testAtNight('is left alone by a project that says so', async () => {
    const engine = await openEngine(open)
    await inTransaction(engine.deps.database, (tx) =>
      tx.updateTable('project').set({ auto_cancel_pending_pipelines: false }).execute(),
    )
    const older = await push(engine, 1, { a: {} })
    await push(engine, 2, { a: {} })
    expect((await reread(engine, older)).status).toBe('pending')
  })

  test('is canceled once by two pushes at the same time', async () => {
    const engine = await openEngine(open)
    const older = await push(engine, 1, { a: {}, b: {} })
    const newer = await Promise.all([push(engine, 2, { a: {} }), push(engine, 3, { a: {} })])
    expect((await reread(engine, older)).status).toBe('canceled')
    const statuses = await Promise.all(newer.map(async (pipeline) => (await reread(engine, pipeline)).status))
    expect(statuses.filter((status) => status === 'pending').length).toBeGreaterThan(0)
    await expectConsistentStore(engine)
  })
})
