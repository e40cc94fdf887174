import { expect, test } from 'vitest'

import { cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryPipeline } from '../../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import {
  addLibrary,
  downstreamOf,
  onlyDownstream,
  runBridgeTasks,
  withProjects,
} from '../support/downstream.js'
import {
  fail,
  jobNamed,
  openEngine,
  pipelineOf,
  reread,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'

const PARENT = `
stages: [start, end]
child: { stage: start, trigger: { include: child.yml, strategy: depend } }
end: { stage: end, script: x }
`

async function parentOf(engine: TestEngine, file: string, child: string) {
  engine.repositories.files.set('child.yml', child)
  const pipeline = await pipelineOf(engine, file)
  await runBridgeTasks(engine.deps)
  return pipeline
}

const statuses = async (engine: TestEngine, pipeline: PipelineRow) =>
  (await statusesOf(engine, pipeline)).jobs

describeOnDatabase('a trigger job whose pipeline goes on', (open) => {
  test.each([
    [
      'one of its jobs is retried',
      async (engine: TestEngine, child: PipelineRow) =>
        retryJob(engine.deps, await jobNamed(engine, child, 'work'), engine.user),
    ],
    [
      'it is retried',
      async (engine: TestEngine, child: PipelineRow) => retryPipeline(engine.deps, child, engine.user),
    ],
  ])('runs again when %s, and what was skipped is decided again', async (_name, again) => {
    const engine = await openEngine(open)
    const pipeline = await parentOf(engine, PARENT, 'work: { script: x }')
    const child = await onlyDownstream(engine, pipeline)
    await fail(engine, await takeJob(engine, 'work'))
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, pipeline)).toEqual({ child: 'failed', end: 'skipped' })
    expect((await reread(engine, pipeline)).status).toBe('failed')

    await again(engine, child)
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, pipeline)).toEqual({ child: 'running', end: 'created' })
    expect((await reread(engine, pipeline)).status).toBe('running')
    expect(await jobNamed(engine, pipeline, 'child')).toMatchObject({
      failure_reason: null,
      finished_at: null,
    })

    await succeed(engine, await takeJob(engine, 'work'))
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, pipeline)).toEqual({ child: 'success', end: 'pending' })
  })

  test('runs again when a job is played, through all that wait above', async () => {
    const engine = await openEngine(open)
    engine.repositories.files.set('grandchild.yml', 'work: { script: x, when: manual }\nother: { script: x }')
    const pipeline = await parentOf(
      engine,
      PARENT,
      'grandchild: { trigger: { include: grandchild.yml, strategy: depend } }',
    )
    const child = await onlyDownstream(engine, pipeline)
    const grandchild = await onlyDownstream(engine, child)
    await succeed(engine, await takeJob(engine, 'other'))
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, pipeline)).toEqual({ child: 'success', end: 'pending' })
    await succeed(engine, await takeJob(engine, 'end'))
    expect((await reread(engine, pipeline)).status).toBe('success')

    await playJob(engine.deps, await jobNamed(engine, grandchild, 'work'), engine.user)
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, child)).toEqual({ grandchild: 'running' })
    expect(await statuses(engine, pipeline)).toEqual({ child: 'running', end: 'success' })
    await fail(engine, await takeJob(engine, 'work'))
    await runBridgeTasks(engine.deps)
    expect((await reread(engine, pipeline)).status).toBe('success')
  })

  test('stays as it is when it does not wait', async () => {
    const engine = await openEngine(open)
    const pipeline = await parentOf(engine, PARENT.replace(', strategy: depend', ''), 'work: { script: x }')
    const child = await onlyDownstream(engine, pipeline)
    await takeJob(engine, 'end')
    await fail(engine, await takeJob(engine, 'work'))
    await retryPipeline(engine.deps, child, engine.user)
    await runBridgeTasks(engine.deps)
    expect((await statuses(engine, pipeline))['child']).toBe('success')
  })

  test('leaves its old pipeline alone once it was retried itself', async () => {
    const engine = await openEngine(open)
    const pipeline = await parentOf(engine, PARENT, 'work: { script: x }')
    const old = await onlyDownstream(engine, pipeline)
    await fail(engine, await takeJob(engine, 'work'))
    await runBridgeTasks(engine.deps)
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'child'), engine.user)
    await runBridgeTasks(engine.deps)
    expect(await downstreamOf(engine, pipeline)).toHaveLength(2)
    await retryPipeline(engine.deps, old, engine.user)
    await runBridgeTasks(engine.deps)
    await succeed(engine, await takeJob(engine, 'work'))
    await runBridgeTasks(engine.deps)
    expect((await statuses(engine, pipeline))['child']).toBe('success')
  })
})

