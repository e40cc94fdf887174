import { expect, test } from 'vitest'

import { cancelPipeline } from '../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../src/coordinator/ci/engine/retry/play.js'
import { retryPipeline } from '../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import type { PipelineRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { CompositeStatus } from '../../../../src/coordinator/database/tables/pipelines.js'
import { describeOnDatabase } from '../../../support/databases.js'
import {
  fail,
  jobNamed,
  openEngine,
  pipelineOfPlan,
  reread,
  succeed,
  takeJob,
  type TestEngine,
} from './support/engine.js'
import { planOf, type PlanSketch } from './support/plan.js'

interface Row {
  title: string
  jobs: PlanSketch
  happens?: (engine: TestEngine, pipeline: PipelineRow) => Promise<unknown>
  status: CompositeStatus
  hasStarted: boolean
  hasFinished: boolean
}

const one: PlanSketch = { a: {} }
const runs = (engine: TestEngine) => takeJob(engine, 'a')
const succeeds = async (engine: TestEngine) => succeed(engine, await runs(engine))
const fails = async (engine: TestEngine) => fail(engine, await runs(engine))

const waits = { hasStarted: false, hasFinished: false }
const isUnderWay = { hasStarted: true, hasFinished: false }
const isOver = { hasStarted: true, hasFinished: true }

const table: Row[] = [
  { title: 'nobody has taken a job', jobs: one, status: 'pending', ...waits },
  { title: 'a job runs', jobs: one, happens: runs, status: 'running', ...isUnderWay },
  { title: 'all succeeded', jobs: one, happens: succeeds, status: 'success', ...isOver },
  { title: 'one failed', jobs: one, happens: fails, status: 'failed', ...isOver },
  {
    title: 'one failed that may',
    jobs: { a: { allowFailure: true } },
    happens: fails,
    status: 'success',
    ...isOver,
  },
  {
    title: 'it was canceled before it ran',
    jobs: one,
    happens: ({ deps }, pipeline) => cancelPipeline(deps, pipeline),
    status: 'canceled',
    hasStarted: false,
    hasFinished: true,
  },
  {
    title: 'it waits for a user',
    jobs: { a: {}, ask: { stage: 1, when: 'manual', allowFailure: false } },
    happens: succeeds,
    status: 'manual',
    ...isUnderWay,
  },
  {
    title: 'it waits for a time',
    jobs: { a: {}, later: { stage: 1, startIn: 3600 } },
    happens: succeeds,
    status: 'scheduled',
    ...isUnderWay,
  },
  {
    title: 'all there is is optional, and nobody has asked for it',
    jobs: { a: { when: 'manual' } },
    status: 'skipped',
    ...waits,
  },
  {
    title: 'it was retried after it had failed',
    jobs: one,
    happens: async (engine, pipeline) => {
      await fails(engine)
      await retryPipeline(engine.deps, pipeline, engine.user)
    },
    status: 'running',
    ...isUnderWay,
  },
  {
    title: 'an optional job was played after all others were done',
    jobs: { a: {}, ask: { stage: 1, when: 'manual' } },
    happens: async (engine, pipeline) => {
      await succeeds(engine)
      await playJob(engine.deps, await jobNamed(engine, pipeline, 'ask'), engine.user)
    },
    status: 'running',
    ...isUnderWay,
  },
]

describeOnDatabase('when a pipeline has started and finished (CI language, 11.2)', (open) => {
  test.each(table)('$title: $status', async ({ jobs, happens, status, hasStarted, hasFinished }) => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf(jobs))
    await happens?.(engine, pipeline)
    const { started_at, finished_at, ...found } = await reread(engine, pipeline)
    expect(found.status).toBe(status)
    expect([started_at !== null, finished_at !== null]).toEqual([hasStarted, hasFinished])
  })
})
