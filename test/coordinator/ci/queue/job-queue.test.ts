import { expect, test } from 'vitest'

import { requeueJob } from '../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import { JobQueue } from '../../../../src/coordinator/ci/queue/job-queue.js'
import { loadRunnerProfile } from '../../../../src/coordinator/ci/queue/runner-profile.js'
import type { WaitingRequest } from '../../../../src/coordinator/ci/queue/waiting-request.js'
import type { RunnerRow } from '../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import {
  nextJob,
  openEngine,
  pipelineOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../engine/support/engine.js'
import { addProject, addRunner } from '../engine/support/records.js'

const LONG = 60_000

async function wait({ deps }: TestEngine, runner: RunnerRow): Promise<WaitingRequest> {
  return deps.queue.wait(await loadRunnerProfile(deps.database, runner))
}

describeOnEachDatabase('a waiting job request', (open, testOnOne) => {
  test('is woken when a job becomes pending, and finds it', async () => {
    const engine = await openEngine(open)
    const request = await wait(engine, engine.runner)
    expect(await nextJob(engine)).toBeUndefined()
    const woken = request.next(LONG)
    await pipelineOf(engine, 'a: { script: x }')
    expect(await woken).toBe('woken')
    await takeJob(engine, 'a')
    request.close()
  })

  testOnOne('is woken by the job that becomes pending when another finishes', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'stages: [one, two]\na: { stage: one, script: x }\nb: { stage: two, script: x }')
    const first = await takeJob(engine, 'a')
    const request = await wait(engine, engine.runner)
    const woken = request.next(LONG)
    await succeed(engine, first)
    expect(await woken).toBe('woken')
    request.close()
  })

  testOnOne('is woken by a requeued job', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }')
    const { job, token } = await takeJob(engine, 'a')
    const request = await wait(engine, engine.runner)
    const woken = request.next(LONG)
    await requeueJob(engine.deps, job.id, token)
    expect(await woken).toBe('woken')
    request.close()
  })

  testOnOne('of a runner with other tags is left alone', async () => {
    const engine = await openEngine(open)
    const tagged = await addRunner(engine.deps.database, { tags: ['gpu'], runUntagged: false })
    const [other, fitting] = [await wait(engine, engine.runner), await wait(engine, tagged)]
    const results = [other.next(LONG), fitting.next(LONG)]
    await pipelineOf(engine, 'a: { script: x, tags: [gpu] }')
    expect(await results[1]).toBe('woken')
    other.abort()
    expect(await results[0]).toBe('aborted')
    other.close()
    fitting.close()
  })

  testOnOne('of a group is woken by a job in one of its subgroups', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const project = await addProject(database, engine.user, { group: 'team/tools' })
    const runner = await addRunner(database, { group: 'team' })
    const request = await wait(engine, runner)
    const woken = request.next(LONG)
    await pipelineOf(engine, 'a: { script: x }', { project })
    expect(await woken).toBe('woken')
    await takeJob(engine, 'a', runner)
    request.close()
  })

  testOnOne('a request whose client disconnects leaves the job to the next one', async () => {
    const engine = await openEngine(open)
    const [first, second] = [await wait(engine, engine.runner), await wait(engine, engine.runner)]
    const results = [first.next(LONG), second.next(LONG)]
    await pipelineOf(engine, 'a: { script: x }')
    expect(await results[0]).toBe('woken')
    first.close()
    expect(await results[1]).toBe('woken')
    await takeJob(engine, 'a')
    second.close()
  })

  testOnOne('a request that took its job wakes no other request', async () => {
    const engine = await openEngine(open)
    const [first, second] = [await wait(engine, engine.runner), await wait(engine, engine.runner)]
    const results = [first.next(LONG), second.next(LONG)]
    await pipelineOf(engine, 'a: { script: x }')
    expect(await results[0]).toBe('woken')
    await takeJob(engine, 'a')
    first.close()
    await engine.deps.queue.stop()
    second.abort()
    expect(await results[1]).toBe('aborted')
    second.close()
  })
})

describeOnEachDatabase('of two runners that wait for a job', (open, testOnOne) => {
  test('the runner with the greater weight gets the job, even if another one asks first', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const [light, heavy] = [
      await addRunner(database, { weight: -5 }),
      await addRunner(database, { weight: 5 }),
    ]
    const requests = [await wait(engine, light), await wait(engine, heavy)] as const
    const results = [requests[0].next(LONG), requests[1].next(LONG)]
    await pipelineOf(engine, 'a: { script: x }')
    expect(await results[1]).toBe('woken')
    expect(await nextJob(engine, light)).toBeUndefined()
    await takeJob(engine, 'a', heavy)
    await pipelineOf(engine, 'b: { script: x }', { ref: 'b' })
    requests[0].abort()
    requests.forEach((request) => request.close())
    await engine.deps.queue.stop()
  })

  testOnOne(
    'the lighter one gets it when the other does not take it, is busy or has other tags',
    async () => {
      const engine = await openEngine(open)
      const { database } = engine.deps
      const light = await addRunner(database)
      const heavy = await addRunner(database, { weight: 1, tags: ['gpu'] })
      const other = await wait(engine, heavy)
      const own = await wait(engine, light)
      const results = [other.next(LONG), own.next(LONG)]
      await pipelineOf(engine, 'a: { script: x }')
      expect(await results[0]).toBe('woken')
      other.close()
      expect(await results[1]).toBe('woken')
      await takeJob(engine, 'a', light)
      own.close()
      // Nobody better waits.
      await pipelineOf(engine, 'b: { script: x }', { ref: 'b' })
      await takeJob(engine, 'b', light)
    },
  )
})

describeOnEachDatabase('jobs without a waiting request on this coordinator', (open) => {
  test('are announced to the other coordinators, one of whose requests is woken', async () => {
    const engine = await openEngine(open)
    const { database, dialect, logger } = engine.deps
    const there = new JobQueue({ database, dialect, logger })
    const announced: number[] = []
    const here = new JobQueue({
      database,
      dialect,
      logger,
      notifyOthers: async (jobIds) => {
        announced.push(...jobIds)
        there.receive(jobIds)
      },
    })
    engine.deps.queue = here
    const request = there.wait(await loadRunnerProfile(database, engine.runner))
    const woken = request.next(LONG)
    await pipelineOf(engine, 'a: { script: x }')
    expect(await woken).toBe('woken')
    const { job } = await takeJob(engine, 'a')
    expect(announced).toEqual([job.id])
    request.close()
    await Promise.all([here.stop(), there.stop()])
  })
})

describeOnEachDatabase('an idle runner', (open) => {
  test('that asks writes nothing', async () => {
    const engine = await openEngine(open)
    const statements: string[] = []
    const watched = engine.deps.database.withPlugin({
      transformQuery: ({ node }) => {
        statements.push(node.kind)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const { dialect, logger } = engine.deps
    engine.deps.queue = new JobQueue({ database: watched, dialect, logger })
    engine.deps.database = watched
    expect(await nextJob(engine)).toBeUndefined()
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.filter((kind) => !['SelectQueryNode', 'RawNode'].includes(kind))).toEqual([])
  })
})
