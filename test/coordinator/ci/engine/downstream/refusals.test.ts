import { expect, test } from 'vitest'

import { retryJob } from '../../../../../src/coordinator/ci/engine/retry/retry.js'
import type { PipelineRow, ProjectRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { describeOnDatabase } from '../../../../support/databases.js'
import {
  addLibrary,
  downstreamOf,
  onlyDownstream,
  runBridgeTasks,
  withProjects,
} from '../support/downstream.js'
import { jobNamed, jobsOf, openEngine, pipelineOf, statusesOf, type TestEngine } from '../support/engine.js'
import { addUser, protectBranch } from '../support/records.js'

interface Case {
  name: string
  trigger: string
  /** Of the other project, which has the path `lib/lib`. */
  libraryFile?: string
  prepare?: (engine: TestEngine, library: ProjectRow) => Promise<void>
  reason: string
  errors: string
  stored?: boolean
}

const level = (value: number, of: 'library' | 'own') => async (engine: TestEngine, library: ProjectRow) =>
  withProjects(engine, new Map([[of === 'library' ? library.id : engine.project.id, value]]))

/** CI language, 13.2, in its order. */
const CASES: Case[] = [
  {
    name: 'a project that is not there',
    trigger: 'lib/other',
    reason: 'downstream_bridge_project_not_found',
    errors: 'Project lib/other does not exist or you may not read it',
  },
  {
    name: 'a project that the user may not read',
    trigger: 'lib/lib',
    prepare: level(10, 'library'),
    reason: 'downstream_bridge_project_not_found',
    errors: 'Project lib/lib does not exist or you may not read it',
  },
  {
    name: 'its own project',
    trigger: '$CI_PROJECT_PATH',
    reason: 'invalid_bridge_trigger',
    errors: 'A project starts a pipeline in itself with trigger:include',
  },
  {
    name: 'a project where the user may start nothing',
    trigger: 'lib/lib',
    prepare: level(20, 'library'),
    reason: 'insufficient_bridge_permissions',
    errors: 'Insufficient permissions to create a new pipeline',
  },
  {
    name: 'a protected branch of which the user is no maintainer',
    trigger: '{ project: lib/lib, branch: main }',
    prepare: async (engine, library) => {
      await protectBranch(engine.deps.database, library.id, 'main')
      await level(30, 'library')(engine, library)
    },
    reason: 'insufficient_bridge_permissions',
    errors:
      "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance.",
  },
  {
    name: 'an archived project',
    trigger: 'lib/lib',
    prepare: async ({ deps }, { id }) => {
      await deps.database.updateTable('project').set({ archived: true }).where('id', '=', id).execute()
    },
    reason: 'insufficient_bridge_permissions',
    errors: 'The project is archived',
  },
  {
    name: 'a child, when the user has lost the right to run pipelines',
    trigger: '{ include: child.yml }',
    prepare: async (engine, library) => {
      engine.repositories.files.set('child.yml', 'work: { script: x }')
      await level(20, 'own')(engine, library)
    },
    reason: 'insufficient_bridge_permissions',
    errors: 'Insufficient permissions to create a new pipeline',
  },
  {
    name: 'a branch that is not there',
    trigger: '{ project: lib/lib, branch: gone }',
    prepare: async ({ repositories }) => void repositories.missingRefs.add('gone'),
    reason: 'downstream_pipeline_creation_failed',
    errors: 'Reference not found',
  },
  {
    name: 'a file that is wrong',
    trigger: 'lib/lib',
    libraryFile: 'build: { script: x, foo: 1, stage: nowhere }',
    reason: 'downstream_pipeline_creation_failed',
    errors:
      'The pipeline of the other project failed (config_error); users who may read its code see the details',
    stored: true,
  },
  {
    name: 'a file that is not there',
    trigger: '{ include: nowhere.yml, strategy: depend }',
    reason: 'downstream_pipeline_creation_failed',
    errors: 'Local file `nowhere.yml` does not exist!',
    stored: true,
  },
  {
    name: 'a file without jobs for it',
    trigger: 'lib/lib',
    libraryFile: 'build: { script: x, only: [tags] }',
    reason: 'downstream_pipeline_creation_failed',
    errors: 'The resulting pipeline would have been empty.',
  },
  {
    name: 'a file whose workflow says no',
    trigger: 'lib/lib',
    libraryFile: 'workflow: { rules: [{ if: $NEVER }] }\nbuild: { script: x }',
    reason: 'downstream_pipeline_creation_failed',
    errors: 'Pipeline filtered out by workflow rules.',
  },
  {
    name: 'variables where only maintainers may give them',
    trigger: 'lib/lib\n  variables: { A: b }',
    prepare: async (engine, library) => {
      const { database } = engine.deps
      const restricted = { restrict_user_defined_variables: true }
      await database.updateTable('project').set(restricted).where('id', '=', library.id).execute()
      await level(30, 'library')(engine, library)
    },
    reason: 'downstream_pipeline_creation_failed',
    errors: 'Insufficient permissions to set pipeline variables',
  },
]

describeOnDatabase('pipelines that a trigger job does not get', (open) => {
  test.each(CASES)('$name', async ({ trigger, libraryFile, prepare, reason, errors, stored = false }) => {
    const engine = await openEngine(open)
    const library = await addLibrary(engine, libraryFile)
    withProjects(engine)
    const pipeline = await pipelineOf(engine, `other: { script: x }\nstart:\n  trigger: ${trigger}`)
    await prepare?.(engine, library)
    await runBridgeTasks(engine.deps)
    const bridge = await jobNamed(engine, pipeline, 'start')
    expect(bridge).toMatchObject({ status: 'failed', failure_reason: reason })
    expect(bridge.downstream_errors).toContain(errors)
    expect((await downstreamOf(engine, pipeline)).map(({ status }) => status)).toEqual(
      stored ? ['failed'] : [],
    )
  })

  test('a blocked user and an archived project start nothing more', async () => {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', 'work: { script: x }')
    const { database } = engine.deps
    const file = 'start: { trigger: { include: child.yml } }'
    const blocked = await addUser(database)
    const ofBlocked = await pipelineOf(engine, file, { user: blocked })
    await database.updateTable('user').set({ state: 'blocked' }).where('id', '=', blocked.id).execute()
    await runBridgeTasks(engine.deps)
    expect((await jobNamed(engine, ofBlocked, 'start')).failure_reason).toBe('user_blocked')

    const ofArchived = await pipelineOf(engine, file)
    await database.updateTable('project').set({ archived: true }).execute()
    await runBridgeTasks(engine.deps)
    expect((await jobNamed(engine, ofArchived, 'start')).failure_reason).toBe('archived_failure')
  })

  test('children lie two levels deep at most, and the third is not tried again', async () => {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', 'start: { trigger: { include: child.yml } }')
    const pipeline = await pipelineOf(engine, 'start: { trigger: { include: child.yml } }')
    await runBridgeTasks(engine.deps)
    const child = await onlyDownstream(engine, pipeline)
    const grandchild = await onlyDownstream(engine, child)
    expect((await statusesOf(engine, pipeline)).jobs).toEqual({ start: 'success' })
    expect((await statusesOf(engine, child)).jobs).toEqual({ start: 'success' })
    const refused = await jobNamed(engine, grandchild, 'start')
    expect(refused).toMatchObject({
      status: 'failed',
      failure_reason: 'reached_max_descendant_pipelines_depth',
    })
    expect(await retryJob(engine.deps, refused, engine.user)).toBe('not-retryable')
  })

  test('pipelines that start one another are stopped at the third time round', async () => {
    const engine = await openEngine(open)
    await addLibrary(engine, `start: { trigger: ${engine.project.full_path} }`)
    withProjects(engine)
    const first = await pipelineOf(engine, 'start: { trigger: lib/lib }')
    await runBridgeTasks(engine.deps)
    const chain = await chainFrom(engine, first)
    const last = chain.at(-1)
    if (!last) throw new Error('There is no pipeline')
    expect(chain.map(({ source }) => source)).toEqual(['push', ...Array<string>(5).fill('pipeline')])
    expect(await jobNamed(engine, last, 'start')).toMatchObject({ failure_reason: 'pipeline_loop_detected' })
    for (const pipeline of chain.slice(0, -1)) {
      expect((await jobsOf(engine, pipeline)).map(({ status }) => status)).toEqual(['success'])
    }
  })

  test('one pipeline leads to a thousand at most, and one commit to 350 in a minute', async () => {
    const engine = await openEngine(open)
    engine.repositories.files.set('child.yml', 'work: { script: x }')
    const pipeline = await pipelineOf(engine, 'start: { trigger: { include: child.yml } }')
    await pretendDownstream(engine, pipeline, 999, Date.now() - 3_600_000)
    await runBridgeTasks(engine.deps)
    expect((await jobNamed(engine, pipeline, 'start')).failure_reason).toBe(
      'reached_max_pipeline_hierarchy_size',
    )

    const busy = await pipelineOf(engine, 'start: { trigger: { include: child.yml } }')
    await pretendDownstream(engine, busy, 350, Date.now())
    await runBridgeTasks(engine.deps)
    expect((await jobNamed(engine, busy, 'start')).failure_reason).toBe(
      'reached_downstream_pipeline_trigger_rate_limit',
    )
  })
})

async function chainFrom(engine: TestEngine, first: PipelineRow): Promise<PipelineRow[]> {
  const chain = [first]
  for (let next = await downstreamOf(engine, first); next[0]; next = await downstreamOf(engine, next[0])) {
    chain.push(next[0])
  }
  return chain
}

/** As if the pipeline had led to so many others. */
async function pretendDownstream(
  { deps, user, project }: TestEngine,
  upstream: PipelineRow,
  count: number,
  created_at: number,
): Promise<void> {
  const { database } = deps
  const pipelines = Array.from({ length: count }, (_, index) => ({
    iid: upstream.id * 10_000 + index,
    project_id: project.id,
    user_id: user.id,
    ref: 'main',
    tag: false,
    sha: upstream.sha,
    before_sha: upstream.before_sha,
    ...({ source: 'parent_pipeline', status: 'success', protected: false } as const),
    created_at,
    updated_at: created_at,
  }))
  const rows = await database.insertInto('pipeline').values(pipelines).returning('id').execute()
  await database
    .insertInto('downstream_pipeline')
    .values(
      rows.map(({ id }) => ({
        pipeline_id: id,
        kind: 'child' as const,
        strategy: null,
        upstream_job_id: 0,
        upstream_pipeline_id: upstream.id,
        upstream_project_id: project.id,
        depth: 1,
        root_id: upstream.id,
        hierarchy_root_id: upstream.id,
        created_at,
      })),
    )
    .execute()
}
