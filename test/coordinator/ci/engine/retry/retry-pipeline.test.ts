import { expect, test } from 'vitest'

import { cancelStage } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playPipeline } from '../../../../../src/coordinator/ci/engine/retry/play-pipeline.js'
import { retryJobs, retryPipeline } from '../../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { findStageIndex } from '../../../../../src/coordinator/ci/pipelines/store.js'
import type { JobRow, PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase, describeOnEachDatabase, openSqlite } from '../../../../support/databases.js'
import { cutAtSqliteWrite } from '../../../support/statement-hooks.js'
import {
  fail,
  jobNamed,
  jobsOf,
  openEngine,
  pipelineOf,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { addUser } from '../support/records.js'

const STAGES = `
stages: [build, test, deploy]
compile: { stage: build, script: x }
unit: { stage: test, script: x }
lint: { stage: test, script: x, allow_failure: true }
deploy: { stage: deploy, script: x }
smoke: { stage: deploy, script: x, needs: [deploy] }
`

/** A pipeline in which `lint` and `deploy` have failed, and the rest has succeeded or was skipped. */
async function failedPipeline(engine: TestEngine): Promise<PipelineRow> {
  const pipeline = await pipelineOf(engine, STAGES)
  await succeed(engine, await takeJob(engine, 'compile'))
  await succeed(engine, await takeJob(engine, 'unit'))
  await fail(engine, await takeJob(engine, 'lint'))
  await fail(engine, await takeJob(engine, 'deploy'))
  return pipeline
}

async function attempts(engine: TestEngine, pipeline: PipelineRow): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await jobsOf(engine, pipeline)) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** The index of the stage with this name. */
async function stageOf({ deps }: TestEngine, { id }: PipelineRow, name: string): Promise<number> {
  const index = await findStageIndex(deps.database, id, name)
  if (index === undefined) throw new Error(`There is no stage ${name}`)
  return index
}

const namesOf = ({ jobs }: { jobs: JobRow[] }) => jobs.map(({ name }) => name)

