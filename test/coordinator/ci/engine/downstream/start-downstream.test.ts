import { expect, test } from 'vitest'

import { BridgeWorker } from '../../../../../src/coordinator/ci/engine/downstream/bridge-worker.js'
import { followVanished } from '../../../../../src/coordinator/ci/engine/downstream/follow-deleted.js'
import { performBridgeTask } from '../../../../../src/coordinator/ci/engine/downstream/perform-task.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import { findBridgeTasks } from '../../../../../src/coordinator/ci/engine/hierarchy/bridge-task-store.js'
import { findPipeline } from '../../../../../src/coordinator/ci/engine/pipeline-store.js'
import { cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { deletePipelineRows } from '../../../../../src/coordinator/ci/pipelines/store.js'
import { loadRunnerProfile } from '../../../../../src/coordinator/ci/queue/runner-profile.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { downstreamOf, onlyDownstream, runBridgeTasks } from '../support/downstream.js'
import {
  concurrentCoordinator,
  jobNamed,
  openEngine,
  pipelineOf,
  secondCoordinator,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'

const FILE = 'start: { trigger: { include: child.yml, strategy: depend } }'

/** A coordinator that dies as soon as it asks git for this. */
function dyingIn(deps: EngineDeps, question: 'readFile' | 'createPipelineRef'): EngineDeps {
  const repositories = Object.create(deps.repositories) as EngineDeps['repositories']
  const die = async (): Promise<never> => {
    throw new Error('The coordinator was killed')
  }
  if (question === 'readFile') repositories.readFile = die
  else repositories.createPipelineRef = die
  return { ...deps, repositories }
}

describeOnEachDatabase('the start of a downstream pipeline', (open, testOnOne) => {
  async function waiting() {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', 'work: { script: x }')
    return { engine, pipeline: await pipelineOf(engine, FILE) }
  }

  const tasksOf = async ({ deps }: TestEngine) =>
    (await findBridgeTasks(deps.database)).map(({ kind }) => kind)

  testOnOne.each(['readFile', 'createPipelineRef'] as const)(
    'is done by another coordinator when the first one dies in %s',
    async (question) => {
      const { engine, pipeline } = await waiting()
      const [task] = await findBridgeTasks(engine.deps.database)
      if (!task) throw new Error('There is no task')
      await expect(performBridgeTask(dyingIn(engine.deps, question), task)).rejects.toThrow('killed')
      expect(await downstreamOf(engine, pipeline)).toEqual([])
      expect(await tasksOf(engine)).toEqual(['create'])
      expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'pending' })

      await runBridgeTasks(secondCoordinator(engine))
      const child = await onlyDownstream(engine, pipeline)
      expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'running' })
      expect((await statusesOf(engine, child)).jobs).toEqual({ work: 'pending' })
    },
  )

  test('goes on where it stopped when the coordinator dies after the pipeline is made', async () => {
    const { engine, pipeline } = await waiting()
    const [task] = await findBridgeTasks(engine.deps.database)
    if (!task) throw new Error('There is no task')
    await performBridgeTask(engine.deps, task)
    expect(await tasksOf(engine)).toEqual(['follow'])
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'pending' })
    await runBridgeTasks(secondCoordinator(engine))
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'running' })
    await onlyDownstream(engine, pipeline)
  })

  test('makes one pipeline when several coordinators try at once', async () => {
    const { engine, pipeline } = await waiting()
    const [task] = await findBridgeTasks(engine.deps.database)
    if (!task) throw new Error('There is no task')
    const coordinators = [engine.deps, concurrentCoordinator(engine), concurrentCoordinator(engine)]
    await Promise.all(coordinators.map((deps) => performBridgeTask(deps, task)))
    await runBridgeTasks(engine.deps)
    await onlyDownstream(engine, pipeline)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'running' })
  })

  test('meets canceling at any time and leaves nothing that goes on', async () => {
    const { engine, pipeline } = await waiting()
    const [task] = await findBridgeTasks(engine.deps.database)
    if (!task) throw new Error('There is no task')
    const second = concurrentCoordinator(engine)
    await Promise.all([performBridgeTask(second, task), cancelPipeline(engine.deps, pipeline)])
    await runBridgeTasks(engine.deps)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'canceled' })
    for (const child of await downstreamOf(engine, pipeline)) expect(child.status).toBe('canceled')
  })

  testAtNight(
    'is done by the worker of a coordinator as soon as it is wanted, down to the last child',
    async () => {
      const engine = await openEngine(open)
      engine.repositories.files.set(
        'child.yml',
        'deeper: { trigger: { include: last.yml, strategy: depend } }',
      )
      engine.repositories.files.set('last.yml', 'work: { script: x }')
      const worker = new BridgeWorker(engine.deps)
      const ended = new Promise<void>((resolve) => {
        engine.deps.notifications.on('jobFinished', ({ name }) => {
          if (name === 'start') resolve()
        })
      })
      const stopping = new AbortController()
      engine.deps.notifications.on('bridgeTasksAdded', () => worker.wake())
      const request = engine.deps.queue.wait(await loadRunnerProfile(engine.deps.database, engine.runner))
      const running = worker.run(stopping.signal)
      const pipeline = await pipelineOf(engine, FILE)
      expect(await request.next(60_000)).toBe('woken')
      request.close()
      await succeed(engine, await takeJob(engine, 'work'))
      await ended
      stopping.abort()
      await running
      expect((await findPipeline(engine.deps.database, pipeline.id)).status).toBe('success')
    },
  )

  testAtNight('is given up when it has failed for an hour, and the job says so', async () => {
    const { engine, pipeline } = await waiting()
    const { database } = engine.deps
    const longAgo = Date.now() - 3_700_000
    await database.updateTable('bridge_task').set({ created_at: longAgo }).execute()
    const deps = dyingIn(engine.deps, 'readFile')
    const stopping = new AbortController()
    deps.notifications.on('jobFinished', () => stopping.abort())
    await new BridgeWorker(deps).run(stopping.signal)
    expect(await jobNamed(engine, pipeline, 'start')).toMatchObject({
      status: 'failed',
      failure_reason: 'downstream_pipeline_creation_failed',
      downstream_errors: 'The coordinator could not create the pipeline; its log contains the reason',
    })
  })

  testAtNight('ends when the pipeline is deleted that the job waits for', async () => {
    const { engine, pipeline } = await waiting()
    await runBridgeTasks(engine.deps)
    const child = await onlyDownstream(engine, pipeline)
    await followVanished(engine.deps)
    expect(await tasksOf(engine)).toEqual([])
    await deletePipelineRows(engine.deps.database, [child.id])
    await followVanished(engine.deps)
    await runBridgeTasks(engine.deps)
    expect((await jobNamed(engine, pipeline, 'start')).status).toBe('canceled')
  })

  testAtNight('leaves nothing behind for a job that was deleted', async () => {
    const { engine, pipeline } = await waiting()
    await deletePipelineRows(engine.deps.database, [pipeline.id])
    await runBridgeTasks(engine.deps)
    expect(await tasksOf(engine)).toEqual([])
    expect(await engine.deps.database.selectFrom('pipeline').select('id').execute()).toEqual([])
  })
})
