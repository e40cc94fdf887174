import { expect, test } from 'vitest'

import { dispatchJob } from '../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import type { DispatchedJob } from '../../../../src/coordinator/ci/engine/dispatch/start-claimed.js'
import { finishJob } from '../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { findJob } from '../../../../src/coordinator/ci/engine/job-store.js'
import { lockPipeline } from '../../../../src/coordinator/ci/engine/pipeline-store.js'
import { cancelPipeline } from '../../../../src/coordinator/ci/engine/retry/cancel.js'
import { retryPipeline } from '../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import type { PipelineRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { describeOnEachDatabase, openPostgres } from '../../../support/databases.js'
import {
  ALL_FEATURES,
  jobsOf,
  openEngine,
  pipelineOf,
  reread,
  secondCoordinator,
  statusesOf,
  takeJob,
} from './support/engine.js'
import { expectConsistentStore } from './support/invariants.js'

const SUCCESS = { status: 'success' } as const

function manyJobs(count: number): string {
  return Array.from({ length: count }, (_, index) => `job${index}: { script: x }`).join('\n')
}

describeOnEachDatabase('at the same time', (open) => {
  test('two jobs of a pipeline finish: the next stage starts once', async () => {
    const engine = await openEngine(open)
    const file =
      'stages: [one, two]\na: { stage: one, script: x }\nb: { stage: one, script: x }\nc: { stage: two, script: x }'
    const pipeline = await pipelineOf(engine, file)
    const taken = [await takeJob(engine, 'a'), await takeJob(engine, 'b')]
    await Promise.all(taken.map(({ job }) => finishJob(engine.deps, job, { status: 'success' })))
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ a: 'success', b: 'success', c: 'pending' })
    await expectConsistentStore(engine)
  })

  test('one job is finished twice: the first report counts', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }')
    const { job } = await takeJob(engine, 'a')
    const results = await Promise.all([
      finishJob(engine.deps, job, { status: 'success' }),
      finishJob(engine.deps, job, { status: 'success' }),
    ])
    expect(results.filter((result) => result === 'not-running')).toHaveLength(1)
  })

  test('jobs of a pipeline succeed, fail and are reported twice: each ends by its first report', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      `${manyJobs(4)}\nafter: { script: x, stage: deploy, when: on_failure }`,
    )
    const taken: DispatchedJob[] = []
    for (let index = 0; index < 4; index++) taken.push(await takeJob(engine, `job${index}`))
    const failure = { status: 'failed', reason: 'script_failure', exitCode: 3 } as const
    const reports = [
      [0, { status: 'success' }],
      [1, failure],
      [2, { status: 'success', coverage: 87.5 }],
      [1, { status: 'success' }],
      [3, { status: 'success' }],
      [0, { status: 'success' }],
    ] as const
    const results = await Promise.all(
      reports.map(([index, result]) => finishJob(engine.deps, taken[index]!.job, result)),
    )
    expect(results.map((result) => (result === 'not-running' ? result : result.status))).toEqual([
      'success',
      'failed',
      'success',
      'not-running',
      'success',
      'not-running',
    ])
    const jobs = await jobsOf(engine, pipeline)
    expect(jobs.map(({ status, coverage, exit_code }) => [status, coverage, exit_code])).toEqual([
      ['success', null, null],
      ['failed', null, 3],
      ['success', 87.5, null],
      ['success', null, null],
      ['pending', null, null],
    ])
    await expectConsistentStore(engine)
  })

  test('jobs of several pipelines finish: each pipeline goes on', async () => {
    const engine = await openEngine(open)
    const file =
      'stages: [one, two]\na: { stage: one, script: x }\nb: { stage: one, script: x }\nc: { stage: two, script: x }'
    const pipelines: PipelineRow[] = []
    const taken: DispatchedJob[] = []
    for (let index = 0; index < 4; index++) {
      pipelines.push(await pipelineOf(engine, file))
      taken.push(await takeJob(engine, 'a'), await takeJob(engine, 'b'))
    }
    const failure = { status: 'failed', reason: 'script_failure' } as const
    await Promise.all(
      taken.map(({ job }, index) => finishJob(engine.deps, job, index === 4 ? failure : SUCCESS)),
    )
    const statuses = await Promise.all(pipelines.map((pipeline) => statusesOf(engine, pipeline)))
    const over = { pipeline: 'running', jobs: { a: 'success', b: 'success', c: 'pending' } }
    const failed = { pipeline: 'failed', jobs: { a: 'failed', b: 'success', c: 'skipped' } }
    expect(statuses).toEqual([over, over, failed, over])
    await expectConsistentStore(engine)
  })

  test('many ask: no job is dispatched twice, and none is left', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, manyJobs(30))
    const asking = { runner: engine.runner, features: ALL_FEATURES }
    const dispatched = await Promise.all(Array.from({ length: 30 }, () => dispatchJob(engine.deps, asking)))
    const rest: DispatchedJob[] = []
    for (
      let next = await dispatchJob(engine.deps, asking);
      next;
      next = await dispatchJob(engine.deps, asking)
    ) {
      rest.push(next)
    }
    const ids = [...dispatched, ...rest].flatMap((found) => (found ? [found.job.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(30)
    expect((await jobsOf(engine, pipeline)).every((job) => job.status === 'running')).toBe(true)
    await expectConsistentStore(engine)
  })

  test('jobs are dispatched, finished, canceled and retried: the store stays consistent', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, manyJobs(20))
    const asking = { runner: engine.runner, features: {} }
    const work = async (): Promise<void> => {
      for (
        let next = await dispatchJob(engine.deps, asking);
        next;
        next = await dispatchJob(engine.deps, asking)
      ) {
        await finishJob(engine.deps, next.job, { status: 'failed', reason: 'script_failure' })
      }
    }
    await Promise.all([work(), work(), work(), cancelPipeline(engine.deps, pipeline)])
    await expectConsistentStore(engine)
    await Promise.all([retryPipeline(engine.deps, pipeline, engine.user), work(), work()])
    await work()
    await expectConsistentStore(engine)
    expect((await reread(engine, pipeline)).status).toBe('failed')
    const latest = (await jobsOf(engine, pipeline)).filter((job) => !job.retried)
    expect(latest.map((job) => job.status)).toEqual(Array.from({ length: 20 }, () => 'failed'))
  })
})

