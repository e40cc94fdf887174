import { describe, expect, test } from 'vitest'

import { cancelPipeline } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { playJob } from '../../../../../src/coordinator/ci/engine/retry/play.js'
import { retryPipeline } from '../../../../../src/coordinator/ci/engine/retry/retry-pipeline.js'
import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { JobRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import {
  fail,
  jobNamed,
  jobsOf,
  openEngine,
  pipelineOf,
  reread,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { addUser } from '../support/records.js'

const CHAIN = `
stages: [build, test]
a: { stage: build, script: x, tags: [], variables: { V: v } }
b: { stage: build, script: x, needs: [a] }
c: { stage: test, script: x }
`

async function storedVariables(engine: TestEngine, job: JobRow): Promise<Record<string, string>> {
  const { database, secrets } = engine.deps
  const rows = await database.selectFrom('job_variable').selectAll().where('job_id', '=', job.id).execute()
  return Object.fromEntries(rows.map((row) => [row.key, secrets.decrypt(row.value_encrypted)]))
}

describeOnDatabase('after a job has ended', (open) => {
  describe('retry', () => {
    test('makes a new job for the user, and decides again what was skipped', async () => {
      const engine = await openEngine(open)
      const other = await addUser(engine.deps.database)
      const pipeline = await pipelineOf(engine, CHAIN)
      await fail(engine, await takeJob(engine, 'a'))
      const failed = await jobNamed(engine, pipeline, 'a')
      expect(await statusesOf(engine, pipeline)).toMatchObject({ pipeline: 'failed' })

      const attempt = await retryJob(engine.deps, failed, other)
      expect(attempt).toMatchObject({
        name: 'a',
        status: 'pending',
        user_id: other.id,
        retried: false,
        failure_reason: null,
        options: failed.options,
        yaml_variables: failed.yaml_variables,
      })
      expect(await statusesOf(engine, pipeline)).toEqual({
        pipeline: 'running',
        jobs: { a: 'pending', b: 'created', c: 'created' },
      })
      expect((await jobsOf(engine, pipeline)).map(({ name, retried }) => [name, retried])).toEqual([
        ['a', true],
        ['b', false],
        ['c', false],
        ['a', false],
      ])
      expect((await jobNamed(engine, pipeline, 'c')).user_id).toBe(other.id)
      expect((await reread(engine, pipeline)).finished_at).toBeNull()

      await succeed(engine, await takeJob(engine, 'a'))
      await succeed(engine, await takeJob(engine, 'b'))
      await succeed(engine, await takeJob(engine, 'c'))
      expect((await reread(engine, pipeline)).status).toBe('success')
      await expectConsistentStore(engine)
    })

    test('leaves a skipped stage skipped until one of its jobs moves', async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, CHAIN)
      const stages = async () => {
        const ofPipeline = engine.deps.database.selectFrom('stage').where('pipeline_id', '=', pipeline.id)
        const rows = await ofPipeline.select('status').orderBy('position').execute()
        return rows.map(({ status }) => status)
      }
      await fail(engine, await takeJob(engine, 'a'))
      expect(await stages()).toEqual(['failed', 'skipped'])
      await retryJob(engine.deps, await jobNamed(engine, pipeline, 'a'), engine.user)
      expect((await jobNamed(engine, pipeline, 'c')).status).toBe('created')
      expect(await stages()).toEqual(['pending', 'skipped'])
      await succeed(engine, await takeJob(engine, 'a'))
      expect(await stages()).toEqual(['running', 'skipped'])
      await succeed(engine, await takeJob(engine, 'b'))
      expect(await stages()).toEqual(['success', 'pending'])
    })

    test('keeps the needs of the job', async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, CHAIN)
      await succeed(engine, await takeJob(engine, 'a'))
      await fail(engine, await takeJob(engine, 'b'))
      const attempt = (await retryJob(
        engine.deps,
        await jobNamed(engine, pipeline, 'b'),
        engine.user,
      )) as JobRow
      const needs = await engine.deps.database
        .selectFrom('job_need')
        .selectAll()
        .where('job_id', '=', attempt.id)
        .execute()
      expect(needs).toEqual([
        { job_id: attempt.id, pipeline_id: pipeline.id, name: 'a', artifacts: true, optional: false },
      ])
    })

    test('is refused for a job that runs, was retried or was skipped', async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, CHAIN)
      const taken = await takeJob(engine, 'a')
      expect(await retryJob(engine.deps, taken.job, engine.user)).toBe('not-retryable')
      await fail(engine, taken)
      expect(await retryJob(engine.deps, await jobNamed(engine, pipeline, 'b'), engine.user)).toBe(
        'not-retryable',
      )
      expect(await retryJob(engine.deps, taken.job, engine.user)).toMatchObject({ status: 'pending' })
      expect(await retryJob(engine.deps, taken.job, engine.user)).toBe('not-retryable')
    })

    test('of a pipeline runs what failed and was canceled, and leaves what succeeded', async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, CHAIN)
      await succeed(engine, await takeJob(engine, 'a'))
      await cancelPipeline(engine.deps, pipeline)
      const { pipeline: again } = await retryPipeline(engine.deps, pipeline, engine.user)
      expect(again.status).toBe('running')
      expect((await statusesOf(engine, pipeline)).jobs).toEqual({ a: 'success', b: 'pending', c: 'created' })
      await expectConsistentStore(engine)
    })
  })

  describe('play', () => {
    const MANUAL = `
stages: [one, two]
m: { stage: one, script: x, when: manual }
x: { stage: two, script: x, needs: [m] }
`

    test('starts a manual job with typed variables, and decides again who needed it', async () => {
      const engine = await openEngine(open)
      const other = await addUser(engine.deps.database)
      const pipeline = await pipelineOf(engine, MANUAL)
      expect(await statusesOf(engine, pipeline)).toEqual({
        pipeline: 'skipped',
        jobs: { m: 'manual', x: 'skipped' },
      })
      const manual = await jobNamed(engine, pipeline, 'm')
      const played = (await playJob(engine.deps, manual, other, {
        variables: [{ key: 'TO', value: 'moon' }],
      })) as JobRow
      expect(played).toMatchObject({ id: manual.id, status: 'pending', user_id: other.id })
      expect(await storedVariables(engine, played)).toEqual({ TO: 'moon' })
      expect((await statusesOf(engine, pipeline)).jobs).toEqual({ m: 'pending', x: 'created' })
      await succeed(engine, await takeJob(engine, 'm'))
      await succeed(engine, await takeJob(engine, 'x'))
      expect((await reread(engine, pipeline)).status).toBe('success')
      await expectConsistentStore(engine)
    })

    test('runs a manual job that has ended once more, at once and with its variables', async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, MANUAL)
      const manual = await jobNamed(engine, pipeline, 'm')
      await playJob(engine.deps, manual, engine.user, { variables: [{ key: 'TO', value: 'moon' }] })
      await fail(engine, await takeJob(engine, 'm'))
      const again = (await playJob(engine.deps, manual, engine.user)) as JobRow
      expect(again).toMatchObject({ status: 'pending', name: 'm' })
      expect(again.id).not.toBe(manual.id)
      expect(await storedVariables(engine, again)).toEqual({ TO: 'moon' })
      await expectConsistentStore(engine)
    })

    test('keeps the inputs that were typed for every later attempt', async () => {
      const engine = await openEngine(open)
      const inputs = '{ to: { default: earth }, by: { default: rail } }'
      const pipeline = await pipelineOf(engine, `m: { script: x, when: manual, inputs: ${inputs} }`)
      const textsOf = ({ options }: JobRow) => options.inputs?.map(({ text }) => text)
      const given = { inputs: new Map([['to', 'moon']]) }
      const manual = await jobNamed(engine, pipeline, 'm')
      const played = (await playJob(engine.deps, manual, engine.user, given)) as JobRow
      expect(textsOf(played)).toEqual(['moon', 'rail'])
      await fail(engine, await takeJob(engine, 'm'))
      const again = (await retryJob(engine.deps, played, engine.user)) as JobRow
      expect(textsOf(again)).toEqual(['moon', 'rail'])
      await fail(engine, await takeJob(engine, 'm'))
      const other = { inputs: new Map([['by', 'rocket']]) }
      expect(textsOf((await retryJob(engine.deps, again, engine.user, other)) as JobRow)).toEqual([
        'moon',
        'rocket',
      ])
      expect(textsOf(await jobNamed(engine, pipeline, 'm'))).toEqual(['moon', 'rocket'])
    })

    test('is refused for a job that is not manual', async () => {
      const engine = await openEngine(open)
      const pipeline = await pipelineOf(engine, CHAIN)
      expect(await playJob(engine.deps, await jobNamed(engine, pipeline, 'a'), engine.user)).toBe(
        'unplayable',
      )
    })
  })
})