describeOnEachDatabase('a retry of a pipeline', (open, testOnOne) => {
  testOnOne(
    'from a stage runs that stage and the later ones again, with the jobs that had succeeded',
    async () => {
      const engine = await openEngine(open)
      const other = await addUser(engine.deps.database)
      const pipeline = await failedPipeline(engine)
      const result = await retryPipeline(engine.deps, pipeline, other, {
        fromStage: await stageOf(engine, pipeline, 'test'),
      })
      expect(namesOf(result)).toEqual(['unit', 'lint', 'deploy'])
      expect(result.jobs.map(({ user_id }) => user_id)).toEqual([other.id, other.id, other.id])
      expect(result.refused).toEqual([])
      expect(await attempts(engine, pipeline)).toEqual({ compile: 1, unit: 2, lint: 2, deploy: 2, smoke: 1 })
      expect(await statusesOf(engine, pipeline)).toEqual({
        pipeline: 'running',
        jobs: { compile: 'success', unit: 'pending', lint: 'pending', deploy: 'created', smoke: 'created' },
      })
      await succeed(engine, await takeJob(engine, 'unit'))
      await succeed(engine, await takeJob(engine, 'lint'))
      await succeed(engine, await takeJob(engine, 'deploy'))
      await succeed(engine, await takeJob(engine, 'smoke'))
      expect((await statusesOf(engine, pipeline)).pipeline).toBe('success')
      await expectConsistentStore(engine)
    },
  )

  testOnOne('from a stage leaves the jobs of that stage that run', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x }\nb: { script: x }')
    await succeed(engine, await takeJob(engine, 'a'))
    await takeJob(engine, 'b')
    expect(namesOf(await retryPipeline(engine.deps, pipeline, engine.user, { fromStage: 0 }))).toEqual(['a'])
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ a: 'pending', b: 'running' })
    await expectConsistentStore(engine)
  })

  testOnOne('from a stage lets manual jobs wait for a user again', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x, when: manual }')
    await playPipeline(engine.deps, pipeline, engine.user)
    await succeed(engine, await takeJob(engine, 'a'))
    await retryPipeline(engine.deps, pipeline, engine.user, { fromStage: 0 })
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ a: 'manual' })
    await expectConsistentStore(engine)
  })

  testOnOne(
    'of what failed leaves what was canceled, and decides again only what depends on it',
    async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(
        engine,
        `
stages: [one, two]
a: { stage: one, script: x }
b: { stage: one, script: x }
after-a: { stage: one, script: x, needs: [a] }
after-b: { stage: one, script: x, needs: [b] }
last: { stage: two, script: x }
`,
      )
      await fail(engine, await takeJob(engine, 'a'))
      await cancelStage(engine.deps, pipeline, await stageOf(engine, pipeline, 'one'))
      expect((await statusesOf(engine, pipeline)).jobs).toEqual({
        a: 'failed',
        b: 'canceled',
        'after-a': 'skipped',
        'after-b': 'canceled',
        last: 'skipped',
      })
      const result = await retryPipeline(engine.deps, pipeline, engine.user, { onlyFailed: true })
      expect(namesOf(result)).toEqual(['a'])
      expect((await statusesOf(engine, pipeline)).jobs).toMatchObject({
        a: 'pending',
        b: 'canceled',
        'after-a': 'created',
        'after-b': 'canceled',
      })
      await expectConsistentStore(engine)
    },
  )

  testOnOne('of one stage leaves the failed jobs of other stages', async () => {
    const engine = await openEngine(open)
    const pipeline = await failedPipeline(engine)
    expect(
      namesOf(
        await retryPipeline(engine.deps, pipeline, engine.user, {
          stage: await stageOf(engine, pipeline, 'deploy'),
        }),
      ),
    ).toEqual(['deploy'])
    expect((await statusesOf(engine, pipeline)).jobs).toMatchObject({
      lint: 'failed',
      deploy: 'pending',
      smoke: 'created',
    })
    await expectConsistentStore(engine)
  })

  testOnOne('leaves out jobs that would deploy older code', async () => {
    const engine = await openEngine(open)
    const file = 'deploy: { script: x, environment: production }\nother: { script: x }'
    const older = await pipelineOf(engine, file)
    await fail(engine, await takeJob(engine, 'deploy'))
    await fail(engine, await takeJob(engine, 'other'))
    await pipelineOf(engine, file, { sha: 'b'.repeat(40) })
    await succeed(engine, await takeJob(engine, 'deploy'))
    const result = await retryPipeline(engine.deps, older, engine.user)
    expect(namesOf(result)).toEqual(['other'])
    expect(result.refused).toMatchObject([{ job: { name: 'deploy' }, reason: 'outdated' }])
    await expectConsistentStore(engine)
  })

  test('of given jobs retries all of them or none', async () => {
    const engine = await openEngine(open)
    const pipeline = await failedPipeline(engine)
    const job = (name: string) => jobNamed(engine, pipeline, name)
    const before = await jobsOf(engine, pipeline)
    const refused = await retryJobs(
      engine.deps,
      pipeline,
      [await job('unit'), await job('smoke')],
      engine.user,
    )
    expect(refused).toMatchObject({ kind: 'not-retryable', job: { name: 'smoke' } })
    expect(await jobsOf(engine, pipeline)).toEqual(before)
    const chosen = [await job('deploy'), await job('unit')]
    const result = await retryJobs(engine.deps, pipeline, chosen, engine.user)
    expect(result).toMatchObject({ kind: 'retried', jobs: [{ name: 'unit' }, { name: 'deploy' }] })
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({
      compile: 'success',
      unit: 'pending',
      lint: 'failed',
      deploy: 'created',
      smoke: 'created',
    })
    await expectConsistentStore(engine)
  })
})

const MANUAL = `
stages: [one, two]
a: { stage: one, script: x, when: manual, resource_group: r }
b: { stage: one, script: x, when: manual, resource_group: r }
c: { stage: one, script: x, when: manual }
later: { stage: one, script: x, when: delayed, start_in: 1 hour }
d: { stage: two, script: x, when: manual }
`

