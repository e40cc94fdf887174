import fc from 'fast-check'
import { expect, test } from 'vitest'

import { setProcessMode } from '../../../../../../src/coordinator/ci/engine/advance/resource-groups/set-process-mode.js'
import { startGrantedJobs } from '../../../../../../src/coordinator/ci/engine/advance/resource-groups/start-granted-jobs.js'
import { startDueJobs } from '../../../../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { expireLease } from '../../../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { finishJob } from '../../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { cancelJob, cancelPipeline } from '../../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryJob } from '../../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { PipelineRow } from '../../../../../../src/coordinator/database/tables/pipeline-rows.js'
import type { ProcessMode } from '../../../../../../src/coordinator/database/tables/resource-groups.js'
import { describeOnDatabase, describeOnEachDatabase, openPostgres } from '../../../../../support/databases.js'
import { fuzzRuns } from '../../../../../support/fuzz-runs.js'
import {
  fail,
  jobNamed,
  nextJob,
  openEngine,
  pipelineOf,
  pipelineOfPlan,
  reread,
  secondCoordinator,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../../support/engine.js'
import { expectConsistentStore } from '../../support/invariants.js'
import { planOf, type PlanSketch } from '../../support/plan.js'

const DEPLOY = planOf({ deploy: { resourceGroup: 'production' }, after: { stage: 1 } })

async function statusOf(engine: TestEngine, pipeline: PipelineRow, name = 'deploy'): Promise<string> {
  return (await jobNamed(engine, pipeline, name)).status
}

async function setMode({ deps, project }: TestEngine, key: string, mode: ProcessMode): Promise<void> {
  const group = await deps.database
    .selectFrom('resource_group')
    .selectAll()
    .where('project_id', '=', project.id)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  await setProcessMode(deps, group, mode)
}

describeOnEachDatabase('a job with a resource group', (open, testOnOne) => {
  test('waits while a job of another pipeline has the resource, and gets it with the end of that one', async () => {
    const engine = await openEngine(open)
    const [first, second] = [await pipelineOfPlan(engine, DEPLOY), await pipelineOfPlan(engine, DEPLOY)]
    expect(await statusesOf(engine, first)).toMatchObject({
      pipeline: 'pending',
      jobs: { deploy: 'pending' },
    })
    expect(await statusesOf(engine, second)).toMatchObject({
      pipeline: 'waiting_for_resource',
      jobs: { deploy: 'waiting_for_resource', after: 'created' },
    })
    const running = await takeJob(engine, 'deploy')
    expect(running.pipeline.id).toBe(first.id)
    expect(await nextJob(engine)).toBeUndefined()
    await expectConsistentStore(engine)

    await succeed(engine, running)
    expect(await statusesOf(engine, second)).toMatchObject({
      pipeline: 'pending',
      jobs: { deploy: 'pending' },
    })
    await expectConsistentStore(engine)
    await succeed(engine, await takeJob(engine, 'after'))
    await succeed(engine, await takeJob(engine, 'deploy'))
    await succeed(engine, await takeJob(engine, 'after'))
    expect((await reread(engine, second)).status).toBe('success')
    await expectConsistentStore(engine)
  })

  testOnOne.each<[string, (engine: TestEngine, pipeline: PipelineRow) => Promise<unknown>]>([
    ['fails', async (engine) => fail(engine, await takeJob(engine, 'deploy'))],
    ['is canceled in the queue', (engine, pipeline) => cancelPipeline(engine.deps, pipeline)],
    [
      'is canceled while it runs',
      async (engine, pipeline) => {
        await takeJob(engine, 'deploy')
        await cancelPipeline(engine.deps, pipeline)
        expect(await statusOf(engine, pipeline)).toBe('canceling')
        await cancelJob(engine.deps, await jobNamed(engine, pipeline, 'deploy'), { force: true })
      },
    ],
    [
      'is deleted with its pipeline',
      async (engine, pipeline) => {
        await engine.deps.database.deleteFrom('pipeline').where('id', '=', pipeline.id).execute()
        await startGrantedJobs(engine.deps)
      },
    ],
  ])('gets the resource when the one that has it %s', async (_, end) => {
    const engine = await openEngine(open)
    const [first, second] = [await pipelineOfPlan(engine, DEPLOY), await pipelineOfPlan(engine, DEPLOY)]
    await end(engine, first)
    expect(await statusOf(engine, second)).toBe('pending')
  })

  testOnOne(
    'keeps the resource while its runner cancels it, and when it goes back to the queue',
    async () => {
      const engine = await openEngine(open)
      const [first, second] = [await pipelineOfPlan(engine, DEPLOY), await pipelineOfPlan(engine, DEPLOY)]
      const { job } = await takeJob(engine, 'deploy')
      await expireLease(engine.deps, job.id, Date.now() + 3600 * 1000)
      expect(await statusOf(engine, first)).toBe('pending')
      await takeJob(engine, 'deploy')
      await cancelJob(engine.deps, await jobNamed(engine, first, 'deploy'))
      expect(await statusOf(engine, first)).toBe('canceling')
      expect(await statusOf(engine, second)).toBe('waiting_for_resource')
      await expectConsistentStore(engine)
    },
  )

  testOnOne('that is canceled while it waits leaves the resource to the others', async () => {
    const engine = await openEngine(open)
    const pipelines = []
    for (let n = 0; n < 3; n++) pipelines.push(await pipelineOfPlan(engine, DEPLOY))
    await cancelPipeline(engine.deps, pipelines[1]!)
    await succeed(engine, await takeJob(engine, 'deploy'))
    expect(await statusOf(engine, pipelines[1]!)).toBe('canceled')
    expect(await statusOf(engine, pipelines[2]!)).toBe('pending')
  })

  testOnOne('waits for it also when it is played, retried or its time has come', async () => {
    const engine = await openEngine(open)
    const busy = planOf({ deploy: { resourceGroup: 'production', tags: ['nobody'] } })
    const holder = await pipelineOfPlan(engine, busy)
    const plan = planOf({
      hand: { when: 'manual', resourceGroup: 'production' },
      later: { startIn: 60, resourceGroup: 'production' },
      again: { resourceGroup: 'other' },
    })
    const pipeline = await pipelineOfPlan(engine, plan)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({
      hand: 'manual',
      later: 'scheduled',
      again: 'pending',
    })
    await playJob(engine.deps, await jobNamed(engine, pipeline, 'hand'), engine.user)
    await startDueJobs(engine.deps, Date.now() + 61 * 1000)
    const again = await takeNamed(engine, 'again')
    await pipelineOfPlan(engine, planOf({ again: { resourceGroup: 'other' } }))
    await fail(engine, again)
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'again'), engine.user)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({
      hand: 'waiting_for_resource',
      later: 'waiting_for_resource',
      again: 'waiting_for_resource',
    })
    await expectConsistentStore(engine)
    await cancelPipeline(engine.deps, holder)
    expect(await statusOf(engine, pipeline, 'hand')).toBe('pending')
    expect(await statusOf(engine, pipeline, 'later')).toBe('waiting_for_resource')
  })

  testOnOne('of another project or key does not wait', async () => {
    const engine = await openEngine(open)
    await pipelineOfPlan(engine, DEPLOY)
    const pipeline = await pipelineOfPlan(engine, planOf({ deploy: { resourceGroup: 'staging' } }))
    expect(await statusOf(engine, pipeline)).toBe('pending')
  })

  testOnOne('has a key in which variables are expanded; what makes no key is a warning', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      [
        'one: { script: x, resource_group: "deploy/$CI_COMMIT_REF_NAME" }',
        'two: { script: x, resource_group: "$NOBODY_SET_THIS" }',
      ].join('\n'),
    )
    expect(await engine.deps.database.selectFrom('resource_group').select('key').execute()).toEqual([
      { key: 'deploy/main' },
    ])
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ one: 'pending', two: 'pending' })
    expect(pipeline.warnings).toEqual([
      "jobs:two:resource_group has no effect: '' is no key, which can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
    ])
  })
})

