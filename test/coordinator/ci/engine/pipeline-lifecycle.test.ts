import { expect, test } from 'vitest'

import { createPipeline } from '../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import {
  type StoredDraft,
  storePipeline,
} from '../../../../src/coordinator/ci/engine/create/store-pipeline.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { tokenDigest } from '../../../../src/lib/tokens.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import {
  fail,
  jobNamed,
  jobsOf,
  nextJob,
  openEngine,
  pipelineOf,
  pipelineOfPlan,
  requestFor,
  reread,
  statusesOf,
  succeed,
  takeJob,
} from './support/engine.js'
import { SHA } from './support/fake-repositories.js'
import { expectConsistentStore } from './support/invariants.js'
import { planOf } from './support/plan.js'
import { protectBranch } from './support/records.js'

const THREE_STAGES = `
stages: [build, test, deploy]
compile: { stage: build, script: make, artifacts: { paths: [out] } }
unit: { stage: test, script: make unit, variables: { SPEED: fast } }
lint: { stage: test, script: make lint }
ship: { stage: deploy, script: make ship, needs: [unit] }
`

describeOnEachDatabase('a pipeline', (open, testOnOne) => {
  test('goes from a push to success, stage by stage', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, THREE_STAGES)
    expect(pipeline).toMatchObject({ iid: 1, status: 'pending', source: 'push', started_at: null })
    expect(engine.repositories.pipelineRefs).toEqual([`${pipeline.id}:${SHA}`])
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({
      compile: 'pending',
      unit: 'created',
      lint: 'created',
      ship: 'created',
    })

    const compile = await takeJob(engine, 'compile')
    await expectConsistentStore(engine)
    expect(await nextJob(engine)).toBeUndefined()
    expect(await reread(engine, pipeline)).toMatchObject({ status: 'running' })
    await succeed(engine, compile)
    await expectConsistentStore(engine)

    const unit = await takeJob(engine, 'unit')
    const lint = await takeJob(engine, 'lint')
    await succeed(engine, unit)
    await succeed(engine, await takeJob(engine, 'ship'))
    expect((await reread(engine, pipeline)).status).toBe('running')
    await succeed(engine, lint)
    await expectConsistentStore(engine)

    const ended = await reread(engine, pipeline)
    expect(ended).toMatchObject({ status: 'success' })
    expect(ended.started_at).not.toBeNull()
    expect(ended.finished_at).not.toBeNull()
    expect(ended.duration).not.toBeNull()
  })

  test('is stored with what the CI file says', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, THREE_STAGES)
    const unit = await jobNamed(engine, pipeline, 'unit')
    expect(unit).toMatchObject({
      stage: 'test',
      when: 'on_success',
      allow_failure: false,
      scheduling_type: 'stage',
      ref: 'main',
      tag: false,
      protected: false,
      retried: false,
      user_id: engine.user.id,
      yaml_variables: [{ key: 'SPEED', value: 'fast', raw: false }],
    })
    expect(unit.options.script).toEqual(['make unit'])
    expect((await jobNamed(engine, pipeline, 'ship')).scheduling_type).toBe('dag')
    const stages = await engine.deps.database.selectFrom('stage').select('name').orderBy('position').execute()
    expect(stages.map(({ name }) => name)).toEqual(['build', 'test', 'deploy'])
  })

  testOnOne('is stored as its rules have it', async () => {
    const engine = await openEngine(open)
    const file = `
workflow: { name: For $CI_COMMIT_BRANCH, rules: [{ if: $CI_COMMIT_BRANCH, auto_cancel: { on_job_failure: all } }] }
a: { script: x }
b: { script: x, rules: [{ exists: [.gitlab-ci.yml], needs: [a], variables: { A: 1 }, interruptible: true }] }
c: { script: x, rules: [{ when: delayed, start_in: 1 minute, allow_failure: true }] }
d: { script: x, rules: [{ exists: [Dockerfile] }] }`
    const pipeline = await pipelineOf(engine, file)
    expect(pipeline).toMatchObject({ name: 'For main', on_job_failure: 'all' })
    expect((await jobsOf(engine, pipeline)).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(await jobNamed(engine, pipeline, 'b')).toMatchObject({
      scheduling_type: 'dag',
      interruptible: true,
      yaml_variables: [{ key: 'A', value: '1', raw: false }],
    })
    expect(await jobNamed(engine, pipeline, 'c')).toMatchObject({
      when: 'delayed',
      start_in: 60,
      allow_failure: true,
    })
  })

  testOnOne('fails when a rule cannot be looked at', async () => {
    const engine = await openEngine(open)
    const file = 'a: { script: x, rules: [{ exists: { paths: [x], project: no/project } }] }'
    const pipeline = await pipelineOf(engine, file)
    expect(pipeline).toMatchObject({
      status: 'failed',
      failure_reason: 'config_error',
      yaml_errors: 'Failed to parse rule for a: rules:exists:project `no/project` not found or access denied',
    })
  })

  testOnOne('fails with a job, and later stages are skipped', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, THREE_STAGES)
    const compile = await takeJob(engine, 'compile')
    await fail(engine, compile)
    expect(await statusesOf(engine, pipeline)).toEqual({
      pipeline: 'failed',
      jobs: { compile: 'failed', unit: 'skipped', lint: 'skipped', ship: 'skipped' },
    })
    expect(await jobNamed(engine, pipeline, 'compile')).toMatchObject({
      failure_reason: 'script_failure',
      exit_code: 1,
      token_digest: null,
    })
    await expectConsistentStore(engine)
  })

  test('counts up the pipelines of its project', async () => {
    const engine = await openEngine(open)
    const first = await pipelineOf(engine, 'a: { script: x }')
    const second = await pipelineOf(engine, 'a: { script: x }')
    expect([first.iid, second.iid]).toEqual([1, 2])
  })

  testOnOne(
    'tells its jobs which of its project it is, before they are there, and its workflow not',
    async () => {
      const engine = await openEngine(open)
      const file = (workflow: string) => `
workflow: { rules: [${workflow}] }
a: { script: x, tags: [n$CI_PIPELINE_IID], resource_group: g$CI_PIPELINE_IID }
b: { script: x, rules: [{ if: $CI_PIPELINE_IID == "2" }] }
`
      expect((await pipelineOf(engine, 'a: { script: x }')).iid).toBe(1)
      const second = await pipelineOf(engine, file('{ when: always }'))
      expect(second.iid).toBe(2)
      expect(await jobsOf(engine, second)).toMatchObject([{ name: 'a', tag_list: ['n2'] }, { name: 'b' }])
      engine.repositories.ciFile = file('{ if: $CI_PIPELINE_IID }')
      expect(await createPipeline(engine.deps, requestFor(engine))).toMatchObject({ reason: 'filtered' })
      expect((await pipelineOf(engine, file('{ when: always }'))).iid).toBe(3)
    },
  )

  testOnOne('keeps its variables encrypted', async () => {
    const engine = await openEngine(open)
    const variables = [{ key: 'WHERE', value: 'moon', variable_type: 'env_var' as const }]
    const pipeline = await pipelineOf(engine, 'a: { script: x }', { source: 'api', variables })
    const rows = await engine.deps.database.selectFrom('pipeline_variable').selectAll().execute()
    expect(rows).toMatchObject([{ pipeline_id: pipeline.id, key: 'WHERE', variable_type: 'env_var' }])
    expect(engine.deps.secrets.decrypt(rows[0]!.value_encrypted)).toBe('moon')
  })

  testOnOne('of a protected branch has protected jobs', async () => {
    const engine = await openEngine(open)
    await protectBranch(engine.deps.database, engine.project.id, 'release/*')
    const pipeline = await pipelineOf(engine, 'a: { script: x }', { ref: 'release/1' })
    expect(pipeline.protected).toBe(true)
    expect((await jobNamed(engine, pipeline, 'a')).protected).toBe(true)
  })

  testOnOne('of a push with a wrong file is failed and says why', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'rspec: { script: x, foo: 1 }')
    expect(pipeline).toMatchObject({ status: 'failed', failure_reason: 'config_error' })
    expect(pipeline.yaml_errors).toBe('jobs:rspec config contains unknown keys: foo')
    expect(await jobsOf(engine, pipeline)).toEqual([])
  })

  testOnOne(
    'keeps the name and the warnings of its file, the latter also when the file is wrong',
    async () => {
      const engine = await openEngine(open)
      const plan = planOf({ a: {} }, { name: 'Nightly', warnings: ['better otherwise'] })
      expect(await pipelineOfPlan(engine, plan)).toMatchObject({
        name: 'Nightly',
        warnings: ['better otherwise'],
        yaml_errors: null,
      })
      const draft: StoredDraft = {
        kind: 'invalid',
        failureReason: 'config_error',
        errors: 'no',
        warnings: ['better otherwise'],
      }
      const failed = await inTransaction(engine.deps.database, (tx) =>
        storePipeline(engine.deps, tx, requestFor(engine), draft, false),
      )
      expect(failed).toMatchObject({ status: 'failed', yaml_errors: 'no', warnings: ['better otherwise'] })
    },
  )

  testOnOne.each([{ message: 'Tidy [skip ci]' }, { skip: true }])(
    'is skipped by %j',
    async ({ message, skip }) => {
      const engine = await openEngine(open)
      engine.repositories.message = message ?? 'Tidy'
      const pipeline = await pipelineOf(engine, 'a: { script: x }', { skip })
      expect(pipeline.status).toBe('skipped')
      expect(await jobsOf(engine, pipeline)).toEqual([])
    },
  )

  testOnOne.each([
    {
      name: 'a wrong file through the API',
      file: 'rspec: { script: x, foo: 1 }',
      changes: { source: 'api' as const },
      reason: 'config_error',
      message: 'jobs:rspec config contains unknown keys: foo',
    },
    {
      name: 'no file',
      file: undefined,
      changes: {},
      reason: 'no-config',
      message: 'Missing CI config file',
    },
    {
      name: 'a push that the workflow does not want',
      file: 'workflow: { rules: [{ if: $CI_COMMIT_TAG }] }\na: { script: x }',
      changes: {},
      reason: 'filtered',
      message: 'Pipeline filtered out by workflow rules.',
    },
    {
      name: 'rules that leave no job',
      file: 'a: { script: x, rules: [{ if: $CI_COMMIT_TAG }] }',
      changes: {},
      reason: 'filtered',
      message:
        'The resulting pipeline would have been empty. Review the rules configuration for the relevant jobs.',
    },
    {
      name: 'one variable twice',
      file: 'a: { script: x }',
      changes: {
        source: 'api' as const,
        variables: ['A', 'B', 'A'].map((key) => ({ key, value: '', variable_type: 'env_var' as const })),
      },
      reason: 'variables',
      message: 'Duplicate variable name(s): A',
    },
  ])('is refused for $name, and what belongs to it is written all the same', async (refused) => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = refused.file
    const creation = await createPipeline(
      engine.deps,
      requestFor(engine, {
        ...refused.changes,
        within: async (tx) => {
          await tx.insertInto('instance_setting').values({ key: 'seen', value: 'yes' }).execute()
        },
      }),
    )
    expect(creation).toEqual({ kind: 'refused', reason: refused.reason, message: refused.message })
    const settings = await engine.deps.database.selectFrom('instance_setting').selectAll().execute()
    expect(settings).toEqual([{ key: 'seen', value: 'yes' }])
    expect(await engine.deps.database.selectFrom('pipeline').selectAll().execute()).toEqual([])
  })

  test('is not there at all when one of its writes fails', async () => {
    const engine = await openEngine(open)
    engine.repositories.createPipelineRef = () => Promise.reject(new Error('disk full'))
    await expect(pipelineOf(engine, 'a: { script: x }')).rejects.toThrow('disk full')
    expect(await engine.deps.database.selectFrom('pipeline').selectAll().execute()).toEqual([])
    expect(await nextJob(engine)).toBeUndefined()
  })

  testOnOne('of a thousand jobs starts at once', async () => {
    const engine = await openEngine(open)
    const jobs = Array.from(
      { length: 1000 },
      (_, index) => `job${index}: { script: x, tags: [t${index % 3}] }`,
    )
    const pipeline = await pipelineOf(engine, jobs.join('\n'))
    expect(await jobsOf(engine, pipeline)).toHaveLength(1000)
    await expectConsistentStore(engine)
  })

  testOnOne('hands a job out with a token of which only the digest is kept', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x, timeout: 10 minutes }')
    const dispatched = await takeJob(engine, 'a')
    const row = await jobNamed(engine, pipeline, 'a')
    expect(dispatched.token).toMatch(/^glcbt-/)
    expect(row).toMatchObject({
      status: 'running',
      runner_id: engine.runner.id,
      timeout: 600,
      cancel_gracefully: true,
      token_digest: tokenDigest(dispatched.token),
    })
    expect(dispatched.job).toEqual(row)
    expect(dispatched.pipeline).toEqual(await reread(engine, pipeline))
    expect(dispatched.project.id).toBe(engine.project.id)
  })
})
