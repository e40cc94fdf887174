import { expect, test } from 'vitest'

import { createPipeline } from '../../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { PipelineRequest } from '../../../../../src/coordinator/ci/engine/create/pipeline-request.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import {
  DEFAULT_PIPELINE_LIMITS,
  type PipelineLimits,
} from '../../../../../src/coordinator/ci/engine/pipeline-limits.js'
import type { PipelineSource } from '../../../../../src/coordinator/ci/engine/pipeline-source.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { jobsOf, openEngine, pipelineOf, requestFor, type TestEngine } from '../support/engine.js'

const RIGHT = 'job: { script: [a] }'
const WRONG = 'job: { script: [a], nonsense: 1 }'

/** What becomes of a request: status and reason of the pipeline that is stored, or the sentence of the refusal. */
async function outcomeOf(
  engine: TestEngine,
  changes: Partial<PipelineRequest>,
  deps: Partial<EngineDeps> = {},
): Promise<unknown> {
  const creation = await createPipeline({ ...engine.deps, ...deps }, requestFor(engine, changes))
  if (creation.kind === 'refused') return creation.message
  const { status, failure_reason } = creation.pipeline
  return failure_reason === null ? status : [status, failure_reason]
}

const FAILED = ['failed', 'config_error']
const REFUSED = 'jobs:job config contains unknown keys: nonsense'

/** CI language, 9.1. */
const SOURCES: [source: PipelineSource, wrongFile: unknown, skipCi: string][] = [
  ['push', FAILED, 'skipped'],
  ['web', REFUSED, 'pending'],
  ['trigger', FAILED, 'pending'],
  ['schedule', REFUSED, 'pending'],
  ['api', REFUSED, 'pending'],
  ['pipeline', FAILED, 'pending'],
  ['parent_pipeline', FAILED, 'pending'],
  ['chat', FAILED, 'skipped'],
]

