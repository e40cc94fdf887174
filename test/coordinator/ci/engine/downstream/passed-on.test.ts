import { expect, test } from 'vitest'

import type { PipelineRequest } from '../../../../../src/coordinator/ci/engine/create/pipeline-request.js'
import type { PipelineRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import { testAtNight } from '../../../../support/nightly.js'
import { addLibrary, onlyDownstream, runBridgeTasks, withProjects } from '../support/downstream.js'
import { jobNamed, jobsOf, openEngine, pipelineOf, type TestEngine } from '../support/engine.js'

const given: PipelineRequest['variables'] = [
  { key: 'GIVEN', value: 'by hand', variable_type: 'env_var' },
  { key: 'TOP', value: 'by hand', variable_type: 'env_var' },
  { key: 'KEY_FILE', value: 'secret', variable_type: 'file' },
]

describeOnDatabase('what a trigger job passes on', (open) => {
  async function start(file: string, changes: Partial<PipelineRequest> = {}) {
    const engine = await openEngine(open)
    await addLibrary(engine)
    withProjects(engine)
    const pipeline = await pipelineOf(engine, file, changes)
    await runBridgeTasks(engine.deps)
    return { engine, pipeline, downstream: await onlyDownstream(engine, pipeline) }
  }

  test('the variables of the file, expanded where they are written', async () => {
    const { engine, pipeline, downstream } = await start(`
variables: { TOP: of the file, RAW: { value: $TOP, expand: false } }
start:
  trigger: lib/lib
  variables: { PARENT_PIPELINE_ID: $CI_PIPELINE_ID, BOTH: "$TOP and $CI_JOB_NAME, $NOTHING" }
`)
    expect(await variablesOf(engine, downstream)).toEqual({
      TOP: ['of the file', 'env_var', false],
      RAW: ['$TOP', 'env_var', true],
      PARENT_PIPELINE_ID: [String(pipeline.id), 'env_var', false],
      BOTH: ['of the file and start, ', 'env_var', false],
    })
    expect(downstream).toMatchObject({ source: 'pipeline', ref: 'main', user_id: engine.user.id })
  })

  test('nothing of the file when it says so', async () => {
    const file = `start: { trigger: { project: lib/lib, forward: { yaml_variables: false } }, variables: { A: b } }`
    const { engine, downstream } = await start(file)
    expect(await variablesOf(engine, downstream)).toEqual({})
  })

  test('what the pipeline was given when it says so, which counts more', async () => {
    const file = `
variables: { TOP: of the file, NAMES: "$GIVEN $KEY_FILE" }
start: { trigger: { project: lib/lib, forward: { pipeline_variables: true } } }`
    const { engine, downstream } = await start(file, { variables: given })
    expect(await variablesOf(engine, downstream)).toEqual({
      TOP: ['by hand', 'env_var', false],
      NAMES: ['by hand $KEY_FILE', 'env_var', false],
      GIVEN: ['by hand', 'env_var', false],
      KEY_FILE: ['secret', 'file', false],
    })
  })

  test('no variable for protected refs to another project', async () => {
    const engine = await openEngine(open)
    await addLibrary(engine)
    withProjects(engine)
    const { database, secrets } = engine.deps
    const now = Date.now()
    await database
      .insertInto('protected_ref')
      .values({
        project_id: engine.project.id,
        kind: 'branch',
        name: 'main',
        push_access_level: 40,
        merge_access_level: 40,
        created_at: now,
      })
      .execute()
    const settings = { project_id: engine.project.id, variable_type: 'env_var', created_at: now } as const
    await database
      .insertInto('ci_variable')
      .values([
        {
          ...settings,
          key: 'OPEN',
          value_encrypted: secrets.encrypt('o'),
          protected: false,
          updated_at: now,
        },
        {
          ...settings,
          key: 'HIDDEN',
          value_encrypted: secrets.encrypt('h'),
          protected: true,
          updated_at: now,
        },
      ])
      .execute()
    engine.repositories.files.set('child.yml', 'work: { script: x }')
    const file = (trigger: string) => `start: { trigger: ${trigger}, variables: { PASSED: "$OPEN-$HIDDEN" } }`
    const toOther = await pipelineOf(engine, file('lib/lib'))
    const toChild = await pipelineOf(engine, file('{ include: child.yml }'))
    await runBridgeTasks(engine.deps)
    const passed = async (pipeline: PipelineRow) =>
      variablesOf(engine, await onlyDownstream(engine, pipeline))
    expect(await passed(toOther)).toEqual({ PASSED: ['o-', 'env_var', false] })
    expect(await passed(toChild)).toEqual({ PASSED: ['o-h', 'env_var', false] })
  })

  test('a branch and a project whose names are variables', async () => {
    const { downstream } = await start(`
start:
  variables: { NAME: lib, BRANCH: stable }
  trigger: { project: $NAME/lib, branch: $BRANCH }
`)
    expect(downstream).toMatchObject({ ref: 'stable', before_sha: '0'.repeat(40) })
  })

  testAtNight('inputs to the file of another project, with their references replaced', async () => {
    const engine = await openEngine(open)
    await addLibrary(
      engine,
      `spec: { inputs: { where: {}, times: { type: number } } }
---
"deploy to $[[ inputs.where ]]": { script: x, parallel: "$[[ inputs.times ]]" }`,
    )
    withProjects(engine)
    const file = `
start:
  variables: { PLACE: staging }
  trigger: { project: lib/lib, inputs: { where: $PLACE, times: 2 } }`
    const pipeline = await pipelineOf(engine, file)
    await runBridgeTasks(engine.deps)
    const jobs = await jobsOf(engine, await onlyDownstream(engine, pipeline))
    expect(jobs.map(({ name }) => name)).toEqual(['deploy to staging 1/2', 'deploy to staging 2/2'])
  })
})

describeOnDatabase('what a child pipeline is made of', (open) => {
  async function childOf(trigger: string, prepare: (engine: TestEngine) => void) {
    const engine = await openEngine(open)
    const library = await addLibrary(engine)
    withProjects(engine)
    engine.deps.outside = {
      ...engine.deps.outside,
      readableProject: async () => library,
      readTemplate: async (name) => `of ${name}: { script: x }`.replace('.gitlab-ci.yml', ''),
      fetchRemote: async () => ({ kind: 'text', text: Buffer.from('remote: { script: x }') }),
    }
    prepare(engine)
    const pipeline = await pipelineOf(engine, `start: { trigger: { include: ${trigger} } }`, {
      beforeSha: 'b'.repeat(40),
    })
    await runBridgeTasks(engine.deps)
    const { downstream_errors } = await jobNamed(engine, pipeline, 'start')
    if (downstream_errors !== null) throw new Error(downstream_errors)
    const child = await onlyDownstream(engine, pipeline)
    return { engine, child, names: (await jobsOf(engine, child)).map(({ name }) => name) }
  }

  test('a local file, at the commit of its parent', async () => {
    const { child, engine, names } = await childOf('a.yml', ({ repositories }) =>
      repositories.files.set(
        'a.yml',
        'local: { script: x, rules: [{ if: $CI_PIPELINE_SOURCE == "parent_pipeline" }] }',
      ),
    )
    expect(names).toEqual(['local'])
    expect(child).toMatchObject({
      project_id: engine.project.id,
      source: 'parent_pipeline',
      ref: 'main',
      sha: 'a'.repeat(40),
      before_sha: 'b'.repeat(40),
    })
  })

  test('several files of all kinds, one after the other', async () => {
    const { names } = await childOf(
      '[{ local: /a.yml }, { project: lib/lib, file: .gitlab-ci.yml }, "https://example.com/r.yml"]',
      ({ repositories }) => repositories.files.set('a.yml', 'build: { script: y }\nlocal: { script: x }'),
    )
    expect(names.toSorted()).toEqual(['build', 'local', 'remote'])
  })

  testAtNight('a template', async () => {
    const { names } = await childOf('{ template: Node.gitlab-ci.yml }', () => {})
    expect(names).toEqual(['of Node'])
  })

  test('a file with inputs, those of the file before those of the trigger', async () => {
    const { names } = await childOf(
      '[{ local: a.yml, inputs: { name: own } }], inputs: { name: shared, stage: test }',
      ({ repositories }) =>
        repositories.files.set(
          'a.yml',
          `spec: { inputs: { name: {}, stage: {} } }
---
"$[[ inputs.name ]]": { script: x, stage: "$[[ inputs.stage ]]" }`,
        ),
    )
    expect(names).toEqual(['own'])
  })

  test('a file that a job of the parent left', async () => {
    const asked: unknown[] = []
    const { names } = await childOf('{ artifact: gen/child.yml, job: start }', ({ deps }) => {
      deps.artifacts = {
        readArchived: async (...args) => {
          asked.push(args.slice(1))
          return Buffer.from('made: { script: x }')
        },
      }
    })
    expect(names).toEqual(['made'])
    expect(asked).toEqual([['gen/child.yml', 5 * 1024 * 1024]])
  })

  test.each([
    ['is too large', 'too-large', 'File `c.yml` of the job `start` is larger than 5 MiB!'],
    ['is not there', undefined, 'Job `start` not found in parent pipeline or does not have artifacts!'],
  ] as const)('a file of a job that %s makes none', async (_name, response, message) => {
    const child = childOf('{ artifact: c.yml, job: start }', ({ deps }) => {
      deps.artifacts = { readArchived: async () => response }
    })
    await expect(child).rejects.toThrow(message)
  })
})

/** `[value, type, raw]` by name. */
async function variablesOf({ deps }: TestEngine, { id }: PipelineRow) {
  const rows = await deps.database
    .selectFrom('pipeline_variable')
    .selectAll()
    .where('pipeline_id', '=', id)
    .execute()
  return Object.fromEntries(
    rows.map(({ key, value_encrypted, variable_type, raw }) => [
      key,
      [deps.secrets.decrypt(value_encrypted), variable_type, raw],
    ]),
  )
}