/** The pending job of this name, whichever comes first. */
async function takeNamed(engine: TestEngine, name: string) {
  for (;;) {
    const dispatched = await nextJob(engine)
    if (!dispatched) throw new Error(`${name} is not pending`)
    if (dispatched.job.name === name) return dispatched
  }
}

/*
 * Pipelines 1 to 4 share a resource that another one has. `ready` says which of them wait for it; the others have not come
 * to that job yet. What does the resource go to when it is free, and then, and then?
 */
describeOnDatabase('the process mode', (open) => {
  test.each<[ProcessMode, ready: number[], order: number[]]>([
    ['unordered', [1, 2, 3, 4], [1, 2, 3, 4]],
    ['unordered', [2, 4], [2, 4]],
    ['oldest_first', [1, 2, 3, 4], [1, 2, 3, 4]],
    ['oldest_first', [1, 3, 4], [1]],
    ['oldest_first', [2, 3, 4], []],
    ['newest_first', [1, 2, 3, 4], [4, 3, 2, 1]],
    ['newest_first', [1, 3, 4], [4, 3]],
    ['newest_first', [1, 2, 3], []],
    ['newest_ready_first', [1, 2, 3, 4], [4, 3, 2, 1]],
    ['newest_ready_first', [1, 3], [3, 1]],
  ])('%s gives it to %j in the order %j', async (mode, ready, order) => {
    const engine = await openEngine(open)
    const holder = await pipelineOfPlan(engine, planOf({ deploy: { resourceGroup: 'production' } }))
    await setMode(engine, 'production', mode)
    const pipelines = new Map<number, PipelineRow>()
    for (const number of [1, 2, 3, 4]) {
      const before: PlanSketch = ready.includes(number) ? {} : { before: { tags: ['nobody'] } }
      const plan = planOf({ ...before, deploy: { stage: 1, resourceGroup: 'production' } })
      pipelines.set(number, await pipelineOfPlan(engine, plan))
    }
    const got: number[] = []
    for (
      let running = await takeJob(engine, 'deploy').catch(() => undefined);
      running;
      running = await takeJob(engine, 'deploy').catch(() => undefined)
    ) {
      for (const [number, { id }] of pipelines) if (id === running.pipeline.id) got.push(number)
      await succeed(engine, running)
      await expectConsistentStore(engine)
    }
    expect(await statusOf(engine, holder)).toBe('success')
    expect(got).toEqual(order)
  })

  test('counts for the resource that is free when it is changed', async () => {
    const engine = await openEngine(open)
    await pipelineOfPlan(engine, planOf({ deploy: { resourceGroup: 'production' } }))
    await setMode(engine, 'production', 'oldest_first')
    const before = planOf({
      before: { tags: ['nobody'] },
      deploy: { stage: 1, resourceGroup: 'production' },
    })
    const older = await pipelineOfPlan(engine, before)
    const newer = await pipelineOfPlan(engine, DEPLOY)
    await succeed(engine, await takeJob(engine, 'deploy'))
    expect(await statusOf(engine, newer)).toBe('waiting_for_resource')
    await setMode(engine, 'production', 'unordered')
    expect(await statusOf(engine, newer)).toBe('pending')
    expect(await statusOf(engine, older)).toBe('created')
    await expectConsistentStore(engine)
  })

  test('oldest_first waits no longer for a job that will not run', async () => {
    const engine = await openEngine(open)
    await pipelineOfPlan(engine, planOf({ deploy: { resourceGroup: 'production' } }))
    await setMode(engine, 'production', 'oldest_first')
    const older = await pipelineOfPlan(
      engine,
      planOf({ before: { tags: ['nobody'] }, deploy: { stage: 1, resourceGroup: 'production' } }),
    )
    const newer = await pipelineOfPlan(engine, DEPLOY)
    await succeed(engine, await takeJob(engine, 'deploy'))
    expect(await statusOf(engine, newer)).toBe('waiting_for_resource')
    await cancelPipeline(engine.deps, older)
    expect(await statusOf(engine, newer)).toBe('pending')
  })

  test('oldest_first takes the job of a pipeline that is ready before one that comes after it there', async () => {
    const engine = await openEngine(open)
    await pipelineOfPlan(engine, planOf({ deploy: { resourceGroup: 'production' } }))
    await setMode(engine, 'production', 'oldest_first')
    const pipeline = await pipelineOfPlan(
      engine,
      planOf({
        last: { stage: 1, resourceGroup: 'production' },
        first: { resourceGroup: 'production' },
      }),
    )
    await succeed(engine, await takeJob(engine, 'deploy'))
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ last: 'created', first: 'pending' })
  })
})

