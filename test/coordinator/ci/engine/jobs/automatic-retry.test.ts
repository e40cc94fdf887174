import { describe, expect, test } from 'vitest'

import type { PlannedRetry } from '../../../../../src/ci-config/plan.js'
import { expireLease } from '../../../../../src/coordinator/ci/engine/finish/expire-leases.js'
import { recordContact } from '../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import {
  type Failure,
  isRetriedAutomatically,
} from '../../../../../src/coordinator/ci/engine/jobs/automatic-retry.js'
import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import {
  fail,
  jobNamed,
  jobsOf,
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
import { addUser } from '../support/records.js'

const ALWAYS: PlannedRetry = { max: 2, when: ['always'], exitCodes: [] }

describe('whether a job is retried by itself', () => {
  const cases: [string, PlannedRetry | undefined, Partial<Failure>, boolean][] = [
    ['no retry written', undefined, {}, false],
    ['retry: 2, first failure', ALWAYS, {}, true],
    ['retry: 2, third failure', ALWAYS, { earlierAttempts: 2 }, false],
    ['retry: 0', { ...ALWAYS, max: 0 }, {}, false],
    ['the reason is listed', { ...ALWAYS, when: ['api_failure', 'script_failure'] }, {}, true],
    ['the reason is not listed', { ...ALWAYS, when: ['runner_system_failure'] }, {}, false],
    ['the exit code is listed', { max: 1, when: [], exitCodes: [137] }, { exitCode: 137 }, true],
    ['the exit code is not listed', { max: 1, when: [], exitCodes: [137] }, { exitCode: 1 }, false],
    ['no exit code', { max: 1, when: [], exitCodes: [137] }, { exitCode: undefined }, false],
    ['either suffices', { max: 1, when: ['script_failure'], exitCodes: [137] }, { exitCode: 1 }, true],
    ['no retry, scheduler failure', undefined, { reason: 'scheduler_failure' }, true],
    [
      'no retry, third scheduler failure',
      undefined,
      { reason: 'scheduler_failure', earlierAttempts: 2 },
      false,
    ],
    ['retry: 0, scheduler failure', { ...ALWAYS, max: 0 }, { reason: 'scheduler_failure' }, false],
    ...(
      [
        ['stuck_or_timeout_failure', 'stuck_pending_with_matching_runners'],
        ['stuck_or_timeout_failure', 'stuck_pending_no_matching_runners'],
        ['stuck_or_timeout_failure', 'no_updates_running'],
        ['job_execution_timeout', 'server_timeout_running'],
        ['runner_system_failure', 'no_updates_running'],
        ['no_updates_running', 'no_updates_running'],
        ['server_timeout_running', 'server_timeout_running'],
      ] as const
    ).map(([when, reason]): (typeof cases)[number] => [
      `${when} covers ${reason}`,
      { ...ALWAYS, when: [when] },
      { reason },
      true,
    ]),
    [
      'an exact reason covers no other',
      { ...ALWAYS, when: ['no_updates_running'] },
      { reason: 'server_timeout_running' },
      false,
    ],
    ['quota', ALWAYS, { reason: 'ci_quota_exceeded' }, false],
    ['no runner', ALWAYS, { reason: 'no_matching_runner' }, false],
    ['missing dependency', ALWAYS, { reason: 'missing_dependency_failure' }, false],
    ['newer deployment', ALWAYS, { reason: 'forward_deployment_failure' }, false],
    ['no environment', ALWAYS, { reason: 'environment_creation_failure' }, false],
  ]
  test.each(cases)('%s', (_name, retry, failure, expected) => {
    const of: Failure = { reason: 'script_failure', exitCode: 1, earlierAttempts: 0, ...failure }
    expect(isRetriedAutomatically(retry ? { retry } : {}, of)).toBe(expected)
  })
})

describeOnDatabase('a job with retry', (open) => {
  test('is replaced at once when it fails, and fails its pipeline with the last attempt only', async () => {
    const engine = await openEngine(open)
    const plan = planOf({ a: { options: { retry: ALWAYS } }, rescue: { stage: 1, when: 'on_failure' } })
    const pipeline = await pipelineOfPlan(engine, plan)
    for (const attempt of [1, 2]) {
      await fail(engine, await takeJob(engine, 'a'))
      expect(await jobsOf(engine, pipeline)).toHaveLength(2 + attempt)
      expect(await statusesOf(engine, pipeline)).toEqual({
        pipeline: 'running',
        jobs: { a: 'pending', rescue: 'created' },
      })
      await expectConsistentStore(engine)
    }
    await fail(engine, await takeJob(engine, 'a'))
    expect(await statusesOf(engine, pipeline)).toEqual({
      pipeline: 'running',
      jobs: { a: 'failed', rescue: 'pending' },
    })
    await expectConsistentStore(engine)
  })

  test('counts the attempts that a person asked for', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(
      engine,
      planOf({ a: { options: { retry: { ...ALWAYS, max: 1 } } } }),
    )
    await succeed(engine, await takeJob(engine, 'a'))
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'a'), engine.user)
    await fail(engine, await takeJob(engine, 'a'))
    expect((await reread(engine, pipeline)).status).toBe('failed')
  })

  test('keeps its user and needs no second play', async () => {
    const engine = await openEngine(open)
    const player = await addUser(engine.deps.database)
    const pipeline = await pipelineOfPlan(
      engine,
      planOf({ m: { when: 'manual', options: { retry: ALWAYS } } }),
    )
    await playJob(engine.deps, await jobNamed(engine, pipeline, 'm'), player)
    await fail(engine, await takeJob(engine, 'm'))
    expect(await jobNamed(engine, pipeline, 'm')).toMatchObject({ status: 'pending', user_id: player.id })
  })

  test('is run again when its runner is lost and it asks for that', async () => {
    const engine = await openEngine(open)
    const retry = { max: 1, when: ['runner_system_failure'], exitCodes: [] }
    const pipeline = await pipelineOfPlan(engine, planOf({ a: { options: { retry } } }))
    const { job } = await takeJob(engine, 'a')
    await recordContact(engine.deps, job)
    await expireLease(engine.deps, job.id, Date.now() + 3_600_000)
    expect((await jobNamed(engine, pipeline, 'a')).id).not.toBe(job.id)
    await succeed(engine, await takeJob(engine, 'a'))
    expect((await reread(engine, pipeline)).status).toBe('success')
    await expectConsistentStore(engine)
  })

  test('by exit code is only given to a runner that reports exit codes', async () => {
    const engine = await openEngine(open)
    const retry = { max: 1, when: [], exitCodes: [42] }
    const pipeline = await pipelineOfPlan(engine, planOf({ a: { options: { retry } } }))
    expect(await nextJob(engine, engine.runner, {})).toBeUndefined()
    expect((await jobNamed(engine, pipeline, 'a')).failure_reason).toBe('runner_unsupported')
  })
})

