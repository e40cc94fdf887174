import { expect, test } from 'vitest'

import { LEVELS, rollUpWaits } from '../../../../src/coordinator/ci/queue/wait-statistics/roll-up.js'
import { sampleRunnerUse } from '../../../../src/coordinator/ci/queue/wait-statistics/sample-use.js'
import { WaitCounts } from '../../../../src/coordinator/ci/queue/wait-statistics/wait-counts.js'
import type {
  QueueOverview,
  RunnerFailures,
  RunnerUse,
  WaitStatistics,
} from '../../../../src/coordinator/ci/runner-statistics/schema.js'
import type { RunnerType } from '../../../../src/coordinator/database/tables/runners.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase, describeOnEachDatabase, type OpenDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addProject, addUser } from '../engine/support/records.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NEVER = new AbortController().signal
/** A start of a day, so that no period is cut. */
const NOON = Date.parse('2026-03-02T00:00:00Z')

interface Started {
  at: number
  /** In milliseconds. */
  wait: number
  tags?: string[]
  runner?: number
  type?: RunnerType
  project?: number
}

/** A coordinator without statistics of earlier tests. */
async function cleared(coordinator: CiCoordinator): Promise<CiCoordinator> {
  for (const table of ['queue_wait', 'runner_wait', 'runner_use', 'instance_setting'] as const) {
    if (table === 'instance_setting') {
      await coordinator.database.deleteFrom(table).where('key', '=', 'runner_use_sampled').execute()
    } else await coordinator.database.deleteFrom(table).execute()
  }
  return coordinator
}

async function store({ database, project }: CiCoordinator, jobs: readonly Started[]): Promise<void> {
  let now = 0
  const counts = new WaitCounts(database, createLogger('test', 'silent'), () => now)
  for (const { at, wait, tags = [], runner = 1, type = 'instance_type', project: id = project.id } of jobs) {
    now = at
    counts.record({ queued_at: at - wait, tag_list: tags, project_id: id }, { id: runner, runner_type: type })
  }
  await counts.write()
}

async function waits(
  { app, admin }: CiCoordinator,
  query: string,
  path = '/runners/waits',
): Promise<WaitStatistics> {
  const response = await app.call(admin, `GET ${path}?${query}`)
  expect(response.statusCode).toBe(200)
  return response.json()
}

function span(from: number, to: number): string {
  return `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`
}

