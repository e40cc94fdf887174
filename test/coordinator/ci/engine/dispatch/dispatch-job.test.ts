import { expect, test } from 'vitest'

import { dispatchJob } from '../../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import type { EngineDeps } from '../../../../../src/coordinator/ci/engine/engine-deps.js'
import { markErased } from '../../../../../src/coordinator/ci/engine/job-log-store.js'
import { getJob } from '../../../../../src/coordinator/ci/engine/job-store.js'
import { allowInstanceRunners } from '../../../../../src/coordinator/ci/queue/store.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { describeOnDatabase, describeOnEachDatabase } from '../../../../support/databases.js'
import { insertArtifact } from '../../../support/insert-artifact.js'
import {
  ALL_FEATURES,
  concurrentCoordinator,
  fail,
  jobNamed,
  nextJob,
  openEngine,
  pipelineOf,
  statusesOf,
  succeed,
  takeJob,
  type TestEngine,
} from '../support/engine.js'
import { expectConsistentStore } from '../support/invariants.js'
import { addProject, addRunner, protectBranch } from '../support/records.js'

const TAGGED = `
plain: { script: x }
fast: { script: x, tags: [fast] }
both: { script: x, tags: [linux, fast] }
`

/** Names of all jobs that the runner gets. */
async function drain(engine: TestEngine, runner = engine.runner): Promise<string[]> {
  const names: string[] = []
  for (let next = await nextJob(engine, runner); next; next = await nextJob(engine, runner)) {
    names.push(next.job.name)
  }
  return names
}

describeOnEachDatabase('a runner that asks for a job', (open, testOnOne) => {
  test('without tags gets untagged jobs only', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, TAGGED)
    expect(await drain(engine)).toEqual(['plain'])
  })

  test('gets jobs whose tags it has all', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, TAGGED)
    const { database } = engine.deps
    expect(await drain(engine, await addRunner(database, { tags: ['fast'], runUntagged: false }))).toEqual([
      'fast',
    ])
    expect(await drain(engine, await addRunner(database, { tags: ['fast', 'linux', 'x'] }))).toEqual([
      'plain',
      'both',
    ])
  })

  testOnOne('on protected refs only, gets protected jobs only', async () => {
    const engine = await openEngine(open)
    await protectBranch(engine.deps.database, engine.project.id, 'main')
    const runner = await addRunner(engine.deps.database, { protectedOnly: true })
    await pipelineOf(engine, 'a: { script: x }', { ref: 'topic' })
    await pipelineOf(engine, 'b: { script: x }', { ref: 'main' })
    expect(await drain(engine, runner)).toEqual(['b'])
    expect(await drain(engine)).toEqual(['a'])
  })

  testOnOne('of one project gets the jobs of that project, oldest first', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const other = await addProject(database, engine.user)
    await pipelineOf(engine, 'c: { script: x }\nd: { script: x, tags: [t] }\ne: { script: x }')
    await pipelineOf(engine, 'f: { script: x }', { project: other })
    const runner = await addRunner(database, {
      type: 'project_type',
      tags: ['t'],
      projects: [engine.project],
    })
    expect(await drain(engine, runner)).toEqual(['c', 'd', 'e'])
    const stranger = await addRunner(database, { type: 'project_type' })
    expect(await drain(engine, stranger)).toEqual([])
    const both = await addRunner(database, { type: 'project_type', projects: [engine.project, other] })
    expect(await drain(engine, both)).toEqual(['f'])
  })

  test('of the instance gets waiting jobs, or not, as their project changes its mind', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    await pipelineOf(engine, 'a: { script: x }')
    await inTransaction(database, (tx) => allowInstanceRunners(tx, [engine.project.id], false))
    expect(await drain(engine)).toEqual([])
    await inTransaction(database, (tx) => allowInstanceRunners(tx, [engine.project.id], true))
    expect(await drain(engine)).toEqual(['a'])
  })

  testOnOne('of the instance gets nothing of projects that do without instance runners', async () => {
    const engine = await openEngine(open)
    const project = await addProject(engine.deps.database, engine.user, { shared_runners_enabled: false })
    await pipelineOf(engine, 'a: { script: x }', { project })
    expect(await drain(engine)).toEqual([])
    const own = await addRunner(engine.deps.database, { type: 'project_type', projects: [project] })
    expect(await drain(engine, own)).toEqual(['a'])
  })

  test('of a group gets the jobs of the group and of its subgroups, oldest first', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const places = { inside: 'team', below: 'team/tools', 'of another': 'teams', unwilling: 'team/own' }
    for (const [name, group] of Object.entries(places)) {
      const project = await addProject(database, engine.user, {
        group,
        shared_runners_enabled: false,
        group_runners_enabled: name !== 'unwilling',
      })
      await pipelineOf(engine, `${name}: { script: x }`, { project })
    }
    expect(await drain(engine)).toEqual([])
    expect(await drain(engine, await addRunner(database, { group: 'team/tools/deep' }))).toEqual([])
    expect(await drain(engine, await addRunner(database, { group: 'team', locked: true }))).toEqual([
      'inside',
      'below',
    ])
    expect(await drain(engine, await addRunner(database, { group: 'teams' }))).toEqual(['of another'])
  })

  testOnOne('of a project gets its jobs also when it is locked to it', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }')
    const traits = { type: 'project_type', projects: [engine.project], locked: true } as const
    expect(await drain(engine, await addRunner(engine.deps.database, { ...traits, active: false }))).toEqual(
      [],
    )
    expect(await drain(engine, await addRunner(engine.deps.database, traits))).toEqual(['a'])
  })

  testOnOne('gets nothing while it is paused', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, TAGGED)
    expect(await nextJob(engine, { ...engine.runner, active: false })).toBeUndefined()
  })

  testOnOne('limits the time of the job by its own', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }')
    const runner = await addRunner(engine.deps.database, { maximumTimeout: 700 })
    expect((await takeJob(engine, 'a', runner)).job.timeout).toBe(700)
  })
})

