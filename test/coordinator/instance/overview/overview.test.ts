import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { TaskRuns } from '../../../../src/coordinator/background/task-runs.js'
import { recordPresence } from '../../../../src/coordinator/ci/queue/presence.js'
import { CoordinatorRecord } from '../../../../src/coordinator/instance/overview/coordinators.js'
import { overviewOperations } from '../../../../src/coordinator/instance/overview/operations.js'
import type { AdminOverview } from '../../../../src/coordinator/instance/overview/schema.js'
import { measureStorage, storageSizes } from '../../../../src/coordinator/instance/overview/storage-sizes.js'
import { type WarningFacts, warningsOf } from '../../../../src/coordinator/instance/overview/warnings.js'
import { listIntegrationsOperations } from '../../../../src/coordinator/start/operations/integrations.js'
import { overviewDeps } from '../../../../src/coordinator/start/setting-deps.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { openForFile } from '../../../support/lifetime.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

const logger = createLogger('test', 'silent')
const NEVER = new AbortController().signal

describeOnEachDatabase('the overview of the instance', (open, testOnOne) => {
  const opened = openForFile(async () => {
    const services = await openTestServices({ open })
    const app = openTestApp(services, {
      operations: (all, deps) => [
        ...overviewOperations(overviewDeps(all, deps)),
        ...listIntegrationsOperations(all, deps),
      ],
    })
    return { ...services, app, root: await addPerson(services.database, 'root', { admin: true }) }
  })
  const read = async (): Promise<AdminOverview> => {
    const { app, root } = opened()
    const response = await app.call(root, 'GET /admin/overview')
    expect(response.statusCode).toBe(200)
    return response.json()
  }

  test('names the database, the disk and what the instance has', async () => {
    const { settings, engine } = opened()
    await recordPresence(engine)
    const { database, disk, counts, up_since, jobs, runners } = await read()
    expect(database.kind).toBe(settings.database.dialect)
    expect(database.version).toMatch(/^\d+\.\d+/)
    expect(database.size).toBeGreaterThan(10_000)
    expect(disk.total).toBeGreaterThan(disk.free)
    expect(counts).toEqual({ users: 1, pending_users: 0, groups: 0, projects: 0 })
    expect(Date.parse(up_since ?? '')).toBeLessThanOrEqual(Date.now())
    expect(jobs).toEqual({ waiting: 0, oldest_at: null, running: 0 })
    expect(runners).toEqual({ total: 0, online: 0, busy: 0, paused: 0 })
  })

  test('has the coordinators that run, and those that ended unexpectedly, but none that was stopped', async () => {
    const { database, coordinatorRecord } = opened()
    const now = Date.now()
    const dead = new CoordinatorRecord(
      database,
      logger,
      () => 7,
      () => now - 3600_000,
    )
    let clock = now - 1800_000
    const other = new CoordinatorRecord(
      database,
      logger,
      () => 2,
      () => clock,
    )
    clock = now
    const stopped = new CoordinatorRecord(
      database,
      logger,
      () => 1,
      () => now,
    )
    for (const record of [dead, other, stopped, coordinatorRecord]) await record.write()
    await stopped.delete()
    const { coordinators, live } = await read()
    expect(coordinators.map(({ id, alive, current, streams }) => [id, alive, current, streams])).toEqual([
      [dead.id, false, false, 7],
      [other.id, true, false, 2],
      [coordinatorRecord.id, true, true, 0],
    ])
    expect(live).toEqual({ streams: 2, sessions: 0 })
    const later = new CoordinatorRecord(
      database,
      logger,
      () => 0,
      () => now + 24 * 3600_000,
    )
    await later.write()
    expect((await read()).coordinators.map(({ id }) => id)).not.toContain(dead.id)
    for (const record of [other, later, coordinatorRecord]) await record.delete()
  })

  testOnOne('has the last run of each periodic task', async () => {
    const { taskRuns } = opened()
    for (const name of ['waits', 'fails', 'works']) taskRuns.add({ name, every: 60 })
    taskRuns.begin('fails')
    taskRuns.end('fails', 'no space left')
    taskRuns.begin('works')
    taskRuns.end('works', null)
    const { tasks, warnings } = await read()
    expect(tasks.map(({ name, error, running }) => [name, error, running])).toEqual([
      ['fails', 'no space left', false],
      ['waits', null, false],
      ['works', null, false],
    ])
    expect(tasks[1]).toMatchObject({ every: 60, started_at: null, duration: null })
    expect(tasks[2]?.duration).toBeGreaterThanOrEqual(0)
    expect(warnings.map(({ code }) => code)).toContain('task_failed')
  })

  testOnOne('counts webhooks that failed, and warns of them', async () => {
    const { app, root, database } = opened()
    for (const port of [1, 2, 3]) {
      const response = await app.call(root, 'POST /hooks', { url: `http://192.0.2.1:${port}` })
      expect(response.statusCode).toBe(201)
    }
    const [one, two] = await database.selectFrom('web_hook').select('id').orderBy('id').execute()
    const failing = database.updateTable('web_hook')
    await failing
      .set({ recent_failures: 40 })
      .where('id', '=', one?.id ?? 0)
      .execute()
    await failing
      .set({ recent_failures: 5, disabled_until: Date.now() + 60_000 })
      .where('id', '=', two?.id ?? 0)
      .execute()
    const { webhooks, warnings } = await read()
    expect(webhooks).toEqual({
      pending: 0,
      retrying: 0,
      resting: 1,
      disabled: 1,
      failing: [one, two].map((hook) => ({ id: hook?.id, name: null, kind: 'system', path: null })),
    })
    expect(warnings.find(({ code }) => code === 'hooks_disabled')?.message).toContain('1 disabled')
  })
})

