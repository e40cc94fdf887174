import { expect, test } from 'vitest'

import { cancelJob } from '../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../src/coordinator/ci/engine/retry/play.js'
import type { JobStatus } from '../../../../src/coordinator/database/tables/job-columns.js'
import type { PipelineRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../support/databases.js'
import {
  fail,
  jobNamed,
  nextJob,
  openEngine,
  pipelineOfPlan,
  statusesOf,
  succeed,
  type TestEngine,
} from './support/engine.js'
import { expectConsistentStore } from './support/invariants.js'
import { planOf, type PlanSketch } from './support/plan.js'

interface Vector {
  title: string
  jobs: PlanSketch
  /** Names of the jobs that fail when they run; the others succeed. */
  failing?: string[]
  /** Done at first, before any job is taken. */
  first?: (engine: TestEngine, pipeline: PipelineRow) => Promise<unknown>
  /** Done when no job is left to take; then all jobs that are left run. */
  then?: (engine: TestEngine, pipeline: PipelineRow) => Promise<unknown>
  /** When no job is left to take, before `then`. */
  between?: Record<string, JobStatus>
  pipeline: JobStatus
  statuses: Record<string, JobStatus>
}

const play =
  (name: string) =>
  async (engine: TestEngine, pipeline: PipelineRow): Promise<unknown> =>
    playJob(engine.deps, await jobNamed(engine, pipeline, name), engine.user)

const cancel =
  (name: string) =>
  async (engine: TestEngine, pipeline: PipelineRow): Promise<unknown> =>
    cancelJob(engine.deps, await jobNamed(engine, pipeline, name))

const VECTORS: Vector[] = [
  {
    title: 'one of two tests fails: deploy is skipped, notify and clean run, the pipeline has failed',
    jobs: {
      build: {},
      a: { stage: 1 },
      b: { stage: 1 },
      deploy: { stage: 2 },
      notify: { stage: 3, when: 'on_failure' },
      clean: { stage: 4, when: 'always' },
    },
    failing: ['a'],
    pipeline: 'failed',
    statuses: {
      build: 'success',
      a: 'failed',
      b: 'success',
      deploy: 'skipped',
      notify: 'success',
      clean: 'success',
    },
  },
  {
    title: 'an allowed failure: what follows runs, on_failure is skipped, the pipeline has succeeded',
    jobs: { a: { allowFailure: true }, next: { stage: 1 }, rescue: { stage: 1, when: 'on_failure' } },
    failing: ['a'],
    pipeline: 'success',
    statuses: { a: 'failed', next: 'success', rescue: 'skipped' },
  },
  {
    title: 'an optional manual job does not hold up the next stage, nor the pipeline',
    jobs: { ask: { when: 'manual' }, next: { stage: 1 } },
    pipeline: 'success',
    statuses: { ask: 'manual', next: 'success' },
  },
  {
    title: 'a blocking manual job holds up everything after it until it is played',
    jobs: { ask: { when: 'manual', allowFailure: false }, next: { stage: 1 } },
    between: { pipeline: 'manual', ask: 'manual', next: 'created' },
    then: play('ask'),
    pipeline: 'success',
    statuses: { ask: 'success', next: 'success' },
  },
  {
    title: 'a job that needs an optional manual job is skipped, and runs once that was played',
    jobs: { ask: { when: 'manual' }, x: { stage: 1, needs: ['ask'] } },
    between: { pipeline: 'skipped', ask: 'manual', x: 'skipped' },
    then: play('ask'),
    pipeline: 'success',
    statuses: { ask: 'success', x: 'success' },
  },
  {
    title: 'a job that needs a skipped job is skipped, unless it always runs',
    jobs: {
      y: { when: 'on_failure' },
      x: { stage: 1, needs: ['y'] },
      z: { stage: 1, needs: ['y'], when: 'always' },
    },
    pipeline: 'success',
    statuses: { y: 'skipped', x: 'skipped', z: 'success' },
  },
  {
    title: 'a first stage that is all skipped lets the second run',
    jobs: { a: { when: 'on_failure' }, b: { when: 'on_failure' }, next: { stage: 1 } },
    pipeline: 'success',
    statuses: { a: 'skipped', b: 'skipped', next: 'success' },
  },
  {
    title: 'a job that was canceled alone: the pipeline is canceled, later stages are skipped',
    jobs: { a: {}, b: {}, next: { stage: 1 }, clean: { stage: 1, when: 'always' } },
    first: cancel('a'),
    pipeline: 'canceled',
    statuses: { a: 'canceled', b: 'success', next: 'skipped', clean: 'skipped' },
  },
  {
    title: 'a delayed job that waits for its time: the pipeline is scheduled',
    jobs: { a: {}, later: { startIn: 600 }, next: { stage: 1 } },
    pipeline: 'scheduled',
    statuses: { a: 'success', later: 'scheduled', next: 'created' },
  },
]

/** Runs every job that can be had. */
async function runAll(engine: TestEngine, failing: string[]): Promise<void> {
  for (let taken = await nextJob(engine); taken; taken = await nextJob(engine)) {
    await (failing.includes(taken.job.name) ? fail(engine, taken) : succeed(engine, taken))
  }
}

describeOnDatabase('the flow of a pipeline (CI language, 19.4)', (open) => {
  test.each(VECTORS)(
    '$title',
    async ({ jobs, failing = [], first, between, then, pipeline: status, statuses }) => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOfPlan(engine, planOf(jobs))
      await first?.(engine, pipeline)
      await runAll(engine, failing)
      if (between) {
        const { pipeline: now, jobs: ofJobs } = await statusesOf(engine, pipeline)
        expect({ pipeline: now, ...ofJobs }).toEqual(between)
      }
      await then?.(engine, pipeline)
      await runAll(engine, failing)
      expect(await statusesOf(engine, pipeline)).toEqual({ pipeline: status, jobs: statuses })
      await expectConsistentStore(engine)
    },
  )
})
