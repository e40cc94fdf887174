import { setImmediate } from 'node:timers/promises'

import { Registry } from 'prom-client'
import { expect, test } from 'vitest'

import { measureEventLoop } from '../../../src/coordinator/start/event-loop-metrics.js'
import { measureDue } from '../../../src/coordinator/start/services/retention-metrics.js'
import { databaseMetrics, gitMetrics } from '../../../src/coordinator/start/services/store-metrics.js'
import { onFinished } from '../../support/lifetime.js'
import { testAtNight } from '../../support/nightly.js'
import { pushPipeline, startCiCoordinator } from '../support/ci-coordinator.js'
import { RunnerClient } from '../support/runner-client.js'

/** The samples of the metrics by their names and labels. */
async function samples(registry: Registry): Promise<Map<string, number>> {
  const lines = (await registry.metrics()).split('\n').filter((line) => /^[a-z]/.test(line))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

test('the metrics tell the queue, the waits of jobs, and the time of the database', async () => {
  const coordinator = await startCiCoordinator()
  const { database, metrics } = coordinator
  const runner = await RunnerClient.register(coordinator)
  await pushPipeline(coordinator, 'build: { script: [make] }')
  await database
    .updateTable('queue_entry')
    .set({ queued_at: Date.now() - 90_000 })
    .execute()
  const before = await samples(metrics)
  expect(before.get('switchyard_queue_jobs')).toBe(1)
  expect(before.get('switchyard_queue_oldest_age_seconds')).toBeGreaterThanOrEqual(90)
  expect(before.get('switchyard_jobs_running')).toBe(0)
  await runner.request()
  const after = await samples(metrics)
  expect(after.get('switchyard_queue_jobs')).toBe(0)
  expect(after.get('switchyard_queue_oldest_age_seconds')).toBe(0)
  expect(after.get('switchyard_jobs_running')).toBe(1)
  expect(after.get('switchyard_runners{state="online"}')).toBe(1)
  expect(after.get('switchyard_runners{state="busy"}')).toBe(1)
  expect(after.get('switchyard_job_wait_seconds_count{runner_type="instance_type"}')).toBe(1)
  expect(after.get('switchyard_job_dispatch_duration_seconds_count')).toBe(1)
  for (const name of [
    'switchyard_database_statement_duration_seconds_count{kind="read"}',
    'switchyard_database_statement_duration_seconds_count{kind="statement"}',
    'switchyard_database_transaction_wait_seconds_count',
    'switchyard_database_transaction_duration_seconds_count',
  ])
    expect(after.get(name), name).toBeGreaterThan(before.get(name) ?? 0)
})

test('the metrics tell what the limits of retention would delete, as measured last', async () => {
  const coordinator = await startCiCoordinator()
  const { database, metrics, settings } = coordinator
  await pushPipeline(coordinator, 'build: { script: [make] }')
  await database.updateTable('pipeline').set({ status: 'failed', created_at: 0 }).execute()
  await database.updateTable('job').set({ status: 'failed', trace_bytes: 7, finished_at: 0 }).execute()
  expect((await samples(metrics)).has('switchyard_retention_due{kind="pipelines"}')).toBe(false)
  const retention = { ...settings.retention, pipelineDays: 30, logDays: 30 }
  await measureDue(database, retention, new AbortController().signal)
  const after = await samples(metrics)
  expect(after.get('switchyard_retention_due{kind="pipelines"}')).toBe(1)
  expect(after.get('switchyard_retention_due_bytes{kind="jobs"}')).toBe(7)
  expect(after.get('switchyard_retention_due{kind="logs"}')).toBe(1)
  expect(after.get('switchyard_retention_due_bytes{kind="logs"}')).toBe(7)
  expect(after.get('switchyard_retention_due{kind="activity_events"}')).toBe(0)
})

testAtNight('the other metrics are there while the queue cannot be counted', async () => {
  const { database, metrics } = await startCiCoordinator()
  await database.schema.alterTable('queue_entry').renameTo('elsewhere').execute()
  const found = await samples(metrics)
  expect(found.has('switchyard_sessions')).toBe(true)
  expect(found.has('switchyard_queue_jobs')).toBe(false)
  expect(found.has('switchyard_runners{state="online"}')).toBe(false)
})

test('times are in seconds, by kind and pool', async () => {
  const registry = new Registry()
  const database = databaseMetrics(registry)
  const git = gitMetrics(registry)
  database.statement('read', 3)
  database.transactionWait(250)
  database.transaction(2000)
  git.waited('inner', 40)
  git.worked('objects', 5)
  const found = await samples(registry)
  expect(found.get('switchyard_database_statement_duration_seconds_sum{kind="read"}')).toBe(0.003)
  expect(found.get('switchyard_database_transaction_wait_seconds_sum')).toBe(0.25)
  expect(found.get('switchyard_database_transaction_duration_seconds_sum')).toBe(2)
  expect(found.get('switchyard_git_wait_seconds_sum{pool="inner"}')).toBe(0.04)
  expect(found.get('switchyard_git_duration_seconds_sum{pool="objects"}')).toBe(0.005)
})

testAtNight('work that blocks the event loop shows as its delay', async () => {
  const registry = new Registry()
  const stopping = new AbortController()
  onFinished(() => stopping.abort())
  measureEventLoop(registry, stopping.signal)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
  let found = await samples(registry)
  while (!found.get('switchyard_event_loop_delay_seconds_count')) {
    await setImmediate()
    found = await samples(registry)
  }
  expect(found.get('switchyard_event_loop_delay_seconds_sum')).toBeGreaterThan(0.25)
  expect(found.get('switchyard_event_loop_active_seconds_total')).toBeGreaterThan(0)
})
