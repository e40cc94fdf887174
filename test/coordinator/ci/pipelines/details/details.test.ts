import { expect, test } from 'vitest'

import { countPipelines } from '../../../../../src/coordinator/ci/pipelines/details/count-pipelines.js'
import { describePipelines } from '../../../../../src/coordinator/ci/pipelines/details/describe-pipelines.js'
import type { DetailedPipeline } from '../../../../../src/coordinator/ci/pipelines/details/schema.js'
import type { JobRow, PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { CommitNotFoundError } from '../../../../../src/coordinator/hosting/repositories/errors.js'
import { copyRow } from '../../../../bench/list-rows.mjs'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import {
  fail,
  jobNamed,
  openEngine,
  pipelineOf,
  reread,
  succeed,
  takeJob,
  type TestEngine,
} from '../../engine/support/engine.js'
import { addProject } from '../../engine/support/records.js'

async function described(engine: TestEngine, pipelines: PipelineRow[]): Promise<DetailedPipeline[]> {
  const { database, repositories } = engine.deps
  const rows = await Promise.all(pipelines.map((pipeline) => reread(engine, pipeline)))
  return describePipelines({ database, repositories, externalUrl: 'http://ci' }, rows)
}

async function report(
  { deps: { database } }: TestEngine,
  job: JobRow,
  [success_count, failed_count, error_count, skipped_count]: [number, number, number, number],
): Promise<void> {
  const counts = { success_count, failed_count, error_count, skipped_count }
  await database
    .insertInto('test_report')
    .values({ job_id: job.id, total_time: 1, blob_key: '', created_at: 0, suite_error: null, ...counts })
    .execute()
}

describeOnEachDatabase('the details of pipelines', (open, testOnOne) => {
  test('have commit, user, stages with the number of jobs by status, coverage and tests', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(
      engine,
      'stages: [one, two]\na: { stage: one, script: x, allow_failure: true }\nb: { stage: one, script: x }\nc: { stage: two, script: x }',
    )
    await fail(engine, await takeJob(engine, 'a'))
    await succeed(engine, await takeJob(engine, 'b'))
    const [a, b] = [await jobNamed(engine, pipeline, 'a'), await jobNamed(engine, pipeline, 'b')]
    await database.updateTable('job').set({ coverage: 80.5 }).where('id', '=', a.id).execute()
    await database.updateTable('job').set({ coverage: 90 }).where('id', '=', b.id).execute()
    await report(engine, a, [5, 1, 2, 3])
    await report(engine, b, [10, 0, 0, 0])
    const [record] = await described(engine, [pipeline])
    expect(record).toMatchObject({
      id: pipeline.id,
      status: 'running',
      web_url: `http://ci/${engine.project.full_path}/-/pipelines/${pipeline.id}`,
      tag: false,
      user: { username: engine.user.username },
      commit: { id: pipeline.sha, short_id: pipeline.sha.slice(0, 8), title: 'A commit' },
      merge_request: null,
      has_yaml_errors: false,
      has_warnings: true,
      failure_reason: null,
      finished_at: null,
      duration: null,
      queued_duration: 0,
      coverage: '85.25',
      tests: { failed: 3, total: 21 },
      stages: [
        { name: 'one', status: 'success', has_warnings: true, counts: { failed: 1, success: 1 } },
        { name: 'two', status: 'pending', has_warnings: false, counts: { pending: 1 } },
      ],
    })
  })

  testAtNight('belong to the pipeline, also for pipelines of several projects', async () => {
    const engine = await openEngine(open)
    const other = await addProject(engine.deps.database, engine.user)
    const first = await pipelineOf(engine, 'a: { script: x }')
    const second = await pipelineOf(engine, 'a: { script: x }\nb: { script: x }', { project: other })
    await report(engine, await jobNamed(engine, first, 'a'), [1, 0, 0, 0])
    const [one, two] = await described(engine, [second, first])
    expect(one).toMatchObject({ id: second.id, tests: null, stages: [{ counts: { pending: 2 } }] })
    expect(one?.web_url).toContain(other.full_path)
    expect(two).toMatchObject({ id: first.id, tests: { total: 1 }, stages: [{ counts: { pending: 1 } }] })
    expect(await described(engine, [])).toEqual([])
  })

  testAtNight(
    'name the job whose log shows the state: one that failed, else one that runs, else the last',
    async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(
        engine,
        'stages: [one, two]\na: { stage: one, script: x, allow_failure: true }\nb: { stage: one, script: x }\nc: { stage: two, script: x }',
      )
      const shown = async () => (await described(engine, [pipeline]))[0]?.log_job_id
      expect(await shown()).toBeNull()
      const a = await takeJob(engine, 'a')
      expect(await shown()).toBe(a.job.id)
      await fail(engine, a)
      const b = await takeJob(engine, 'b')
      expect(await shown()).toBe(b.job.id)
      await succeed(engine, b)
      expect(await shown()).toBe(b.job.id)
      const c = await takeJob(engine, 'c')
      expect(await shown()).toBe(c.job.id)
      await succeed(engine, c)
      expect(await shown()).toBe(c.job.id)
      await engine.deps.database
        .updateTable('job')
        .set({ status: 'failed' })
        .where('id', '=', b.job.id)
        .execute()
      expect(await shown()).toBe(b.job.id)
    },
  )

  testOnOne('have no commit when the repository does not have it', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x }')
    engine.repositories.readCommit = (_projectId, sha) => Promise.reject(new CommitNotFoundError(sha))
    expect(await described(engine, [pipeline])).toMatchObject([{ commit: null }])
    engine.repositories.readCommit = () => Promise.reject(new Error('disk'))
    await expect(described(engine, [pipeline])).rejects.toThrow('disk')
  })
})

