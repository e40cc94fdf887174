import { expect, test } from 'vitest'

import { createPipeline } from '../../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import { DEFAULT_PIPELINE_LIMITS } from '../../../../../src/coordinator/ci/engine/pipeline-limits.js'
import {
  PIPELINE_SOURCES,
  type PipelineSource,
} from '../../../../../src/coordinator/ci/engine/pipeline-source.js'
import { describeOnDatabase, type OpenDatabase, openSqlite } from '../../../../support/databases.js'
import { addLibrary, runBridgeTasks, withProjects } from '../support/downstream.js'
import {
  jobNamed,
  jobsOf,
  openEngine,
  pipelineOf,
  requestFor,
  secondCoordinator,
  type TestEngine,
} from '../support/engine.js'

const FILE = 'build: { script: make, rules: [{ when: always }] }'
const TOO_MANY = 'Too many pipelines created in the last minute. Try again later.'
const limitsOf = (pipelinesPerMinute: number) => ({ ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute })

async function start(pipelinesPerMinute: number, open: OpenDatabase = openSqlite): Promise<TestEngine> {
  const engine = await openEngine(open)
  engine.deps.limits = limitsOf(pipelinesPerMinute)
  engine.repositories.ciFile = FILE
  return engine
}

function create(engine: TestEngine, source: PipelineSource, deps: EngineDeps = engine.deps) {
  return createPipeline(deps, requestFor(engine, { source }))
}

const REFUSED = { kind: 'refused', reason: 'rate', message: TOO_MANY, rate: { limit: 2 } }

test('a project has 60 pipelines a minute unless the settings say otherwise', () => {
  expect(DEFAULT_PIPELINE_LIMITS.pipelinesPerMinute).toBe(60)
})

describeOnDatabase('the limit of pipelines a minute', (open) => {
  test('is shared by all coordinators, and is not exceeded by requests at the same time', async () => {
    const engine = await start(3, open)
    // Two connections to SQLite in one process would wait for each other.
    const isShared = engine.deps.dialect === 'postgres'
    const other = isShared ? { ...secondCoordinator(engine), limits: limitsOf(3) } : engine.deps
    const creations = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create(engine, 'api', index % 2 ? other : engine.deps)),
    )
    expect(creations.filter(({ kind }) => kind === 'created')).toHaveLength(3)
    expect(creations.filter(({ kind }) => kind === 'refused')).toHaveLength(5)
  })
})

test.each(PIPELINE_SOURCES.filter((source) => source !== 'parent_pipeline'))(
  'pipelines of the source %s count towards the limit of the project',
  async (source) => {
    const engine = await start(2)
    await create(engine, source)
    await create(engine, source)
    expect(await create(engine, 'api')).toMatchObject(REFUSED)
  },
)

test('child pipelines and pipelines of other systems neither count nor are refused', async () => {
  const engine = await start(2)
  await create(engine, 'api')
  for (let count = 0; count < 3; count++) {
    expect(await create(engine, 'parent_pipeline')).toMatchObject({ kind: 'created' })
  }
  await engine.deps.database.updateTable('pipeline').set({ source: 'external' }).execute()
  await create(engine, 'api')
  expect(await create(engine, 'api')).toMatchObject({ kind: 'created' })
  expect(await create(engine, 'api')).toMatchObject(REFUSED)
  expect(await create(engine, 'parent_pipeline')).toMatchObject({ kind: 'created' })
})

test('a pipeline is possible again a minute after the oldest one that counts', async () => {
  const engine = await start(2)
  const { database } = engine.deps
  const now = Date.now()
  await create(engine, 'api')
  await database
    .updateTable('pipeline')
    .set({ created_at: now - 59_000 })
    .execute()
  await create(engine, 'api')
  expect(await create(engine, 'api')).toMatchObject({ ...REFUSED, rate: { limit: 2, resetAt: now + 1000 } })
  await database
    .updateTable('pipeline')
    .set({ created_at: now - 60_000 })
    .execute()
  expect(await create(engine, 'api')).toMatchObject({ kind: 'created' })
})

test('the pipeline of a push over the limit fails with the reason, has no jobs and does not prolong the limit', async () => {
  const engine = await start(1)
  const first = await pipelineOf(engine, FILE)
  const over = await pipelineOf(engine, FILE)
  expect(over).toMatchObject({
    status: 'failed',
    failure_reason: 'pipeline_rate_limit_exceeded',
    yaml_errors: TOO_MANY,
  })
  expect(await jobsOf(engine, over)).toEqual([])
  const { database } = engine.deps
  await database.updateTable('pipeline').set({ created_at: 0 }).where('id', '=', first.id).execute()
  expect((await pipelineOf(engine, FILE)).status).toBe('pending')
})

test('a trigger job fails when the project that it triggers has reached the limit', async () => {
  const engine = await start(1)
  await addLibrary(engine)
  withProjects(engine)
  const pipeline = await pipelineOf(engine, 'one: { trigger: lib/lib }\ntwo: { trigger: lib/lib }')
  await runBridgeTasks(engine.deps)
  const jobs = [await jobNamed(engine, pipeline, 'one'), await jobNamed(engine, pipeline, 'two')]
  expect(jobs.map(({ status }) => status).sort()).toEqual(['failed', 'success'])
  expect(jobs.find(({ status }) => status === 'failed')).toMatchObject({
    failure_reason: 'reached_downstream_pipeline_trigger_rate_limit',
    downstream_errors: TOO_MANY,
  })
})

test('0 means no limit', async () => {
  const engine = await start(0)
  for (let count = 0; count < 3; count++) {
    expect(await create(engine, 'api')).toMatchObject({ kind: 'created' })
  }
})