describeOnEachDatabase('the manual jobs of a pipeline', (open, testOnOne) => {
  test('start together for the user, those with a resource one after the other', async () => {
    const engine = await openEngine(open)
    const other = await addUser(engine.deps.database)
    const pipeline = await pipelineOf(engine, MANUAL)
    const result = await playPipeline(engine.deps, pipeline, other, {
      stage: await stageOf(engine, pipeline, 'one'),
    })
    expect(result.jobs.map(({ name, user_id }) => [name, user_id])).toEqual([
      ['a', other.id],
      ['b', other.id],
      ['c', other.id],
    ])
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({
      a: 'pending',
      b: 'waiting_for_resource',
      c: 'pending',
      later: 'scheduled',
      d: 'created',
    })
    await expectConsistentStore(engine)
    await succeed(engine, await takeJob(engine, 'a'))
    expect((await statusesOf(engine, pipeline)).jobs).toMatchObject({ b: 'pending' })
    expect(namesOf(await playPipeline(engine.deps, pipeline, other))).toEqual([])
  })

  testOnOne('of all stages start, if they wait', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      'stages: [one, two]\na: { stage: one, script: x, when: manual }\nb: { stage: two, script: x, when: manual }',
    )
    expect(namesOf(await playPipeline(engine.deps, pipeline, engine.user))).toEqual(['a', 'b'])
    await expectConsistentStore(engine)
  })
})

describeOnDatabase('a canceled stage', (open) => {
  test('has no unfinished job, and the others continue', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      `
stages: [one, two]
a: { stage: one, script: x }
m: { stage: one, script: x, when: manual }
b: { stage: two, script: x, needs: [] }
c: { stage: two, script: x, when: always }
`,
    )
    const result = await cancelStage(engine.deps, pipeline, await stageOf(engine, pipeline, 'one'))
    expect(namesOf(result)).toEqual(['a', 'm'])
    expect((await statusesOf(engine, pipeline)).jobs).toMatchObject({
      a: 'canceled',
      m: 'canceled',
      b: 'pending',
    })
    await expectConsistentStore(engine)
  })
})

/** Everything that the engine writes, without times. */
async function contents({ deps: { database } }: TestEngine) {
  const jobs = await database
    .selectFrom('job')
    .select(['id', 'name', 'status', 'retried', 'user_id'])
    .execute()
  const pipelines = await database.selectFrom('pipeline').select(['id', 'status']).execute()
  const stages = await database.selectFrom('stage').select(['id', 'status']).execute()
  const queue = await database.selectFrom('queue_entry').select('job_id').execute()
  const groups = await database.selectFrom('resource_group').select(['key', 'job_id']).execute()
  return { jobs, pipelines, stages, queue, groups }
}

test.each([
  [
    'a retry from a stage',
    (engine, pipeline) => retryPipeline(engine.deps, pipeline, engine.user, { fromStage: 0 }),
  ],
  [
    'a retry of given jobs',
    async (engine, pipeline) =>
      retryJobs(engine.deps, pipeline, [await jobNamed(engine, pipeline, 'done')], engine.user),
  ],
  ['a start of all manual jobs', (engine, pipeline) => playPipeline(engine.deps, pipeline, engine.user)],
  [
    'the end of a stage',
    async (engine, pipeline) => cancelStage(engine.deps, pipeline, await stageOf(engine, pipeline, 'test')),
  ],
] as [string, (engine: TestEngine, pipeline: PipelineRow) => Promise<unknown>][])(
  '%s that is killed before any of its writes has no effect',
  async (_name, act) => {
    const engine = await openEngine(openSqlite)
    const pipeline = await pipelineOf(
      engine,
      'done: { script: x }\nleft: { script: x }\nm: { script: x, when: manual, resource_group: r }\nn: { script: x, when: manual }',
    )
    await succeed(engine, await takeJob(engine, 'done'))
    const before = await contents(engine)
    let at = 1
    for (; ; at += 1) {
      const writes = await cutAtSqliteWrite(at, () => act(engine, pipeline).catch(() => undefined))
      if (writes < at) break
      expect({ at, ...(await contents(engine)) }).toEqual({ at, ...before })
    }
    expect(at).toBeGreaterThan(3)
    expect(await contents(engine)).not.toEqual(before)
    await expectConsistentStore(engine)
  },
)
