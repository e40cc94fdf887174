import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

import type { AutoscalerRecorder, EndedInstance } from '../registrations/recorder.js'

const POOL = ['pool'] as const

/** Seconds. */
const START_BUCKETS = [1, 5, 10, 30, 60, 120, 300, 600]
const LIFETIME_BUCKETS = [60, 300, 900, 3600, 14_400, 43_200, 86_400, 604_800]
const JOB_BUCKETS = [0, 1, 2, 5, 10, 20, 50, 100, 500]
const SHARE_BUCKETS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** Metrics of machines that are created on demand. */
export class AutoscalerMetrics implements AutoscalerRecorder {
  private readonly current
  private readonly creations
  private readonly startDuration
  private readonly lifetime
  private readonly jobs
  private readonly idle

  constructor(registry: Registry) {
    const registers = [registry]
    this.current = new Gauge({
      name: 'gitlab_runner_autoscaler_instances',
      help: 'Number of machines by state',
      labelNames: ['pool', 'state'] as const,
      registers,
    })
    this.creations = new Counter({
      name: 'gitlab_runner_autoscaler_instance_creations_total',
      help: 'Number of machines that became ready or failed to',
      labelNames: ['pool', 'result'] as const,
      registers,
    })
    const histogram = (name: string, help: string, buckets: number[]) =>
      new Histogram({ name, help, labelNames: POOL, buckets, registers })
    this.startDuration = histogram(
      'gitlab_runner_autoscaler_instance_start_duration_seconds',
      'Time from the decision to create a machine until it was ready, in seconds',
      START_BUCKETS,
    )
    this.lifetime = histogram(
      'gitlab_runner_autoscaler_instance_lifetime_seconds',
      'Time from the decision to create a machine to its end, in seconds',
      LIFETIME_BUCKETS,
    )
    this.jobs = histogram(
      'gitlab_runner_autoscaler_instance_jobs',
      'Number of jobs that a machine ran until its end',
      JOB_BUCKETS,
    )
    this.idle = histogram(
      'gitlab_runner_autoscaler_instance_idle_ratio',
      'Share of its usable time in which a machine had no job, from 0 to 1',
      SHARE_BUCKETS,
    )
  }

  instanceCreated(pool: string, isReady: boolean, seconds: number): void {
    this.creations.inc({ pool, result: isReady ? 'ready' : 'failed' })
    if (isReady) this.startDuration.observe({ pool }, seconds)
  }

  instanceEnded(pool: string, { lifetime, jobs, idleShare }: EndedInstance): void {
    this.lifetime.observe({ pool }, lifetime)
    this.jobs.observe({ pool }, jobs)
    if (idleShare !== undefined) this.idle.observe({ pool }, idleShare)
  }

  instances(pool: string, counts: Readonly<Record<string, number>>): void {
    for (const [state, count] of Object.entries(counts)) this.current.set({ pool, state }, count)
  }
}
