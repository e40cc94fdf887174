import { expect, test } from 'vitest'

import {
  findPendingReasons,
  type WaitingFor,
} from '../../../../../src/coordinator/ci/queue/waiting/find-pending-reasons.js'
import { findRecentKinds } from '../../../../../src/coordinator/ci/queue/waiting/runner-kinds.js'
import type { JobRow } from '../../../../../src/coordinator/database/tables/pipeline-rows.js'
import { copyRow } from '../../../../bench/list-rows.mjs'
import { describeOnEachDatabase, openSqlite } from '../../../../support/databases.js'
import { nextJob, openEngine, pipelineOf, type TestEngine } from '../../engine/support/engine.js'
import { addProject, addRunner } from '../../engine/support/records.js'

async function pendingJobs({ deps }: TestEngine): Promise<JobRow[]> {
  return deps.database.selectFrom('job').selectAll().where('status', '=', 'pending').orderBy('id').execute()
}

/** What each pending job waits for, by name. For one job and for all at once, it is the same. */
async function waitingFor(engine: TestEngine): Promise<Record<string, WaitingFor | undefined>> {
  const { database } = engine.deps
  const responses: Record<string, WaitingFor | undefined> = {}
  const jobs = await pendingJobs(engine)
  const ids = jobs.map(({ id }) => id)
  const together = await findPendingReasons(database, ids, { withPosition: true })
  for (const { id, name } of jobs) {
    responses[name] = (await findPendingReasons(database, [id])).get(id)
    expect(together.get(id)).toEqual(responses[name])
  }
  return responses
}

async function contact({ deps }: TestEngine, at = Date.now()): Promise<void> {
  await deps.database.updateTable('runner').set({ contacted_at: at }).execute()
}

describeOnEachDatabase('a pending job', (open) => {
  test('names the reason that excludes every runner', async () => {
    const engine = await openEngine(open)
    await contact(engine)
    await pipelineOf(engine, 'a: { script: x, tags: [gpu] }')
    expect(await waitingFor(engine)).toEqual({
      a: {
        reason: 'missing_tags',
        message: 'No runner of this project has the tag "gpu".',
        missing_tags: ['gpu'],
      },
    })
  })

  test('has its position among all jobs of its runners, which is the order of dispatch', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const projects = [
      engine.project,
      await addProject(database, engine.user),
      await addProject(database, engine.user),
    ]
    const files = [
      'a: { script: x }\nb: { script: x }\nc: { script: x, variables: { SWITCHYARD_PRIORITY: "2" } }',
      'd: { script: x }\ne: { script: x }\nother: { script: x, tags: [other] }',
      'f: { script: x }',
    ]
    for (const [index, project] of projects.entries()) {
      await pipelineOf(engine, files[index]!, { project })
    }
    await contact(engine)
    const places = Object.entries(await waitingFor(engine)).flatMap(([name, response]) =>
      response && 'queue_position' in response ? [[name, response.queue_position] as const] : [],
    )
    const taken: [string, number][] = []
    for (let next = await nextJob(engine); next; next = await nextJob(engine)) {
      taken.push([next.job.name, taken.length + 1])
    }
    expect(taken.map(([name]) => name)).toEqual(['c', 'd', 'f', 'a', 'e', 'b'])
    expect(Object.fromEntries(places)).toEqual(Object.fromEntries(taken))
  })

  test('waits behind the jobs of the other projects of its runner', async () => {
    const engine = await openEngine(open)
    const { database } = engine.deps
    const traits = { shared_runners_enabled: false }
    const projects = [
      await addProject(database, engine.user, traits),
      await addProject(database, engine.user, traits),
    ]
    const unlinked = await addProject(database, engine.user, traits)
    await addRunner(database, { type: 'project_type', projects })
    for (const [index, project] of [unlinked, ...projects].entries()) {
      await pipelineOf(engine, `job${index}: { script: x }`, { project })
    }
    await contact(engine)
    expect(await waitingFor(engine)).toMatchObject({
      job0: { reason: 'no_runner' },
      job1: { reason: 'queued', queue_position: 1 },
      job2: { reason: 'queued', queue_position: 2 },
    })
  })

  test('says whether the matching runners are busy', async () => {
    const engine = await openEngine(open)
    await contact(engine)
    await pipelineOf(engine, 'a: { script: x }\nb: { script: x }')
    expect((await waitingFor(engine))['a']).toEqual({
      reason: 'queued',
      message: 'The only suitable runner has not requested the job yet; the job is number 1 in the queue.',
      queue_position: 1,
    })
    await nextJob(engine)
    expect(await waitingFor(engine)).toEqual({
      b: {
        reason: 'busy',
        message: 'The only suitable runner is busy; the job is number 1 in the queue.',
        queue_position: 1,
      },
    })
    await addRunner(engine.deps.database)
    await contact(engine)
    const [b] = await pendingJobs(engine)
    expect((await findPendingReasons(engine.deps.database, [b!.id, 0])).get(b!.id)).toEqual({
      reason: 'queued',
      message: 'None of the 2 suitable runners has requested the job yet.',
    })
  })
})

test('kinds of many runners of a project are read again after five seconds', async () => {
  const engine = await openEngine(openSqlite)
  const { database } = engine.deps
  const { project } = engine
  const { id } = await addRunner(database, { type: 'project_type', projects: [project] })
  const kinds = async (now: number) =>
    (await findRecentKinds(database, [project.id], now)).filter(
      ({ profile }) => profile.type === 'project_type',
    )
  const change = (active: boolean) =>
    database.updateTable('runner').set({ active }).where('runner_type', '=', 'project_type').execute()
  const isActive = (active: boolean) => [{ profile: { active } }]

  expect(await kinds(100_000)).toMatchObject(isActive(true))
  await change(false)
  expect(await kinds(100_001)).toMatchObject(isActive(false))

  await copyRow(database, 'runner', { id: String(id) }, 10_000, { token_digest: 'i' })
  await copyRow(database, 'runner_project', { runner_id: String(id) }, 10_000, { runner_id: '1000 + i' })
  expect(await kinds(100_002)).toMatchObject(isActive(false))
  await change(true)
  expect(await kinds(105_001)).toMatchObject(isActive(false))
  expect(await kinds(105_002)).toMatchObject(isActive(true))
})