/** CI language, 14.2: the worked example. */
async function threeProjects(engine: TestEngine): Promise<void> {
  const projects = [engine.project]
  while (projects.length < 3) projects.push(await addProject(engine.deps.database, engine.user))
  const jobs = [['1', '2', '3'], ['4', '5'], ['6']]
  for (const [index, names] of jobs.entries()) {
    const file = names.map((name) => `"${name}": { script: x }`).join('\n')
    await pipelineOf(engine, file, { project: projects[index]! })
  }
}

describeOnEachDatabase('among the jobs of several projects an instance runner', (open, testOnOne) => {
  test('serves the projects in turn', async () => {
    const engine = await openEngine(open)
    await threeProjects(engine)
    expect(await drain(engine)).toEqual(['1', '4', '6', '2', '5', '3'])
  })

  test('counts only what runs now', async () => {
    const engine = await openEngine(open)
    await threeProjects(engine)
    const first = await takeJob(engine, '1')
    await takeJob(engine, '4')
    await succeed(engine, first)
    expect(await drain(engine)).toEqual(['2', '6', '3', '5'])
  })

  testOnOne('does not count what runs on the runners of a project', async () => {
    const engine = await openEngine(open)
    await threeProjects(engine)
    const own = await addRunner(engine.deps.database, { type: 'project_type', projects: [engine.project] })
    await takeJob(engine, '1', own)
    await takeJob(engine, '2')
  })
})

/** What each of several coordinators gives to an instance runner that asks all of them at the same time. */
async function askAtOnce(engine: TestEngine, coordinators: EngineDeps[]): Promise<string[]> {
  const asking = { runner: engine.runner, features: ALL_FEATURES }
  const given = await Promise.all(coordinators.map((deps) => dispatchJob(deps, asking)))
  return given.flatMap((dispatched) => dispatched?.job.name ?? []).sort()
}