describeOnDatabase('allow_failure:exit_codes', (open) => {
  const plan = planOf({ a: { options: { allowFailureCodes: [137, 5] } }, b: { stage: 1 } })

  test('excuses a failure with one of the codes', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, plan)
    await fail(engine, await takeJob(engine, 'a'), { exitCode: 5 })
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({ status: 'failed', allow_failure: true })
    await succeed(engine, await takeJob(engine, 'b'))
    expect((await reread(engine, pipeline)).status).toBe('success')
  })

  test('excuses no other failure, and not the next attempt', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOfPlan(engine, planOf({ a: { options: { allowFailureCodes: [5] } } }))
    await fail(engine, await takeJob(engine, 'a'), { exitCode: 5 })
    await retryJob(engine.deps, await jobNamed(engine, pipeline, 'a'), engine.user)
    await fail(engine, await takeJob(engine, 'a'), { exitCode: 1 })
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({ status: 'failed', allow_failure: false })
    expect((await reread(engine, pipeline)).status).toBe('failed')
    await expectConsistentStore(engine)
  })
})

describeOnDatabase('on_job_failure: all', (open) => {
  const giveUp = { autoCancel: { onNewCommit: 'conservative', onJobFailure: 'all' } } as const

  test('cancels everything that is left when a job fails', async () => {
    const engine = await openEngine(open)
    const sketch = { a: {}, b: {}, ask: { when: 'manual' }, clean: { stage: 1, when: 'always' } } as const
    const pipeline = await pipelineOfPlan(engine, planOf(sketch, giveUp))
    const a = await takeJob(engine, 'a')
    const b = await takeJob(engine, 'b')
    await fail(engine, a)
    expect(await statusesOf(engine, pipeline)).toEqual({
      pipeline: 'canceling',
      jobs: { a: 'failed', b: 'canceling', ask: 'canceled', clean: 'canceled' },
    })
    await succeed(engine, b)
    expect((await reread(engine, pipeline)).status).toBe('failed')
    await expectConsistentStore(engine)
  })

  test('takes no notice of a failure that is allowed or retried', async () => {
    const engine = await openEngine(open)
    const sketch = {
      a: { allowFailure: true },
      b: { options: { retry: { ...ALWAYS, max: 1 } } },
      c: { stage: 1 },
    }
    const pipeline = await pipelineOfPlan(engine, planOf(sketch, giveUp))
    await fail(engine, await takeJob(engine, 'a'))
    await fail(engine, await takeJob(engine, 'b'))
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ a: 'failed', b: 'pending', c: 'created' })
    await fail(engine, await takeJob(engine, 'b'))
    expect(await statusesOf(engine, pipeline)).toEqual({
      pipeline: 'failed',
      jobs: { a: 'failed', b: 'failed', c: 'canceled' },
    })
  })
})