const KEYS = ['a', 'b', 'c']
const drawnPipeline = fc.array(
  fc.record({ stage: fc.nat(1), key: fc.option(fc.constantFrom(...KEYS), { nil: undefined }) }),
  { minLength: 1, maxLength: 4 },
)

describeOnEachDatabase('resources', (open) => {
  test('have one job at a time and are never left free while a job is ready, whatever happens', async () => {
    const engine = await openEngine(open)
    const property = fc.asyncProperty(
      fc.array(drawnPipeline, { minLength: 2, maxLength: 4 }),
      fc.array(fc.tuple(fc.constantFrom('take', 'end', 'end', 'cancel', 'retry'), fc.nat(20)), {
        maxLength: 30,
      }),
      async (drawn, events) => {
        const pipelines: PipelineRow[] = []
        for (const jobs of drawn) pipelines.push(await pipelineOfPlan(engine, planOf(sketchOf(jobs))))
        for (const [kind, pick] of events) {
          await perform(engine, kind, pick, pipelines)
          await expectConsistentStore(engine)
          await startGrantedJobs(engine.deps)
          await expectConsistentStore(engine)
        }
        for (let job = await nextJob(engine); job; job = await nextJob(engine)) await succeed(engine, job)
        for (const pipeline of pipelines) await cancelPipeline(engine.deps, pipeline)
        for (const job of await running(engine)) await finishJob(engine.deps, job, { status: 'success' })
        const waiting = await engine.deps.database
          .selectFrom('job')
          .select('id')
          .where('status', '=', 'waiting_for_resource')
          .execute()
        expect(waiting).toEqual([])
      },
    )
    await fc.assert(property, fuzzRuns(6))
  })
})