describeOnDatabase('the sources of pipelines', (open) => {
  test.each(SOURCES)('by %s a wrong file gives %j, [skip ci] %s', async (source, wrongFile, skipCi) => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = WRONG
    expect(await outcomeOf(engine, { source })).toEqual(wrongFile)
    const stored = await engine.deps.database.selectFrom('pipeline').selectAll().execute()
    expect(stored.map(({ yaml_errors, source }) => [yaml_errors, source])).toEqual(
      wrongFile === FAILED ? [[REFUSED, source]] : [],
    )
    engine.repositories.ciFile = RIGHT
    engine.repositories.message = 'A commit [Skip-CI]'
    expect(await outcomeOf(engine, { source })).toBe(skipCi)
    expect(await outcomeOf(engine, { source, skip: true })).toBe('skipped')
  })

  test('says of several things that are in the way the first one', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    engine.repositories.message = '[ci skip]'
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`input${index}`, index]))
    const twice = { key: 'A', value: '1', variable_type: 'env_var' } as const
    const limits = { ...DEFAULT_PIPELINE_LIMITS, pipelinesPerMinute: 1 }
    const level = (accessLevel: number) => {
      const outside = { ...engine.deps.outside, levelOf: async () => accessLevel }
      return { limits, outside }
    }
    await pipelineOf(engine, RIGHT)
    engine.repositories.ciFile = undefined
    const project = { ...engine.project, archived: true, restrict_user_defined_variables: true }
    const all = { project, inputs: many, variables: [twice, twice, { ...twice, key: 'B-' }] }
    expect(await outcomeOf(engine, all, level(20))).toBe('The project is archived')
    const usable = { ...all, project: { ...project, archived: false } }
    expect(await outcomeOf(engine, usable, level(20))).toBe(
      'Insufficient permissions to create a new pipeline',
    )
    expect(await outcomeOf(engine, usable, level(30))).toBe(
      'Insufficient permissions to set pipeline variables',
    )
    expect(await outcomeOf(engine, usable, level(40))).toBe(
      "Variable names can contain only letters, digits and '_', 255 at most: B-",
    )
    const duplicate = { ...usable, variables: [twice, twice] }
    expect(await outcomeOf(engine, duplicate, level(40))).toBe('Duplicate variable name(s): A')
    const settable = { ...usable, variables: [twice] }
    expect(await outcomeOf(engine, { ...settable, source: 'api' }, level(40))).toBe(
      'Too many pipelines created in the last minute. Try again later.',
    )
    await database.updateTable('pipeline').set({ created_at: 0 }).execute()
    const asked = { ...settable, source: 'api' as const }
    expect(await outcomeOf(engine, asked, level(40))).toBe('There cannot be more than 20 inputs')
    const few = { ...asked, inputs: {} }
    expect(await outcomeOf(engine, few, level(40))).toBe('Missing CI config file')
    expect(await outcomeOf(engine, { ...settable, inputs: {} }, level(40))).toBe('skipped')
  })

  test('stores nothing for a push that wants no pipeline', async () => {
    const engine = await openEngine(open)
    engine.repositories.ciFile = RIGHT
    expect(await outcomeOf(engine, { noPipeline: true })).toBe('The push option ci.no_pipeline was set')
    expect(await engine.deps.database.selectFrom('pipeline').selectAll().execute()).toEqual([])
  })

  test('gives the inputs of the request to the file', async () => {
    const engine = await openEngine(open)
    const file = `
spec:
  inputs:
    count: { type: number }
    names: { type: array, default: [] }
    word: { default: none }
---
$[[ inputs.word ]]:
  script: $[[ inputs.names ]]
  parallel: $[[ inputs.count ]]
`
    const inputs = { count: '2', names: ['a', 'b'], word: 'job' }
    const jobs = await jobsOf(engine, await pipelineOf(engine, file, { source: 'api', inputs }))
    expect(jobs.map(({ name, options }) => [name, options.script])).toEqual([
      ['job 1/2', ['a', 'b']],
      ['job 2/2', ['a', 'b']],
    ])
    expect(await outcomeOf(engine, { source: 'api' })).toBe(
      '`count` input: required value has not been provided',
    )
    expect(await outcomeOf(engine, { inputs: { count: 1, other: 1 } })).toEqual(FAILED)
  })

  test.each([
    [{ jobsPerPipeline: 1 }, 'size_limit_exceeded', 'The number of jobs has exceeded the limit of 1. '],
    [
      { activeJobs: 3 },
      'job_activity_limit_exceeded',
      'Project exceeded the allowed number of jobs in active pipelines. Retry later.',
    ],
    [
      { deploymentsPerPipeline: 1 },
      'deployments_limit_exceeded',
      'Pipeline has too many deployments! Requested 2, but the limit is 1.',
    ],
  ] satisfies [Partial<PipelineLimits>, string, string][])(
    'keeps to %j',
    async (lowered, reason, message) => {
      const engine = await openEngine(open)
      const file = `
.deploy: { script: [a], environment: { name: $CI_JOB_NAME } }
one: { extends: .deploy }
two: { extends: .deploy }
`
      await pipelineOf(engine, file)
      const limits = { ...DEFAULT_PIPELINE_LIMITS, ...lowered }
      expect(await outcomeOf(engine, { source: 'api' }, { limits })).toContain(message)
      expect(await outcomeOf(engine, {}, { limits })).toEqual(['failed', reason])
      const { id, yaml_errors } = await engine.deps.database
        .selectFrom('pipeline')
        .selectAll()
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      expect(yaml_errors).toContain(message)
      const jobs = await engine.deps.database
        .selectFrom('job')
        .where('pipeline_id', '=', id)
        .select('id')
        .execute()
      expect(jobs).toEqual([])
      const raised = Object.fromEntries(Object.entries(lowered).map(([name, limit]) => [name, limit + 1]))
      expect(await outcomeOf(engine, {}, { limits: { ...DEFAULT_PIPELINE_LIMITS, ...raised } })).toBe(
        'pending',
      )
    },
  )
})
