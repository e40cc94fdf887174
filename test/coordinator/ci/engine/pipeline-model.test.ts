import fc from 'fast-check'
import { expect, test } from 'vitest'

import type { PlannedAutoCancel, PlannedRetry } from '../../../../src/ci-config/plan.js'
import { startDueJobs } from '../../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { expireLease } from '../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { finishJob } from '../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { cancelJob, cancelPipeline } from '../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../src/coordinator/ci/engine/retry/play.js'
import { retryPipeline } from '../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { retryJob } from '../../../../src/coordinator/ci/engine/retry/retry.js'
import { unscheduleJob } from '../../../../src/coordinator/ci/engine/retry/unschedule.js'
import type { PipelineRow, RunnerRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { fuzzRuns } from '../../../support/fuzz-runs.js'
import {
  jobNamed,
  jobsOf,
  nextJob,
  openEngine,
  pipelineOfPlan,
  statusesOf,
  type TestEngine,
} from './support/engine.js'
import { expectConsistentStore } from './support/invariants.js'
import { type Ending, PipelineModel } from './support/pipeline-model.js'
import { planOf, type PlanSketch, type SketchedJob } from './support/plan.js'
import { addRunner } from './support/records.js'

const EVENTS = 40
const HOUR = 3600 * 1000
/** Later than any delayed job of these pipelines is due. */
const LATER = 120 * 1000

/** What runs a job stands here more often: a pipeline gets nowhere otherwise. */
const KINDS = [
  ...(['take', 'take', 'take', 'take', 'end', 'end', 'end', 'end', 'end'] as const),
  ...(['lose', 'cancel', 'cancel all', 'play', 'retry', 'retry all'] as const),
  ...(['unschedule', 'time passes', 'new commit'] as const),
] as const

interface Event {
  kind: (typeof KINDS)[number]
  /** Which of the jobs that it could be about. */
  pick: number
  ending: Ending
}

const exitCode = fc.constantFrom(1, 5, 137)
const ending: fc.Arbitrary<Ending> = fc.oneof(
  fc.constant<Ending>({ success: true }),
  exitCode.map((code): Ending => ({ success: false, exitCode: code })),
)
const events = fc.array(fc.record<Event>({ kind: fc.constantFrom(...KINDS), pick: fc.nat(20), ending }), {
  minLength: 20,
  maxLength: EVENTS,
})

const RETRIES: PlannedRetry[] = [
  { max: 1, when: ['always'], exitCodes: [] },
  { max: 2, when: [], exitCodes: [137] },
]

const drawnJob = fc.record({
  stage: fc.nat(2),
  when: fc.constantFrom('on_success', 'on_success', 'on_failure', 'always', 'manual', 'delayed'),
  allowFailure: fc.option(fc.boolean(), { nil: undefined }),
  needs: fc.option(fc.array(fc.nat(6), { maxLength: 3 }), { nil: undefined }),
  interruptible: fc.boolean(),
  retry: fc.option(fc.constantFrom<PlannedRetry>(...RETRIES), { nil: undefined }),
  allowFailureCodes: fc.option(fc.constant<number[]>([5]), { nil: undefined }),
})

const sketch = fc.array(drawnJob, { minLength: 1, maxLength: 7 }).map((drawn) => {
  const jobs: PlanSketch = {}
  drawn
    .sort((a, b) => a.stage - b.stage)
    .forEach((job, index) => {
      jobs[`job${index}`] = sketchOf(job, index)
    })
  return jobs
})

/** A job needs jobs before it only. */
function sketchOf(
  drawn: typeof drawnJob extends fc.Arbitrary<infer Drawn> ? Drawn : never,
  index: number,
): SketchedJob {
  const { stage, when, allowFailure, needs, interruptible, retry, allowFailureCodes } = drawn
  return {
    stage,
    interruptible,
    ...(when === 'delayed' ? { startIn: 30 + index } : { when }),
    ...(allowFailure !== undefined && !allowFailureCodes && { allowFailure }),
    ...(allowFailureCodes && { allowFailure: false }),
    ...(needs && { needs: [...new Set(needs.filter((need) => need < index))].map((need) => `job${need}`) }),
    options: { ...(retry && { retry }), ...(allowFailureCodes && { allowFailureCodes }) },
  }
}

const autoCancel: fc.Arbitrary<PlannedAutoCancel> = fc.record({
  onNewCommit: fc.constantFrom('conservative', 'interruptible', 'none'),
  onJobFailure: fc.constantFrom('none', 'none', 'all'),
})

/** One pipeline of the engine beside its model. Its tag keeps it apart from the other pipelines of the store. */
class Pair {
  private commits = 0

  constructor(
    private readonly engine: TestEngine,
    private readonly runner: RunnerRow,
    private readonly pipeline: PipelineRow,
    private readonly model: PipelineModel,
  ) {}

  static async create(
    engine: TestEngine,
    jobs: PlanSketch,
    wanted: PlannedAutoCancel,
    run: string,
  ): Promise<Pair> {
    const tagged = Object.fromEntries(
      Object.entries(jobs).map(([name, job]) => [name, { ...job, tags: [run] }]),
    )
    const runner = await addRunner(engine.deps.database, { tags: [run], runUntagged: false })
    const pipeline = await pipelineOfPlan(engine, planOf(tagged, { autoCancel: wanted }), { ref: run })
    return new Pair(engine, runner, pipeline, new PipelineModel(jobs, wanted))
  }

  async perform({ kind, pick, ending: how }: Event): Promise<void> {
    const { engine, pipeline, model } = this
    const { deps, user } = engine
    const taken = model.jobs.filter(({ status }) => status === 'running' || status === 'canceling')
    if ((kind === 'end' || kind === 'lose') && taken.length === 0) return
    const candidates = kind === 'end' || kind === 'lose' ? taken : model.jobs
    const job = candidates[pick % candidates.length]!
    const row = await jobNamed(engine, pipeline, job.name)
    switch (kind) {
      case 'take':
        return this.take()
      case 'end':
        await finishJob(
          deps,
          row,
          how.success
            ? { status: 'success' }
            : { status: 'failed', reason: 'script_failure', exitCode: how.exitCode },
        )
        {
          model.end(job, how)
          return
        }
      case 'lose':
        await expireLease(deps, row.id, Date.now() + HOUR)
        {
          model.lose(job)
          return
        }
      case 'cancel':
        await cancelJob(deps, row)
        {
          model.cancel(job)
          return
        }
      case 'cancel all':
        await cancelPipeline(deps, pipeline)
        {
          model.cancelAll()
          return
        }
      case 'play':
        await playJob(deps, row, user)
        {
          model.play(job)
          return
        }
      case 'retry':
        await retryJob(deps, row, user)
        {
          model.retry(job)
          return
        }
      case 'retry all':
        await retryPipeline(deps, pipeline, user)
        {
          model.retryAll()
          return
        }
      case 'unschedule':
        await unscheduleJob(deps, row)
        {
          model.unschedule(job)
          return
        }
      case 'time passes':
        await startDueJobs(deps, Date.now() + LATER)
        {
          model.timePasses()
          return
        }
      case 'new commit':
        await this.push()
        {
          model.newCommit()
          return
        }
    }
  }

  async expectAgreement(): Promise<void> {
    const { engine, pipeline, model } = this
    const attempts: Record<string, number> = {}
    for (const { name } of await jobsOf(engine, pipeline)) attempts[name] = (attempts[name] ?? 0) + 1
    const stages = await stagesOf(engine, pipeline)
    expect({ ...(await statusesOf(engine, pipeline)), stages, attempts }).toEqual({
      pipeline: model.status,
      stages: new Map([...model.stages].sort(([one], [other]) => one - other)),
      jobs: Object.fromEntries(model.jobs.map(({ name, status }) => [name, status])),
      attempts: Object.fromEntries(model.jobs.map((job) => [job.name, job.attempts])),
    })
  }

  private async take(): Promise<void> {
    const dispatched = await nextJob(this.engine, this.runner)
    const pending = this.model.jobs.filter(({ status }) => status === 'pending').map(({ name }) => name)
    if (!dispatched) {
      expect(pending).toEqual([])
      return
    }
    expect(pending).toContain(dispatched.job.name)
    this.model.start(this.model.named(dispatched.job.name))
  }

  /** Another commit on the branch, whose own pipeline is left alone. */
  private async push(): Promise<void> {
    const sha = String(++this.commits).padStart(40, '0')
    this.engine.repositories.head = sha
    const plan = planOf({ other: { tags: ['nobody'] } })
    await pipelineOfPlan(this.engine, plan, { ref: this.pipeline.ref, sha })
  }
}

/** Statuses of the stages by their positions. */
async function stagesOf({ deps }: TestEngine, { id }: PipelineRow) {
  const { database } = deps
  const rows = await database
    .selectFrom('job')
    .innerJoin('stage', 'stage.id', 'job.stage_id')
    .select(['job.stage_index', 'stage.status'])
    .where('job.pipeline_id', '=', id)
    .orderBy('job.stage_index')
    .execute()
  return new Map(rows.map(({ stage_index, status }) => [stage_index, status]))
}

describeOnDatabase('a pipeline', (open) => {
  test('is where the reference model is after every event, whatever its jobs', async () => {
    const engine = await openEngine(open)
    let runs = 0
    const property = fc.asyncProperty(sketch, autoCancel, events, async (jobs, wanted, happening) => {
      const pair = await Pair.create(engine, jobs, wanted, `run${++runs}`)
      await pair.expectAgreement()
      for (const event of happening) {
        await pair.perform(event)
        await pair.expectAgreement()
      }
      await expectConsistentStore(engine)
    })
    await fc.assert(property, fuzzRuns(12))
  })
})