describeOnEachDatabase('the counts of pipelines', (open) => {
  testAtNight('are those of the lists', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    await pipelineOf(engine, 'a: { script: x }', { ref: 'main' })
    await takeJob(engine, 'a')
    await pipelineOf(engine, 'a: { script: x }', { ref: 'main' })
    const failed = await pipelineOf(engine, 'a: { script: x }', { ref: 'topic' })
    await database.updateTable('pipeline').set({ status: 'failed' }).where('id', '=', failed.id).execute()
    await pipelineOf(engine, 'a: { script: x }', { ref: 'v1', refType: 'tag' })
    await pipelineOf(engine, 'a: { script: x }', { ref: 'v1' })
    const child = await pipelineOf(engine, 'a: { script: x }', { ref: 'hidden' })
    await database
      .updateTable('pipeline')
      .set({ source: 'parent_pipeline' })
      .where('id', '=', child.id)
      .execute()
    const other = await addProject(database, engine.user)
    await pipelineOf(engine, 'a: { script: x }', { project: other, ref: 'other' })
    const exactly = (count: number) => ({ count, more: false })
    expect(await countPipelines(database, engine.project.id, {})).toEqual({
      all: exactly(5),
      running: exactly(1),
      pending: exactly(3),
      finished: exactly(1),
      branches: exactly(3),
      tags: exactly(1),
    })
  })

  testAtNight('end at a thousand', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const { id } = await pipelineOf(engine, 'a: { script: x }', { ref: 'main' })
    await copyRow(database, 'pipeline', { id: String(id) }, 999, { iid: '1000 + i', ref: `'b' || i` })
    expect(await countPipelines(database, engine.project.id, {})).toMatchObject({
      all: { count: 1000, more: false },
      branches: { count: 1000, more: false },
    })
    await pipelineOf(engine, 'a: { script: x }', { ref: 'one-more' })
    expect(await countPipelines(database, engine.project.id, {})).toMatchObject({
      all: { count: 1000, more: true },
      branches: { count: 1000, more: true },
      tags: { count: 0, more: false },
    })
  })
})
