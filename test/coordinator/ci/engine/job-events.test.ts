import { expect, test } from 'vitest'

import { finishJob } from '../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { isCompleted, isFinished } from '../../../../src/coordinator/ci/engine/job-status.js'
import { cancelJob } from '../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../src/coordinator/ci/engine/retry/play.js'
import { retryJob } from '../../../../src/coordinator/ci/engine/retry/retry.js'
import { unscheduleJob } from '../../../../src/coordinator/ci/engine/retry/unschedule.js'
import type { JobStatus } from '../../../../src/coordinator/database/tables/job-columns.js'
import type { JobRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../support/databases.js'
import {
  fail,
  jobNamed,
  nextJob,
  openEngine,
  pipelineOfPlan,
  succeed,
  takeJob,
  type TestEngine,
} from './support/engine.js'
import { expectConsistentStore } from './support/invariants.js'
import { planOf, type PlanSketch, type SketchedJob } from './support/plan.js'

/** How a job `j` comes to a status; the job as it is then. */
type JobStory = (engine: TestEngine) => Promise<JobRow>

async function stored(engine: TestEngine, jobs: PlanSketch): Promise<() => Promise<JobRow>> {
  const pipeline = await pipelineOfPlan(engine, planOf(jobs))
  return () => jobNamed(engine, pipeline, 'j')
}

const alone =
  (
    job: SketchedJob = {},
    then: (engine: TestEngine, job: JobRow) => Promise<unknown> = async () => undefined,
  ): JobStory =>
  async (engine) => {
    const read = await stored(engine, { j: job })
    await then(engine, await read())
    return read()
  }

const taken = (engine: TestEngine) => takeJob(engine, 'j')
const ended = async (engine: TestEngine) => succeed(engine, await taken(engine))

/** Features of a runner that ends a job only by itself. */
const NOT_GRACEFUL = { artifacts_exclude: true }

const ways: Record<string, JobStory> = {
  created: async (engine) => (await stored(engine, { before: {}, j: { stage: 1 } }))(),
  pending: alone(),
  waiting_for_resource: async (engine) =>
    (await stored(engine, { holder: { resourceGroup: 'r' }, j: { resourceGroup: 'r' } }))(),
  'running, on a runner that can end it gracefully': alone({}, taken),
  'running, on a runner that cannot': alone({}, (engine) => nextJob(engine, engine.runner, NOT_GRACEFUL)),
  canceling: alone({}, async (engine) => cancelJob(engine.deps, (await taken(engine)).job)),
  success: alone({}, ended),
  failed: alone({}, async (engine) => fail(engine, await taken(engine))),
  canceled: alone({}, (engine, job) => cancelJob(engine.deps, job)),
  skipped: async (engine) => {
    const read = await stored(engine, { before: {}, j: { stage: 1 } })
    await fail(engine, await takeJob(engine, 'before'))
    return read()
  },
  manual: alone({ when: 'manual' }),
  scheduled: alone({ startIn: 3600 }),
  'success of a manual job': alone({ when: 'manual' }, async (engine, job) => {
    await playJob(engine.deps, job, engine.user)
    await ended(engine)
  }),
  'canceled before a manual job was played': alone({ when: 'manual' }, (engine, job) =>
    cancelJob(engine.deps, job),
  ),
}

/** A status; `again` = of a new attempt; undefined = the event is refused, and nothing changes. */
type Outcome = JobStatus | `${JobStatus} again` | undefined

interface Row {
  play: Outcome
  retry: Outcome
  unschedule: Outcome
  cancel: Outcome
  'cancel by force': Outcome
  succeed: Outcome
  fail: Outcome
}

const stays = {
  play: undefined,
  retry: undefined,
  unschedule: undefined,
  succeed: undefined,
  fail: undefined,
}

function canceledTo(status: JobStatus) {
  return { cancel: status, 'cancel by force': status } as const
}

/** What a user may do with a job, and what its runner may say of it, in every status (CI language, 10.2 and 12). */
const table: Record<keyof typeof ways, Row> = {
  created: { ...stays, ...canceledTo('canceled') },
  pending: { ...stays, ...canceledTo('canceled') },
  waiting_for_resource: { ...stays, ...canceledTo('canceled') },
  'running, on a runner that can end it gracefully': {
    ...stays,
    ...canceledTo('canceling'),
    succeed: 'success',
    fail: 'failed',
  },
  'running, on a runner that cannot': {
    ...stays,
    ...canceledTo('canceled'),
    succeed: 'success',
    fail: 'failed',
  },
  canceling: {
    ...stays,
    cancel: 'canceling',
    'cancel by force': 'canceled',
    succeed: 'canceled',
    fail: 'canceled',
  },
  success: { ...stays, ...canceledTo('success'), retry: 'pending again' },
  failed: { ...stays, ...canceledTo('failed'), retry: 'pending again' },
  canceled: { ...stays, ...canceledTo('canceled'), retry: 'pending again' },
  skipped: { ...stays, ...canceledTo('skipped') },
  manual: { ...stays, ...canceledTo('canceled'), play: 'pending' },
  scheduled: { ...stays, ...canceledTo('canceled'), play: 'pending', unschedule: 'manual' },
  'success of a manual job': {
    ...stays,
    ...canceledTo('success'),
    play: 'pending again',
    retry: 'pending again',
  },
  'canceled before a manual job was played': {
    ...stays,
    ...canceledTo('canceled'),
    play: 'pending again',
    retry: 'pending again',
  },
}

/** The job afterwards; a word when the event was refused. */
const events: Record<keyof Row, (engine: TestEngine, job: JobRow) => Promise<JobRow | string>> = {
  play: ({ deps, user }, job) => playJob(deps, job, user),
  retry: ({ deps, user }, job) => retryJob(deps, job, user),
  unschedule: ({ deps }, job) => unscheduleJob(deps, job),
  cancel: ({ deps }, job) => cancelJob(deps, job),
  'cancel by force': ({ deps }, job) => cancelJob(deps, job, { force: true }),
  succeed: ({ deps }, job) => finishJob(deps, job, { status: 'success' }),
  fail: ({ deps }, job) => finishJob(deps, job, { status: 'failed', reason: 'script_failure' }),
}

function outcomeOf(before: JobRow, after: JobRow | string): Outcome {
  if (typeof after === 'string') return undefined
  return after.id === before.id ? after.status : `${after.status} again`
}

/** Ends what is left of an event, so that the runner meets one job at a time. */
async function clearUp(engine: TestEngine): Promise<void> {
  const jobs = await engine.deps.database.selectFrom('job').selectAll().execute()
  const left = jobs.filter(({ status }) => !isCompleted(status))
  for (const job of [...left, ...left]) await cancelJob(engine.deps, job, { force: true })
}

describeOnDatabase('a job', (open) => {
  test('comes to what the table says, by every event in every status', async () => {
    const engine = await openEngine(open)
    const found: Record<string, Record<string, Outcome>> = {}
    for (const [status, comesTo] of Object.entries(ways)) {
      found[status] = {}
      for (const [event, happen] of Object.entries(events)) {
        const before = await comesTo(engine)
        found[status][event] = outcomeOf(before, await happen(engine, before))
        await expectConsistentStore(engine)
        await clearUp(engine)
      }
    }
    expect(found).toEqual(table)
  })

  test('has a start once it has run, and an end once it has ended other than by being skipped', async () => {
    const engine = await openEngine(open)
    for (const [way, comesTo] of Object.entries(ways)) {
      const { status, started_at, finished_at } = await comesTo(engine)
      expect(way).toContain(status)
      expect([way, started_at !== null]).toEqual([way, /^(running|canceling|success|failed)/.test(way)])
      expect([way, finished_at !== null]).toEqual([way, isFinished(status)])
      await clearUp(engine)
    }
  })
})