describeOnEachDatabase('waits of jobs', (open: OpenDatabase, testOnOne) => {
  const opened = openForFile(() => startCiCoordinator({}, open))

  test('have percentiles of all, by tag set and over time', async () => {
    const coordinator = await cleared(opened())
    const now = Date.now()
    const at = now - (now % HOUR) - HOUR
    await store(coordinator, [
      ...Array.from({ length: 99 }, () => ({ at, wait: 1000, tags: ['linux', 'big'] })),
      { at: at + 20 * MINUTE, wait: 60_000, tags: ['big', 'linux'] },
      { at: at + 20 * MINUTE, wait: 300_000 },
    ])
    const body = await waits(coordinator, span(at, at + HOUR))
    expect(body).toMatchObject({ step: 300, by: 'tag_set', total: { count: 101 } })
    expect(body.total.p50).toBeCloseTo(1, 0)
    expect(body.groups.map(({ name, tags, count }) => [name, tags, count])).toEqual([
      ['big, linux', ['big', 'linux'], 100],
      ['', [], 1],
    ])
    expect(body.groups[0]?.p99).toBeLessThan(1.1)
    expect(body.series.map((point) => [Date.parse(point.at) - at, point.count])).toEqual([
      [0, 99],
      [20 * MINUTE, 2],
    ])
    const set = body.groups[0]?.id ?? 0
    expect(await waits(coordinator, `${span(at, at + HOUR)}&tag_set_id=${set}`)).toMatchObject({
      total: { count: 100 },
    })
    expect((await waits(coordinator, span(at + HOUR, at + 2 * HOUR))).total).toMatchObject({
      count: 0,
      p50: null,
    })
  })

  testOnOne('are grouped by runner, type and project, also of those that were deleted', async () => {
    const coordinator = await cleared(opened())
    const runner = await RunnerClient.register(coordinator, { description: 'linux-7' })
    const { id } = await coordinator.database
      .selectFrom('runner')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(runner.token).not.toBe('')
    const at = Date.now() - HOUR
    await store(coordinator, [
      { at, wait: 1000, runner: id },
      { at, wait: 1000, runner: id, type: 'instance_type' },
      { at, wait: 9000, runner: 999_999, type: 'group_type', project: 999_999 },
    ])
    const by = async (key: string) =>
      (await waits(coordinator, `by=${key}`)).groups.map((group) => [group.id, group.name, group.count])
    expect(await by('runner')).toEqual([
      [id, 'linux-7', 2],
      [999_999, '', 1],
    ])
    expect(await by('type')).toEqual([
      [null, 'instance_type', 2],
      [null, 'group_type', 1],
    ])
    expect(await by('project')).toEqual([
      [coordinator.project.id, 'group/app', 2],
      [999_999, '', 1],
    ])
    expect(await waits(coordinator, `runner_id=${id}`)).toMatchObject({ by: 'runner', total: { count: 2 } })
    expect(await waits(coordinator, 'runner_type=group_type')).toMatchObject({ total: { count: 1 } })
  })

  testOnOne('of a project and of a group have the jobs of their projects alone', async () => {
    const coordinator = await cleared(opened())
    const at = Date.now() - HOUR
    await store(coordinator, [
      { at, wait: 1000 },
      { at, wait: 1000, project: 999_999 },
    ])
    const { project } = coordinator
    expect(await waits(coordinator, '', `/projects/${project.id}/runners/waits`)).toMatchObject({
      total: { count: 1 },
    })
    const ofGroup = await waits(coordinator, 'by=project', `/groups/${project.namespace_id}/runners/waits`)
    expect(ofGroup.groups).toMatchObject([{ name: 'group/app', count: 1 }])
  })

  test('add up to the same numbers when they become hours and then days, and end after two years', async () => {
    const coordinator = await cleared(opened())
    const { database } = coordinator
    await store(coordinator, [
      { at: NOON, wait: 1000 },
      { at: NOON + 10 * MINUTE, wait: 1000 },
      { at: NOON + 10 * MINUTE, wait: 90_000, tags: ['x'] },
      { at: NOON + 5 * HOUR, wait: 1000 },
    ])
    const rows = async (resolution: number) => {
      const found = await database
        .selectFrom('queue_wait')
        .selectAll()
        .where('resolution', '=', resolution)
        .orderBy('start_at')
        .orderBy('jobs', 'desc')
        .execute()
      return found.map(({ start_at, jobs }) => [(start_at - NOON) / HOUR, jobs])
    }
    const [fine, hours, days] = LEVELS.map(({ resolution }) => resolution) as [number, number, number]
    await rollUpWaits(database, NEVER, NOON + DAY)
    expect((await rows(fine)).length).toBe(4)
    await rollUpWaits(database, NEVER, NOON + 2 * DAY + 3 * HOUR)
    expect(await rows(hours)).toEqual([
      [0, 2],
      [0, 1],
    ])
    expect(await rows(fine)).toEqual([[5, 1]])
    await rollUpWaits(database, NEVER, NOON + 91 * DAY)
    expect([await rows(fine), await rows(hours)]).toEqual([[], []])
    expect(await rows(days)).toEqual([
      [0, 3],
      [0, 1],
    ])
    expect(await waits(coordinator, span(NOON, NOON + DAY))).toMatchObject({ total: { count: 4 } })
    expect(await waits(coordinator, `${span(NOON, NOON + DAY)}&by=runner`)).toMatchObject({
      total: { count: 4 },
    })
    await rollUpWaits(database, NEVER, NOON + 800 * DAY)
    expect(await rows(days)).toEqual([])
  })

  test('are counted once when coordinators add them up at the same time', async () => {
    const coordinator = await cleared(opened())
    const { database } = coordinator
    const jobs = Array.from({ length: 50 }, (_, index) => ({ at: NOON + index * MINUTE, wait: 1000 }))
    await store(coordinator, jobs)
    const later = NOON + 3 * DAY
    await Promise.all([1, 2, 3].map(() => rollUpWaits(database, NEVER, later)))
    expect(await waits(coordinator, span(NOON, NOON + DAY))).toMatchObject({ total: { count: 50 } })
  })

  testOnOne('have samples of the use of runners, one in each interval', async () => {
    const coordinator = await cleared(opened())
    const { database, project } = coordinator
    const { id: runner_id } = await database
      .insertInto('runner')
      .values({
        runner_type: 'instance_type',
        token_digest: `use-${Date.now()}`,
        description: 'busy',
        tag_list: '[]',
        created_at: 0,
        contacted_at: NOON,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await pushPipeline(coordinator, 'a: { script: [x] }\nb: { script: [x] }')
    const jobs = await database.selectFrom('job').select('id').orderBy('id', 'desc').limit(2).execute()
    const lease = {
      runner_id,
      project_id: project.id,
      instance_runner: true,
      expires_at: 0,
      heard_from: true,
    }
    await database
      .insertInto('lease')
      .values(jobs.map(({ id }) => ({ ...lease, job_id: id })))
      .execute()
    await sampleRunnerUse(database, NOON)
    await sampleRunnerUse(database, NOON + 20_000)
    await sampleRunnerUse(database, NOON + 30_000)
    await database.deleteFrom('lease').execute()
    await sampleRunnerUse(database, NOON + 60_000)
    await sampleRunnerUse(database, NOON + 90_000)
    const response = await coordinator.app.call(
      coordinator.admin,
      `GET /runners/use?${span(NOON, NOON + DAY)}`,
    )
    const use = response.json<RunnerUse>()
    expect(use.step).toBe(3600)
    expect(use.total).toMatchObject([{ at: new Date(NOON).toISOString(), busy: 0.5, jobs: 1 }])
    expect(use.total[0]?.online).toBeGreaterThanOrEqual(1)
    expect(use.runners).toEqual([
      {
        id: runner_id,
        description: 'busy',
        runner_type: 'instance_type',
        busy: 0.5,
        jobs: 1,
        series: [0.5],
      },
    ])
  })
})

describeOnDatabase('the queue by reason', (open: OpenDatabase) => {
  const opened = openForFile(() => startCiCoordinator({}, open))

  test('counts a job when a runner has received it', async () => {
    const coordinator = await cleared(opened())
    const runner = await RunnerClient.register(coordinator)
    await pushPipeline(coordinator, 'a: { script: [x] }')
    await runner.takeJob()
    await coordinator.waits.write()
    // With the default end, the response would lack a period of five minutes that began in this second.
    const around = span(Date.now() - HOUR, Date.now() + HOUR)
    expect(await waits(coordinator, `by=type&${around}`)).toMatchObject({
      total: { count: 1 },
      groups: [{ name: 'instance_type', count: 1 }],
    })
  })

  test('has the waiting jobs by reason and tags, and runners that lack one tag', async () => {
    const coordinator = opened()
    const near = await RunnerClient.register(coordinator, { tag_list: 'linux,big', description: 'near' })
    await near.request()
    await pushPipeline(
      coordinator,
      `
a: { script: [x], tags: [linux, big, gpu] }
b: { script: [x], tags: [gpu, big, linux] }
c: { script: [x], resource_group: one }
d: { script: [x], resource_group: one }
`,
    )
    const response = await coordinator.app.call(coordinator.admin, 'GET /runners/queue')
    const overview = response.json<QueueOverview>()
    const found = overview.groups.map(({ reason, tags, count }) => [reason, tags.length, count])
    expect(found.toSorted()).toEqual([
      ['missing_tags', 3, 2],
      ['queued', 0, 1],
      ['resource_group', 0, 1],
    ])
    expect(overview.count).toBe(4)
    const lacking = overview.groups.find(({ reason }) => reason === 'missing_tags')
    expect(lacking).toMatchObject({
      missing_tags: ['gpu'],
      projects: 1,
      oldest_job: { name: 'a', project_path: 'group/app' },
      nearly: [{ description: 'near', missing_tag: 'gpu' }],
    })
  })

  test('of a project or a group has the jobs of its projects, and names no other runners', async () => {
    const { app, admin, database, project } = opened()
    const of = async (path: string) => (await app.call(admin, `GET ${path}`)).json<QueueOverview>()
    const here = await of(`/projects/${project.id}/runners/queue`)
    expect(here.count).toBe(4)
    expect(here.groups.flatMap(({ nearly }) => nearly)).toEqual([])
    expect(await of(`/groups/${project.namespace_id}/runners/queue`)).toEqual(here)
    const other = await addProject(database, await addUser(database))
    expect((await of(`/projects/${other.id}/runners/queue`)).count).toBe(0)
  })

  test('has the runners that failed in the last day, with their last job', async () => {
    const { app, admin, database } = opened()
    const [runner] = await database.selectFrom('runner').select('id').limit(1).execute()
    const jobs = await database.selectFrom('job').select('id').orderBy('id').limit(3).execute()
    const now = Date.now()
    for (const [index, { id }] of jobs.entries()) {
      const finished_at = now - (index === 2 ? 2 * DAY : HOUR)
      const failed = { failure_reason: 'runner_system_failure', finished_at } as const
      await database
        .updateTable('job')
        .set({ ...failed, runner_id: runner?.id ?? 0 })
        .where('id', '=', id)
        .execute()
    }
    const failures = (await app.call(admin, 'GET /runners/failures')).json<RunnerFailures>()
    expect(failures).toMatchObject({ count: 2, runners: [{ id: runner?.id, count: 2 }] })
    expect(failures.runners[0]?.last_job).toMatchObject({ id: jobs[1]?.id, project_path: 'group/app' })
    const long = `GET /runners/failures?from=${new Date(now - 3 * DAY).toISOString()}`
    expect((await app.call(admin, long)).json()).toMatchObject({ count: 3 })
  })

  test('is empty when no job waits', async () => {
    const coordinator = opened()
    await coordinator.database.deleteFrom('queue_entry').execute()
    await coordinator.database.updateTable('job').set({ status: 'success' }).execute()
    const response = await coordinator.app.call(coordinator.admin, 'GET /runners/queue')
    expect(response.json()).toEqual({ count: 0, oldest_at: null, groups: [] })
  })
})

test('counts that could not be written are written the next time', async () => {
  const { database, project } = await startCiCoordinator()
  const counts = new WaitCounts(database, createLogger('test', 'silent'))
  counts.record(
    { queued_at: Date.now(), tag_list: [], project_id: project.id },
    { id: 1, runner_type: 'instance_type' },
  )
  await database.schema.alterTable('queue_wait').renameTo('elsewhere').execute()
  await counts.write()
  await database.schema.alterTable('elsewhere').renameTo('queue_wait').execute()
  await counts.write()
  await counts.write()
  const rows = await database.selectFrom('queue_wait').select('jobs').execute()
  expect(rows).toEqual([{ jobs: 1 }])
})
