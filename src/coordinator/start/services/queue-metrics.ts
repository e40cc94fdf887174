import { Gauge, Histogram, type Registry } from 'prom-client'

import type { Logger } from '../../../lib/logger.js'
import type { EngineNotifications } from '../../ci/engine/engine-notifications.js'
import type { Database } from '../../database/connect.js'
import { countAllRunners, countJobs } from '../../instance/overview/store.js'

const MILLISECONDS_PER_SECOND = 1000

const WAIT_BUCKETS = [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600, 14400]
const ASSIGN_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/** Counts the queue and the runners for each request of the metrics. */
export function registerQueueMetrics(registry: Registry, database: Database, logger: Logger): void {
  // The registry reads all metrics at once, so each gauge waits for the same counts.
  let counting: Promise<void> | undefined
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect: () => (counting ??= count()) })
  const waiting = gauge('switchyard_queue_jobs', 'Pending jobs, of all coordinators')
  const oldest = gauge(
    'switchyard_queue_oldest_age_seconds',
    'Time that the oldest pending job has waited, of all coordinators; 0 = no job waits',
  )
  const running = gauge('switchyard_jobs_running', 'Jobs that runners have, of all coordinators')
  const runners = gauge(
    'switchyard_runners',
    'Runners of all coordinators by state: online, busy (which are online too) and paused',
    ['state'],
  )

  async function count(): Promise<void> {
    try {
      const now = Date.now()
      const jobs = await countJobs(database)
      const { online, busy, paused } = await countAllRunners(database, now)
      waiting.set(jobs.waiting)
      oldest.set(jobs.oldest_at === null ? 0 : Math.max(0, now - jobs.oldest_at) / MILLISECONDS_PER_SECOND)
      running.set(jobs.running)
      for (const [state, number] of Object.entries({ online, busy, paused })) runners.set({ state }, number)
    } catch (error) {
      // The other metrics are needed most when the store fails.
      logger.warn({ err: error }, 'Failed to count the queue and the runners')
      for (const single of [waiting, oldest, running]) single.remove()
      runners.reset()
    } finally {
      counting = undefined
    }
  }
}

/** Measures how long jobs wait, and how long the coordinator takes to dispatch them. */
export function measureDispatch(registry: Registry, notifications: EngineNotifications): void {
  const wait = new Histogram({
    name: 'switchyard_job_wait_seconds',
    help: 'Time that jobs were pending until a runner received them, by type of runner',
    labelNames: ['runner_type'],
    buckets: WAIT_BUCKETS,
    registers: [registry],
  })
  const assign = new Histogram({
    name: 'switchyard_job_dispatch_duration_seconds',
    help: 'Time from a search of the queue to the response with a job',
    buckets: ASSIGN_BUCKETS,
    registers: [registry],
  })
  notifications.on('jobStarted', ({ queued_at, started_at }, { runner_type }) => {
    if (queued_at === null || started_at === null) return
    wait.observe({ runner_type }, Math.max(0, started_at - queued_at) / MILLISECONDS_PER_SECOND)
  })
  notifications.on('jobAssigned', (milliseconds) => assign.observe(milliseconds / MILLISECONDS_PER_SECOND))
}
