import { expect, test } from 'vitest'

import { startDueJobs } from '../../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { requeueJob } from '../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import { expireLease } from '../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { finishJob, recordContact } from '../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { cancelJob, cancelPipeline } from '../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../src/coordinator/ci/engine/retry/play.js'
import { retryPipeline } from '../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { retryJob } from '../../../../src/coordinator/ci/engine/retry/retry.js'
import { unscheduleJob } from '../../../../src/coordinator/ci/engine/retry/unschedule.js'
import type { PipelineRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../support/databases.js'
import { jobsOf, nextJob, openEngine, pipelineOf, pipelineOfPlan, type TestEngine } from './support/engine.js'
import { expectConsistentStore } from './support/invariants.js'
import { planOf } from './support/plan.js'
import { randomFrom } from './support/random.js'

const FILE = `
stages: [one, two, three]
a: { stage: one, script: x }
b: { stage: one, script: x, allow_failure: true }
ask: { stage: two, script: x, when: manual }
c: { stage: two, script: x, needs: [a] }
d: { stage: two, script: x }
rescue: { stage: three, script: x, when: on_failure }
clean: { stage: three, script: x, when: always }
last: { stage: three, script: x, needs: [ask, c] }
later: { stage: two, script: x, when: delayed, start_in: 1 minute }
again: { stage: one, script: x, retry: 2, interruptible: true }
`

const HOUR = 3_600_000
const EVENTS = 60

/** One event that could come at any time, whether or not it has an effect now. */
async function doSomething(
  engine: TestEngine,
  pipeline: PipelineRow,
  random: (below: number) => number,
): Promise<void> {
  const { deps, user } = engine
  const jobs = await jobsOf(engine, pipeline)
  const job = jobs[random(jobs.length)]!
  const running = jobs.filter(({ status }) => status === 'running' || status === 'canceling')
  const taken = running[random(Math.max(1, running.length))] ?? job
  const failed = random(4) === 0
  const events: (() => Promise<unknown>)[] = [
    () => cancelJob(deps, job, { force: random(2) === 0 }),
    () => retryJob(deps, job, user),
    () => playJob(deps, job, user),
    () => (random(4) === 0 ? cancelPipeline(deps, pipeline) : nextJob(engine)),
    () => (random(2) === 0 ? retryPipeline(deps, pipeline, user) : nextJob(engine)),
    () => expireLease(deps, taken.id, Date.now() + HOUR),
    () => recordContact(deps, taken),
    () => nextJob(engine),
    () => nextJob(engine, engine.runner, {}),
    () => unscheduleJob(deps, job),
    () => startDueJobs(deps, Date.now() + HOUR / 2),
    () => pushAgain(engine, random),
    () => takeAndGiveBack(engine),
    () =>
      finishJob(deps, taken, failed ? { status: 'failed', reason: 'script_failure' } : { status: 'success' }),
    () => finishJob(deps, taken, { status: 'success' }),
  ]
  await events[random(events.length)]!()
}

/** A commit that makes redundant what the branch has left, and whose own pipeline is soon redundant too. */
async function pushAgain(engine: TestEngine, random: (below: number) => number): Promise<void> {
  const sha = String(random(1_000_000)).padStart(40, '0')
  engine.repositories.head = sha
  await pipelineOfPlan(engine, planOf({ quick: { interruptible: true }, slow: {} }), { sha })
}

async function takeAndGiveBack(engine: TestEngine): Promise<void> {
  const dispatched = await nextJob(engine)
  if (dispatched) await requeueJob(engine.deps, dispatched.job.id, dispatched.token)
}

describeOnDatabase('random events, one by one', (open) => {
  test.each([1, 2, 3])('leave the store consistent after each (%i)', async (seed) => {
    const engine = await openEngine(open)
    const random = randomFrom(seed)
    const pipeline = await pipelineOf(engine, FILE)
    for (let event = 0; event < EVENTS; event++) {
      await doSomething(engine, pipeline, random)
      await expectConsistentStore(engine)
    }
  })
})

describeOnEachDatabase('random events', (open) => {
  test('at the same time leave the store consistent', async () => {
    const engine = await openEngine(open)
    const random = randomFrom(7)
    const pipeline = await pipelineOf(engine, FILE)
    const busy = async (): Promise<void> => {
      for (let event = 0; event < EVENTS; event++) await doSomething(engine, pipeline, random)
    }
    await Promise.all([busy(), busy(), busy(), busy()])
    await expectConsistentStore(engine)
    expect((await jobsOf(engine, pipeline)).filter((job) => !job.retried)).toHaveLength(10)
  })
})