describeOnEachDatabase('instance runners that ask several coordinators at the same time', (open) => {
  test('share the turns between the projects as one after the other would', async () => {
    const engine = await openEngine(open)
    const others = [concurrentCoordinator(engine), concurrentCoordinator(engine)]
    await threeProjects(engine)
    expect(await askAtOnce(engine, [engine.deps, ...others])).toEqual(['1', '4', '6'])
    expect(await askAtOnce(engine, [engine.deps, ...others])).toEqual(['2', '3', '5'])
    expect(await askAtOnce(engine, [engine.deps, ...others])).toEqual([])
    await expectConsistentStore(engine)
  })
})

describeOnEachDatabase('instance runners that ask one coordinator at the same time', (open, testOnOne) => {
  test('share the turns between the projects as one after the other would', async () => {
    const engine = await openEngine(open)
    await threeProjects(engine)
    const { deps } = engine
    expect(await askAtOnce(engine, [deps, deps, deps])).toEqual(['1', '4', '6'])
    expect(await askAtOnce(engine, [deps, deps, deps, deps])).toEqual(['2', '3', '5'])
    await expectConsistentStore(engine)
  })

  testOnOne('get the jobs that their tags allow, and one that cannot run fails alone', async () => {
    const engine = await openEngine(open)
    const file = `${TAGGED}excluding: { script: x, artifacts: { paths: [a], exclude: [b] } }\nlast: { script: x }`
    const pipeline = await pipelineOf(engine, file)
    const fast = await addRunner(engine.deps.database, { tags: ['fast'], runUntagged: false })
    const runners = [engine.runner, fast, engine.runner, engine.runner, engine.runner]
    const given = await Promise.all(
      runners.map((runner) => dispatchJob(engine.deps, { runner, features: {} })),
    )
    expect(given.flatMap((dispatched) => dispatched?.job.name ?? []).sort()).toEqual([
      'fast',
      'last',
      'plain',
    ])
    expect(given[1]?.job).toMatchObject({ name: 'fast', runner_id: fast.id })
    expect(await jobNamed(engine, pipeline, 'excluding')).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_unsupported',
    })
    await expectConsistentStore(engine)
  })
})

describeOnEachDatabase('the variable SWITCHYARD_PRIORITY', (open, testOnOne) => {
  test('orders the jobs of one project, of whichever pipeline', async () => {
    const engine = await openEngine(open)
    await pipelineOf(engine, 'a: { script: x }\nb: { script: x, variables: { SWITCHYARD_PRIORITY: "5" } }')
    const first = 'variables: { SWITCHYARD_PRIORITY: "10" }\nc: { script: x }'
    await pipelineOf(engine, `${first}\nd: { script: x, variables: { SWITCHYARD_PRIORITY: "-1" } }`)
    expect(await drain(engine)).toEqual(['c', 'b', 'a', 'd'])
    await expectConsistentStore(engine)
  })

  test('does not let a project go before another one', async () => {
    const engine = await openEngine(open)
    const other = await addProject(engine.deps.database, engine.user)
    await pipelineOf(engine, 'a: { script: x }\nb: { script: x }')
    await pipelineOf(engine, 'variables: { SWITCHYARD_PRIORITY: "10" }\nc: { script: x }\nd: { script: x }', {
      project: other,
    })
    expect(await drain(engine)).toEqual(['a', 'c', 'b', 'd'])
  })

  testOnOne('still counts for the next attempt of a job', async () => {
    const engine = await openEngine(open)
    await pipelineOf(
      engine,
      'a: { script: x, retry: 1, variables: { SWITCHYARD_PRIORITY: "1" } }\nb: { script: x }',
    )
    await fail(engine, await takeJob(engine, 'a'))
    expect(await drain(engine)).toEqual(['a', 'b'])
  })
})

