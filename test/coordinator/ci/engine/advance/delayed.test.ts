import { expect, test } from 'vitest'

import { ScheduleTimer } from '../../../../../src/coordinator/background/schedule-timer.js'
import { startDueJobs } from '../../../../../src/coordinator/ci/engine/advance/start-due-jobs.js'
import { cancelJob } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import { unscheduleJob } from '../../../../../src/coordinator/ci/engine/retry/unschedule.js'
import { deferred } from '../../../../../src/lib/deferred.js'
import { createLogger } from '../../../../../src/lib/logger.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import {
  concurrentCoordinator,
  fail,
  jobNamed,
  nextJob,
  openEngine,
  pipelineOfPlan,
  reread,
  statusesOf,
  succeed,
  takeJob,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { planOf } from '../support/plan.js'

const SECOND = 1000
const HOUR = 3600 * SECOND
const DELAYED = planOf({ a: {}, later: { stage: 1, startIn: 600 }, end: { stage: 2 } })

describeOnDatabase('a delayed job', (open) => {
  test('waits from when its turn comes, and starts when its time has come', async () => {
    const engine = await openEngine(open)
    const scheduled: number[] = []
    engine.deps.notifications.on('jobScheduled', (at) => scheduled.push(at))
    const pipeline = await pipelineOfPlan(engine, DELAYED)
    expect((await jobNamed(engine, pipeline, 'later')).status).toBe('created')
    const before = Date.now()
    await succeed(engine, await takeJob(engine, 'a'))
    const { status, scheduled_at } = await jobNamed(engine, pipeline, 'later')
    expect(status).toBe('scheduled')
    expect(scheduled_at).toBeGreaterThanOrEqual(before + 600 * SECOND)
    expect(scheduled).toEqual([scheduled_at])
    expect((await reread(engine, pipeline)).status).toBe('scheduled')
    expect(await nextJob(engine)).toBeUndefined()

    expect(await startDueJobs(engine.deps, scheduled_at! - 1)).toBe(scheduled_at)
    expect((await jobNamed(engine, pipeline, 'later')).status).toBe('scheduled')
    expect(await startDueJobs(engine.deps, scheduled_at!)).toBeUndefined()
    expect(await jobNamed(engine, pipeline, 'later')).toMatchObject({ status: 'pending', scheduled_at: null })
    await expectConsistentStore(engine)
    await succeed(engine, await takeJob(engine, 'later'))
    await succeed(engine, await takeJob(engine, 'end'))
    expect((await reread(engine, pipeline)).status).toBe('success')
  })

  test('is started once by two coordinators that wake for it', async () => {
    const engine = await openEngine(open)
    const other = concurrentCoordinator(engine)
    const pipeline = await pipelineOfPlan(engine, planOf({ later: { startIn: 60 }, slow: { startIn: 90 } }))
    const now = Date.now() + 60 * SECOND + 1000
    const next = await Promise.all([startDueJobs(engine.deps, now), startDueJobs(other, now)])
    const slow = await jobNamed(engine, pipeline, 'slow')
    expect(next).toEqual([slow.scheduled_at, slow.scheduled_at])
    await succeed(engine, await takeJob(engine, 'later'))
    expect(await nextJob(engine)).toBeUndefined()
    await expectConsistentStore(engine)
  })

  test.each([
    ['its user is blocked', { status: 'failed', failure_reason: 'user_blocked' }],
    ['its project is archived', { status: 'failed', failure_reason: 'archived_failure' }],
    ['pipelines are disabled', { status: 'failed', failure_reason: 'builds_disabled' }],
    ['its user is no developer any more', { status: 'manual', scheduled_at: null }],
    ['its user may not push to its branch any more', { status: 'manual', scheduled_at: null }],
  ])('does not start if %s when its time has come', async (loss, expected) => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOfPlan(engine, planOf({ later: { startIn: 60 } }))
    if (loss.includes('blocked')) await database.updateTable('user').set({ state: 'blocked' }).execute()
    if (loss.includes('archived')) await database.updateTable('project').set({ archived: true }).execute()
    if (loss.includes('disabled'))
      await database.updateTable('project').set({ builds_access_level: 'disabled' }).execute()
    const level = loss.includes('developer') ? 20 : 30
    const deps = { ...engine.deps, outside: { ...engine.deps.outside, levelOf: async () => level } }
    if (loss.includes('push')) {
      const levels = { push_access_level: 40, merge_access_level: 40 }
      const rule = {
        project_id: engine.project.id,
        kind: 'branch',
        name: '*',
        ...levels,
        created_at: 1,
      } as const
      await database.insertInto('protected_ref').values(rule).execute()
    }
    await startDueJobs(deps, Date.now() + 61 * SECOND)
    expect(await jobNamed(engine, pipeline, 'later')).toMatchObject(expected)
    await expectConsistentStore(engine)
  })

  test('that missed its time by more than an hour fails', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ later: { startIn: 60 }, end: { stage: 1 } }))
    await startDueJobs(engine.deps, Date.now() + 62 * SECOND + HOUR)
    expect(await jobNamed(engine, pipeline, 'later')).toMatchObject({
      status: 'failed',
      failure_reason: 'stale_schedule',
      scheduled_at: null,
    })
    expect(await statusesOf(engine, pipeline)).toMatchObject({ pipeline: 'failed', jobs: { end: 'skipped' } })
    await expectConsistentStore(engine)
  })

  test('can be started at once, and again without waiting', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ later: { startIn: 600 } }))
    await playJob(engine.deps, await jobNamed(engine, pipeline, 'later'), engine.user)
    expect(await jobNamed(engine, pipeline, 'later')).toMatchObject({ status: 'pending', scheduled_at: null })
    await fail(engine, await takeJob(engine, 'later'))
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'later'), engine.user)
    expect((await jobNamed(engine, pipeline, 'later')).status).toBe('pending')
    await expectConsistentStore(engine)
  })

  test('can be made to wait for a user, and be canceled', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ later: { startIn: 600 }, end: { stage: 1 } }))
    const later = await jobNamed(engine, pipeline, 'later')
    expect(await unscheduleJob(engine.deps, later)).toMatchObject({ status: 'manual', scheduled_at: null })
    expect((await reread(engine, pipeline)).status).toBe('manual')
    expect(await unscheduleJob(engine.deps, later)).toBe('not-scheduled')
    await playJob(engine.deps, later, engine.user)
    expect((await jobNamed(engine, pipeline, 'later')).status).toBe('pending')

    const other = await pipelineOfPlan(engine, planOf({ later: { startIn: 600 } }))
    await cancelJob(engine.deps, await jobNamed(engine, other, 'later'))
    expect(await jobNamed(engine, other, 'later')).toMatchObject({ status: 'canceled', scheduled_at: null })
    await expectConsistentStore(engine)
  })

  test('is started by the timer of a coordinator that comes up after its time', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ later: { startIn: 0 }, soon: { startIn: 1 } }))
    const bothStarted = deferred()
    const stopping = new AbortController()
    const timer = new ScheduleTimer({
      logger: engine.deps.logger,
      of: 'Delayed jobs',
      startDue: async () => {
        const next = await startDueJobs(engine.deps)
        if (next === undefined) bothStarted.resolve()
        return next
      },
    })
    const running = timer.run(stopping.signal)
    await bothStarted.promise
    stopping.abort()
    await running
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ later: 'pending', soon: 'pending' })
  })
})

test('the timer looks again when a job is scheduled that is due before the next look', async () => {
  const looked = [deferred(), deferred()]
  let looks = 0
  const timer = new ScheduleTimer({
    logger: createLogger('test', 'silent'),
    of: 'Delayed jobs',
    startDue: () => {
      looked[looks++]?.resolve()
      return Promise.resolve(undefined)
    },
  })
  const stopping = new AbortController()
  const running = timer.run(stopping.signal)
  await looked[0]!.promise
  timer.schedule(Date.now() + 10)
  await looked[1]!.promise
  stopping.abort()
  await running
  expect(looks).toBe(2)
})
