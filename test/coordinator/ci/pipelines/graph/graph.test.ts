import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { expect, test } from 'vitest'

import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import {
  describeGraph,
  describeGraphJobs,
} from '../../../../../src/coordinator/ci/pipelines/graph/describe-graph.js'
import { addOutputTimes } from '../../../../../src/coordinator/ci/pipelines/graph/output-times.js'
import type { GraphJob, PipelineGraph } from '../../../../../src/coordinator/ci/pipelines/graph/schema.js'
import { recordArrival } from '../../../../../src/coordinator/ci/storage/trace-index/arrival-times.js'
import { Traces } from '../../../../../src/coordinator/ci/storage/traces.js'
import type { PipelineRow, ProjectRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { downstreamOf, runBridgeTasks, withProjects } from '../../engine/support/downstream.js'
import {
  fail,
  jobNamed,
  openEngine,
  pipelineOf,
  pipelineOfPlan,
  succeed,
  takeJob,
  type TestEngine,
} from '../../engine/support/engine.js'
import { planOf } from '../../engine/support/plan.js'
import { addProject } from '../../engine/support/records.js'

async function graphOf(
  { deps: { database } }: TestEngine,
  pipeline: PipelineRow,
  {
    withAttempts = false,
    mayRead = () => true,
  }: { withAttempts?: boolean; mayRead?: (project: ProjectRow) => boolean } = {},
): Promise<PipelineGraph> {
  const deps = { database, mayRead: (project: ProjectRow) => Promise.resolve(mayRead(project)) }
  return describeGraph(deps, await pipelineById(database, pipeline), { withAttempts })
}

function pipelineById(database: TestEngine['deps']['database'], { id }: PipelineRow): Promise<PipelineRow> {
  return database.selectFrom('pipeline').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

function byName({ jobs }: PipelineGraph): Record<string, GraphJob> {
  return Object.fromEntries(jobs.map((job) => [job.name, job]))
}

const STAGES = `
stages: [build, test, deploy]
compile: { stage: build, script: x, tags: [big], coverage: /x/ }
rspec: { stage: test, script: x, parallel: 2, needs: [compile] }
lint:
  stage: test
  script: x
  parallel: { matrix: [{ OS: [linux, "a: [b]"] }] }
  allow_failure: true
production:
  stage: deploy
  script: x
  when: manual
  environment: production
  manual_confirmation: Sure?
`

describeOnEachDatabase('the graph of a pipeline', (open, testOnOne) => {
  test('has every job with what it needs, in the order of the stages', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, STAGES)
    const compile = await jobNamed(engine, pipeline, 'compile')
    const graph = await graphOf(engine, pipeline)
    expect(graph).toMatchObject({
      id: pipeline.id,
      iid: pipeline.iid,
      project_id: engine.project.id,
      status: 'pending',
      started_at: null,
      finished_at: null,
      duration: null,
      upstream: null,
      stages: [
        { name: 'build', status: 'pending' },
        { name: 'test', status: 'created' },
        { name: 'deploy', status: 'created' },
      ],
    })
    const time = new Date(compile.created_at).toISOString()
    expect(graph.jobs[0]).toEqual({
      id: compile.id,
      pipeline_id: pipeline.id,
      name: 'compile',
      stage: 'build',
      kind: 'job',
      status: 'pending',
      when: 'on_success',
      allow_failure: false,
      scheduling_type: 'stage',
      needs: [],
      created_at: time,
      queued_at: new Date(compile.queued_at!).toISOString(),
      started_at: null,
      finished_at: null,
      duration: null,
      queued_duration: null,
      scheduled_at: null,
      failure_reason: null,
      waiting: 'No runner of this project has the tag "big".',
      runner: null,
      attempts: 1,
      artifacts: null,
      coverage: null,
      environment: null,
      group: null,
      index: null,
      total: null,
      downstream: null,
      tags: ['big'],
      actions: ['cancel'],
      manual_confirmation: null,
      target_url: null,
    })
    const instances = graph.jobs.map(({ name, group, index, total, needs, scheduling_type }) => [
      name,
      group,
      index,
      total,
      needs,
      scheduling_type,
    ])
    expect(instances).toEqual([
      ['compile', null, null, null, [], 'stage'],
      ['rspec 1/2', 'rspec', 1, 2, ['compile'], 'dag'],
      ['rspec 2/2', 'rspec', 2, 2, ['compile'], 'dag'],
      ['lint: [linux]', 'lint', 1, 2, [], 'stage'],
      ['lint: [a: [b]]', 'lint', 2, 2, [], 'stage'],
      ['production', null, null, null, [], 'stage'],
    ])
    expect(byName(graph)).toMatchObject({
      'lint: [linux]': { allow_failure: true },
      production: { when: 'manual', environment: 'production', manual_confirmation: 'Sure?' },
    })
  })

  testOnOne('has the latest attempts, with the earlier ones on request', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x }\nb: { script: x }')
    await fail(engine, await takeJob(engine, 'a'))
    const failed = await jobNamed(engine, pipeline, 'a')
    await retryJob(engine.deps, failed, engine.user)
    await succeed(engine, await takeJob(engine, 'b'))
    const { a, b } = byName(await graphOf(engine, pipeline))
    expect(a).toMatchObject({ status: 'pending', attempts: 2, failure_reason: null, actions: ['cancel'] })
    expect(a).not.toHaveProperty('earlier_attempts')
    expect(b).toMatchObject({
      status: 'success',
      attempts: 1,
      actions: ['retry'],
      runner: { id: engine.runner.id, description: null },
      duration: expect.any(Number) as number,
      queued_duration: expect.any(Number) as number,
    })
    const withAttempts = byName(await graphOf(engine, pipeline, { withAttempts: true }))
    expect(withAttempts['b']).toMatchObject({ earlier_attempts: [] })
    expect(withAttempts['a']?.earlier_attempts).toEqual([
      {
        id: failed.id,
        status: 'failed',
        created_at: new Date(failed.created_at).toISOString(),
        queued_at: new Date(failed.queued_at!).toISOString(),
        started_at: new Date(failed.started_at!).toISOString(),
        finished_at: new Date(failed.finished_at!).toISOString(),
        duration: (failed.finished_at! - failed.started_at!) / 1000,
        queued_duration: (failed.started_at! - failed.queued_at!) / 1000,
        failure_reason: 'script_failure',
        runner: { id: engine.runner.id, description: null },
      },
    ])
  })

  testOnOne('has the time at which each log began, on request', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x }\nb: { script: x }')
    await fail(engine, await takeJob(engine, 'a'))
    const failed = await jobNamed(engine, pipeline, 'a')
    await retryJob(engine.deps, failed, engine.user)
    const traces = new Traces(await tempDir(), 1000)
    await mkdir(dirname(traces.files(failed).times), { recursive: true })
    await recordArrival(traces.files(failed).times, { byte: 0, time: 1_790_000_000_000 })
    const graph = await graphOf(engine, pipeline, { withAttempts: true })
    const { a, b } = byName({ ...graph, jobs: await addOutputTimes(traces, failed.project_id, graph.jobs) })
    expect(a?.earlier_attempts).toMatchObject([{ id: failed.id, output_at: '2026-09-21T14:13:20.000Z' }])
    expect([a?.output_at, b?.output_at]).toEqual([null, null])
  })

  testOnOne('names the actions that the state of a job allows', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(
      engine,
      planOf({ a: {}, manual: { when: 'manual' }, delayed: { startIn: 60 }, later: { stage: 1 } }),
    )
    const { a, manual, delayed, later } = byName(await graphOf(engine, pipeline))
    expect([a, manual, delayed, later].map((job) => job?.actions)).toEqual([
      ['cancel'],
      ['play', 'cancel'],
      ['play', 'unschedule', 'cancel'],
      ['cancel'],
    ])
    expect(delayed?.scheduled_at).not.toBeNull()
  })

  testOnOne('leads to the pipelines above and below that the caller may see', async () => {
    const engine = await openEngine(open)
    withProjects(engine)
    const other = await addProject(engine.deps.database, engine.user)
    const pipeline = await pipelineOf(engine, `start: { trigger: { project: ${other.full_path} } }`)
    engine.repositories.ciFile = 'work: { script: x }'
    await runBridgeTasks(engine.deps)
    const [below] = await downstreamOf(engine, pipeline)
    const { start } = byName(await graphOf(engine, pipeline))
    expect(start).toMatchObject({
      kind: 'trigger',
      downstream: { id: below!.id, project_id: other.id, project_path: other.full_path, status: 'pending' },
    })
    expect((await graphOf(engine, below!)).upstream).toEqual({
      id: pipeline.id,
      project_id: engine.project.id,
      project_path: engine.project.full_path,
      status: 'success',
    })
    const mayRead = () => false
    expect(byName(await graphOf(engine, pipeline, { mayRead }))).toMatchObject({
      start: { downstream: null },
    })
    expect((await graphOf(engine, below!, { mayRead })).upstream).toBeNull()
  })

  testOnOne('has the statuses that other systems reported', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, 'a: { script: x }')
    const { id: stage_id } = await database
      .insertInto('stage')
      .values({ pipeline_id: pipeline.id, name: 'external', position: 1_000_000, status: 'running' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const times = { created_at: 1, updated_at: Date.now() + 60_000, started_at: 1000, finished_at: null }
    await database
      .insertInto('commit_status')
      .values({
        id: 9000,
        project_id: engine.project.id,
        pipeline_id: pipeline.id,
        stage_id,
        ref: 'main',
        name: 'other',
        user_id: engine.user.id,
        status: 'running',
        target_url: 'https://other.example/1',
        ...times,
      })
      .execute()
    const graph = await graphOf(engine, pipeline)
    expect(graph.stages.at(-1)).toEqual({ name: 'external', status: 'running' })
    expect(graph.jobs.at(-1)).toMatchObject({
      id: 9000,
      kind: 'external',
      stage: 'external',
      status: 'running',
      actions: [],
      target_url: 'https://other.example/1',
    })
    expect(graph.version).toBe(times.updated_at)
  })

  testOnOne('gets a newer version with every change of a job', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, 'a: { script: x }')
    await database.updateTable('pipeline').set({ updated_at: 5 }).execute()
    await database.updateTable('job').set({ updated_at: 7 }).execute()
    expect((await graphOf(engine, pipeline)).version).toBe(7)
    await takeJob(engine, 'a')
    expect((await graphOf(engine, pipeline)).version).toBeGreaterThan(7)
  })

  testOnOne('has the same record of a job as a list of jobs by their IDs', async () => {
    const engine = await openEngine(open)
    const deps = { database: engine.deps.database, mayRead: () => Promise.resolve(true) }
    const pipeline = await pipelineOf(engine, STAGES)
    const other = await pipelineOf(engine, 'a: { script: x }')
    const failed = await jobNamed(engine, other, 'a')
    await fail(engine, await takeJob(engine, 'a'))
    await retryJob(engine.deps, await jobNamed(engine, other, 'a'), engine.user)
    const jobs = [...(await graphOf(engine, pipeline)).jobs, ...(await graphOf(engine, other)).jobs]
    expect(await describeGraphJobs(deps, [failed.id, ...jobs.map(({ id }) => id)])).toEqual(jobs)
    expect(await describeGraphJobs(deps, [])).toEqual([])
  })
})