test('a pipeline that another transaction has locked delays the jobs of no other', async () => {
  const engine = await openEngine(openPostgres)
  const locked = await pipelineOf(engine, 'a: { script: x }\nb: { script: x }')
  await pipelineOf(engine, 'c: { script: x }\nd: { script: x }')
  const [a, b] = [await takeJob(engine, 'a'), await takeJob(engine, 'b')]
  const [c, d] = [await takeJob(engine, 'c'), await takeJob(engine, 'd')]
  const [isLocked, release] = [deferred(), deferred()]
  const other = inTransaction(engine.deps.database, async (tx) => {
    await lockPipeline(tx, 'postgres', locked.id)
    isLocked.resolve()
    await release.promise
  })
  await isLocked.promise
  const finish = ({ job }: DispatchedJob) => finishJob(engine.deps, job, SUCCESS)
  const [first, second] = [finish(a), finish(c)]
  expect(await second).toMatchObject({ status: 'success' })
  const third = finish(b)
  expect(await finish(d)).toMatchObject({ status: 'success' })
  expect(await findJob(engine.deps.database, a.job.id)).toMatchObject({ status: 'running' })
  release.resolve()
  expect(await Promise.all([first, third])).toMatchObject([{ status: 'success' }, { status: 'success' }])
  await other
  expect((await reread(engine, locked)).status).toBe('success')
  await expectConsistentStore(engine)
})

test('two coordinators on one PostgreSQL never dispatch the same job', async () => {
  const engine = await openEngine(openPostgres)
  const other = secondCoordinator(engine)
  await pipelineOf(engine, manyJobs(40))
  const asking = { runner: engine.runner, features: ALL_FEATURES }
  const takeAll = async (deps: typeof other): Promise<number[]> => {
    const ids: number[] = []
    for (let next = await dispatchJob(deps, asking); next; next = await dispatchJob(deps, asking)) {
      ids.push(next.job.id)
    }
    return ids
  }
  const taken = await Promise.all([engine.deps, other, engine.deps, other].map(takeAll))
  expect(taken.flat()).toHaveLength(40)
  expect(new Set(taken.flat()).size).toBe(40)
  await expectConsistentStore(engine)
})