describeOnDatabase('a job that cannot be run', (open) => {
  test('fails when its runner lacks a feature, and the next one is tried', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(
      engine,
      'a: { script: x, artifacts: { paths: [o], exclude: [p] } }\nb: { script: x }',
    )
    expect((await nextJob(engine, engine.runner, {}))?.job.name).toBe('b')
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      status: 'failed',
      failure_reason: 'runner_unsupported',
    })
    await expectConsistentStore(engine)
  })

  test('of native steps goes to runners that say they run them, and names the missing feature', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { run: [{ name: one, script: x }] }')
    expect(await nextJob(engine)).toBeUndefined()
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      failure_reason: 'runner_unsupported',
      waited_for: {
        reason: 'runner_feature',
        message: expect.stringContaining('"native_steps_integration"') as string,
      },
    })
    await pipelineOf(engine, 'b: { run: [{ name: one, script: x }] }')
    const features = { native_steps_integration: true }
    expect((await nextJob(engine, engine.runner, features))?.job.name).toBe('b')
  })

  test('with the identity of a cloud fails when a runner takes it, and says what to write instead', async () => {
    const engine = await openEngine(open)
    const pipeline = await pipelineOf(engine, 'a: { script: x, identity: google_cloud }\nb: { script: x }')
    expect((await nextJob(engine))?.job.name).toBe('b')
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({
      failure_reason: 'unmet_prerequisites',
      waited_for: {
        reason: 'identity_provider',
        message: expect.stringContaining('write id_tokens') as string,
      },
    })
  })

  test.each(['erased', 'erased before any was stored', 'expired'])(
    'fails when artifacts it depends on are %s',
    async (how) => {
      const engine = await openEngine(open)
      const { database } = engine.deps
      const pipeline = await pipelineOf(
        engine,
        'stages: [one, two]\na: { stage: one, script: x, artifacts: { paths: [o] } }\nb: { stage: two, script: x }',
      )
      const { job } = await takeJob(engine, 'a')
      if (!how.endsWith('stored'))
        await insertArtifact(database, job, { blob_key: how === 'expired' ? '' : 'k' })
      await succeed(engine, { job } as Parameters<typeof succeed>[1])
      if (how !== 'expired') await markErased(database, await getJob(database, job.id))
      expect(await nextJob(engine)).toBeUndefined()
      expect(await jobNamed(engine, pipeline, 'b')).toMatchObject({
        status: 'failed',
        failure_reason: 'missing_dependency_failure',
      })
      expect((await statusesOf(engine, pipeline)).pipeline).toBe('failed')
      await expectConsistentStore(engine)
    },
  )

  test.each([
    ['archived_failure', 'its project is archived'],
    ['archived_failure', 'its project is marked for deletion'],
    ['user_blocked', 'its user is blocked'],
  ])('fails with %s when %s', async (reason, when) => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const pipeline = await pipelineOf(engine, 'a: { script: x }')
    if (reason === 'user_blocked') await database.updateTable('user').set({ state: 'blocked' }).execute()
    else if (when.endsWith('archived'))
      await database.updateTable('project').set({ archived: true }).execute()
    else await database.updateTable('project').set({ marked_for_deletion_at: 1 }).execute()
    expect(await nextJob(engine)).toBeUndefined()
    expect(await jobNamed(engine, pipeline, 'a')).toMatchObject({ status: 'failed', failure_reason: reason })
    await expectConsistentStore(engine)
  })

  test('that depends on a job without artifacts runs', async () => {
    const engine = await openEngine(open)
    await pipelineOf(
      engine,
      'stages: [one, two]\na: { stage: one, script: x, artifacts: { paths: [o] }, allow_failure: true }\nb: { stage: two, script: x }',
    )
    await fail(engine, await takeJob(engine, 'a'))
    await takeJob(engine, 'b')
  })
})