describeOnDatabase('canceling', (open) => {
  testAtNight('goes down to children and to pipelines that are waited for', async () => {
    const engine = await openEngine(open)
    await addLibrary(engine)
    withProjects(engine)
    engine.repositories.files.set('grandchild.yml', 'work: { script: x }')
    const pipeline = await parentOf(
      engine,
      `
free: { trigger: { include: child.yml } }
awaited: { trigger: { project: lib/lib, strategy: depend } }
sent: { trigger: lib/lib }
`,
      'grandchild: { trigger: { include: grandchild.yml } }',
    )
    await cancelPipeline(engine.deps, pipeline)
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, pipeline)).toEqual({
      free: 'success',
      awaited: 'canceled',
      sent: 'success',
    })
    const below = await downstreamOf(engine, pipeline)
    const [child, awaited, sent] = below
    if (!child || !awaited || !sent) throw new Error(`There are ${below.length} pipelines`)
    expect((await reread(engine, await onlyDownstream(engine, child))).status).toBe('canceled')
    expect(awaited.status).toBe('canceled')
    expect(sent.status).toBe('pending')
  })

  test('before the pipeline is made leaves nothing to be made', async () => {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', 'work: { script: x }')
    const pipeline = await pipelineOf(engine, PARENT)
    await cancelPipeline(engine.deps, pipeline)
    await runBridgeTasks(engine.deps)
    expect(await downstreamOf(engine, pipeline)).toEqual([])
    expect(await statuses(engine, pipeline)).toEqual({ child: 'canceled', end: 'canceled' })
  })

  test('a failed job that ends its pipeline ends the children too', async () => {
    const engine = await openEngine(open)
    const pipeline = await parentOf(
      engine,
      `
workflow: { auto_cancel: { on_job_failure: all } }
doomed: { script: x }
child: { trigger: { include: child.yml } }
`,
      'work: { script: x }',
    )
    await fail(engine, await takeJob(engine, 'doomed'))
    await runBridgeTasks(engine.deps)
    expect((await onlyDownstream(engine, pipeline)).status).toBe('canceled')
  })

  testAtNight('a newer commit judges children one by one', async () => {
    const engine = await openEngine(open)
    const pipeline = await parentOf(
      engine,
      `
workflow: { auto_cancel: { on_new_commit: interruptible } }
keep: { script: x }
child: { trigger: { include: child.yml, strategy: depend } }
`,
      'work: { script: x }',
    )
    const sha = 'c'.repeat(40)
    engine.repositories.head = sha
    await pipelineOf(engine, 'other: { script: x }', { sha })
    await runBridgeTasks(engine.deps)
    expect((await onlyDownstream(engine, pipeline)).status).toBe('canceled')
    expect(await statuses(engine, pipeline)).toEqual({ keep: 'pending', child: 'canceled' })
  })
})

describeOnDatabase('a pipeline above others', (open) => {
  test('counts the time in which their jobs ran while it waited, not the waiting', async () => {
    const engine = await openEngine(open)
    const pipeline = await parentOf(engine, PARENT, 'work: { script: x }')
    const { database } = engine.deps
    const work = await takeJob(engine, 'work')
    const now = Date.now()
    await database
      .updateTable('job')
      .set({ started_at: now - 100_000 })
      .where('id', '=', work.job.id)
      .execute()
    await succeed(engine, work)
    await database
      .updateTable('job')
      .set({ finished_at: now - 60_000 })
      .where('id', '=', work.job.id)
      .execute()
    await runBridgeTasks(engine.deps)
    const end = await takeJob(engine, 'end')
    await database
      .updateTable('job')
      .set({ started_at: Date.now() - 20_000 })
      .where('id', '=', end.job.id)
      .execute()
    await succeed(engine, end)
    expect(await reread(engine, pipeline)).toMatchObject({ status: 'success', duration: 60 })
  })

  test('is mirrored by a job of another project, from the first look to the end', async () => {
    const engine = await openEngine(open)
    const library = await addLibrary(engine)
    withProjects(engine)
    const upstream = await pipelineOf(engine, 'build: { script: x }', { project: library })
    const pipeline = await pipelineOf(engine, 'wait: { needs: { pipeline: lib/lib } }')
    await runBridgeTasks(engine.deps)
    expect(await statuses(engine, pipeline)).toEqual({ wait: 'running' })
    await succeed(engine, await takeJob(engine, 'build'))
    await runBridgeTasks(engine.deps)
    expect((await reread(engine, upstream)).status).toBe('success')
    const mirroring = await jobNamed(engine, pipeline, 'wait')
    expect(mirroring.status).toBe('success')
    expect(await retryJob(engine.deps, mirroring, engine.user)).toBe('not-retryable')
  })

  test.each([
    ['is not there', 'lib/other', 50, 'upstream_bridge_project_not_found'],
    ['has no pipeline', 'lib/lib', 50, 'upstream_bridge_project_not_found'],
    ['may not be seen', 'lib/lib', 10, 'insufficient_upstream_permissions'],
  ])('cannot be mirrored when its project %s', async (_name, path, level, reason) => {
    const engine = await openEngine(open)
    const library = await addLibrary(engine)
    withProjects(engine, new Map([[library.id, level]]))
    const pipeline = await pipelineOf(engine, `wait: { needs: { pipeline: ${path} } }`)
    await runBridgeTasks(engine.deps)
    expect(await jobNamed(engine, pipeline, 'wait')).toMatchObject({
      status: 'failed',
      failure_reason: reason,
    })
  })
})