describeOnEachDatabase('the sizes of what is stored', (open) => {
  test('are added up once in six hours, and again after a failure', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const { database, caches, project } = coordinator
    const now = Date.now()
    await pushPipeline(coordinator, 'a: { script: [x] }\nb: { script: [x] }')
    // Nothing is stored: the next run measures again.
    await measureStorage(database, NEVER, now)
    expect(await storageSizes(database)).toBeUndefined()
    await database.updateTable('job').set({ trace_bytes: 1000 }).execute()
    const place = { projectId: project.id, isProtected: false, key: 'k' }
    await caches.save(place, undefined, Readable.from(['12345']))
    await expect(measureStorage(database, AbortSignal.abort(new Error('stop')), now)).rejects.toThrow('stop')
    expect(await storageSizes(database)).toBeUndefined()
    await measureStorage(database, NEVER, now)
    expect(await storageSizes(database)).toEqual({
      measuredAt: now,
      logs: 2000,
      artifacts: 0,
      caches: 5,
      repositories: 0,
      lfs: 0,
    })
    await database.updateTable('job').set({ trace_bytes: 5000 }).execute()
    await measureStorage(database, NEVER, now)
    expect(await storageSizes(database)).toMatchObject({ logs: 2000 })
    await measureStorage(database, NEVER, now + 6 * 3600_000)
    expect(await storageSizes(database)).toMatchObject({ logs: 10_000 })
  })
})

const FINE: WarningFacts = {
  externalUrl: 'https://ci.example.com',
  isUrlConfigured: true,
  mails: { enabled: true },
  disk: { total: 100, free: 50 },
  tasks: [{ name: 'a', error: null }],
  webhooks: { resting: 0, disabled: 0 },
  versions: ['1.0.0', '1.0.0'],
}

test.each<[string, Partial<WarningFacts>, string[]]>([
  ['a complete configuration', {}, []],
  ['HTTP', { externalUrl: 'http://ci.example.com' }, ['external_url_http']],
  ['HTTP on this machine', { externalUrl: 'http://127.0.0.1:9000' }, []],
  [
    'an address that is not configured',
    { externalUrl: 'http://127.0.0.1:9000', isUrlConfigured: false },
    ['external_url_missing'],
  ],
  ['no mails', { mails: { enabled: false } }, ['no_mail']],
  ['a full disk', { disk: { total: 100, free: 9 } }, ['disk_nearly_full']],
  ['a disk that is just free enough', { disk: { total: 100, free: 10 } }, []],
  ['a failed task', { tasks: [{ name: 'a', error: 'x' }] }, ['task_failed']],
  ['failing webhooks', { webhooks: { resting: 0, disabled: 1 } }, ['hooks_disabled']],
  ['several versions', { versions: ['1.0.0', '1.0.1'] }, ['versions_differ']],
])('warnings for %s', (_, facts, codes) => {
  expect(warningsOf({ ...FINE, ...facts }).map(({ code }) => code)).toEqual(codes)
})

test('the runs of a task are recorded, and one that was never added is ignored', () => {
  let now = 1000
  const runs = new TaskRuns(() => now)
  runs.begin('unknown')
  runs.end('unknown', null)
  runs.add({ name: 'a', every: 5 })
  runs.begin('a')
  expect(runs.list()).toMatchObject([{ startedAt: 1000, duration: null, isRunning: true }])
  now = 1500
  runs.end('a', 'failed')
  expect(runs.list()).toMatchObject([{ duration: 500, error: 'failed', isRunning: false }])
  runs.begin('a')
  now = 1600
  runs.end('a', null)
  expect(runs.list()).toMatchObject([{ startedAt: 1500, duration: 100, error: null }])
})