function sketchOf(jobs: { stage: number; key: string | undefined }[]): PlanSketch {
  const ordered = [...jobs].sort((a, b) => a.stage - b.stage)
  return Object.fromEntries(
    ordered.map(({ stage, key }, index) => [
      `job${index}`,
      { stage, ...(key !== undefined && { resourceGroup: key }) },
    ]),
  )
}

function running({ deps }: TestEngine) {
  return deps.database
    .selectFrom('job')
    .selectAll()
    .where('status', 'in', ['running', 'canceling'])
    .orderBy('id')
    .execute()
}

async function perform(
  engine: TestEngine,
  kind: string,
  pick: number,
  pipelines: PipelineRow[],
): Promise<void> {
  const pipeline = pipelines[pick % pipelines.length]!
  const jobs = await running(engine)
  const job = jobs[pick % jobs.length]
  if (kind === 'take') await nextJob(engine)
  else if (kind === 'end' && job) await finishJob(engine.deps, job, { status: 'success' })
  else if (kind === 'cancel') await cancelPipeline(engine.deps, pipeline)
  else if (kind === 'retry')
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'job0'), engine.user)
}

test('several coordinators on one PostgreSQL hand a resource from job to job without a deadlock', async () => {
  const engine = await openEngine(openPostgres)
  const coordinators = [engine.deps, secondCoordinator(engine), secondCoordinator(engine)]
  const pipelines: PipelineRow[] = []
  for (let n = 0; n < 12; n++) {
    const [one, other] = n % 2 ? ['x', 'y'] : ['y', 'x']
    const plan = planOf({
      p: { resourceGroup: one },
      q: { resourceGroup: other },
      r: { stage: 1, resourceGroup: 'x' },
    })
    pipelines.push(await pipelineOfPlan(engine, plan))
  }
  const work = async (deps: (typeof coordinators)[number], turn: number): Promise<void> => {
    const coordinator = { ...engine, deps }
    const canceled = pipelines[turn]!
    for (let idle = 0; idle < 3;) {
      const dispatched = await nextJob(coordinator)
      if (dispatched) await finishJob(deps, dispatched.job, { status: 'success' })
      else idle++
      if (idle === 1) await cancelPipeline(deps, canceled)
      await startGrantedJobs(deps)
    }
  }
  await Promise.all(coordinators.map(work))
  await work(engine.deps, 5)
  await expectConsistentStore(engine)
  for (const pipeline of pipelines) {
    expect(['success', 'canceled']).toContain((await reread(engine, pipeline)).status)
  }
})
