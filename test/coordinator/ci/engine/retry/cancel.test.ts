import { expect, test } from 'vitest'

import { finishJob } from '../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { cancelJob, cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { describeOnEachDatabase } from '../../../../support/databases.js'
import {
  jobNamed,
  nextJob,
  openEngine,
  pipelineOf,
  reread,
  statusesOf,
  succeed,
  takeJob,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'

const FILE = `
stages: [build, test, deploy]
a: { stage: build, script: x }
b: { stage: build, script: x }
c: { stage: test, script: x }
ask: { stage: deploy, script: x, when: manual, needs: [] }
`

describeOnEachDatabase('cancel', (open, testOnOne) => {
  testOnOne('a pending job leaves the queue, and what comes after it is skipped', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, FILE)
    const canceled = await cancelJob(engine.deps, await jobNamed(engine, pipeline, 'a'))
    expect(canceled).toMatchObject({ status: 'canceled', failure_reason: null })
    expect(canceled.finished_at).not.toBeNull()
    await succeed(engine, await takeJob(engine, 'b'))
    expect(await statusesOf(engine, pipeline)).toEqual({
      pipeline: 'canceled',
      jobs: { a: 'canceled', b: 'success', c: 'skipped', ask: 'manual' },
    })
    await expectConsistentStore(engine)
  })

  testOnOne(
    'a running job is canceling while its runner ends it, then canceled whatever the runner says',
    async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, 'a: { script: x }')
      const { job } = await takeJob(engine, 'a')
      const canceling = await cancelJob(engine.deps, job)
      expect(canceling).toMatchObject({ status: 'canceling', token_digest: job.token_digest })
      expect((await reread(engine, pipeline)).status).toBe('canceling')
      await expectConsistentStore(engine)

      const ended = await finishJob(engine.deps, canceling, { status: 'failed', reason: 'script_failure' })
      expect(ended).toMatchObject({ status: 'canceled', failure_reason: null, token_digest: null })
      expect((await reread(engine, pipeline)).status).toBe('canceled')
      await expectConsistentStore(engine)
    },
  )

  testOnOne(
    'a running job whose runner cannot end it gracefully is canceled at once, and its token is void',
    async () => {
      const engine = await openEngine(open)
      await pipelineOf(engine, 'a: { script: x }')
      const dispatched = await nextJob(engine, engine.runner, {})
      const canceled = await cancelJob(engine.deps, dispatched!.job)
      expect(canceled).toMatchObject({ status: 'canceled', token_digest: null })
      expect(await finishJob(engine.deps, dispatched!.job, { status: 'success' })).toBe('not-running')
      await expectConsistentStore(engine)
    },
  )

  testOnOne('by force ends a canceling job at once', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }')
    const { job } = await takeJob(engine, 'a')
    await cancelJob(engine.deps, job)
    expect((await cancelJob(engine.deps, job)).status).toBe('canceling')
    expect((await cancelJob(engine.deps, job, { force: true })).status).toBe('canceled')
    await expectConsistentStore(engine)
  })

  testOnOne('an ended job stays as it is', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }')
    const taken = await takeJob(engine, 'a')
    await succeed(engine, taken)
    expect((await cancelJob(engine.deps, taken.job)).status).toBe('success')
  })

  test('a pipeline: every job that has not ended, manual ones too', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, FILE)
    const { job } = await takeJob(engine, 'a')
    expect((await cancelPipeline(engine.deps, pipeline)).status).toBe('canceling')
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({
      a: 'canceling',
      b: 'canceled',
      c: 'canceled',
      ask: 'canceled',
    })
    expect(await nextJob(engine)).toBeUndefined()
    await finishJob(engine.deps, job, { status: 'success' })
    expect(await reread(engine, pipeline)).toMatchObject({ status: 'canceled' })
    await expectConsistentStore(engine)
  })
})
