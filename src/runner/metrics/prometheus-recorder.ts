import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

import type { JobPayload } from '../../protocol/job-payload.js'
import type { EndedInstance, Recorder, RegistrationLabels } from '../registrations/recorder.js'
import { AutoscalerMetrics } from './autoscaler-metrics.js'
import { endpointOf } from './endpoint.js'

const ENTRY = ['runner', 'runner_name', 'system_id'] as const

/** Runner protocol, 9.7. */
const JOB_BUCKETS = [30, 60, 300, 600, 1800, 3600, 7200, 10800, 18000, 36000]
const QUEUE_BUCKETS = [1, 3, 10, 30, 60, 120, 300, 900, 1800, 3600]
const CALL_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const STAGE_BUCKETS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600]

/** The only mode: the script runs as a script. */
const MODE = 'traditional'

/** Records metrics under the documented names (runner protocol, 9.7). */
export class PrometheusRecorder implements Recorder {
  private readonly jobs
  private readonly failedJobs
  private readonly jobDuration
  private readonly queueDuration
  private readonly queueSize
  private readonly queueDepth
  private readonly stageDuration
  private readonly callStatuses
  private readonly callDuration
  private readonly callRetries
  private readonly healthFailures
  private readonly loaded
  private readonly loadingErrors
  private readonly autoscaler

  constructor(registry: Registry) {
    const registers = [registry]
    this.autoscaler = new AutoscalerMetrics(registry)
    this.jobs = new Counter({
      name: 'gitlab_runner_jobs_total',
      help: 'Number of jobs received',
      labelNames: ENTRY,
      registers,
    })
    this.failedJobs = new Counter({
      name: 'gitlab_runner_failed_jobs_total',
      help: 'Number of failed jobs by reason',
      labelNames: [...ENTRY, 'failure_reason', 'mode'] as const,
      registers,
    })
    this.jobDuration = new Histogram({
      name: 'gitlab_runner_job_duration_seconds',
      help: 'Time from receiving a job to its result, in seconds',
      labelNames: [...ENTRY, 'mode'] as const,
      buckets: JOB_BUCKETS,
      registers,
    })
    this.queueDuration = new Histogram({
      name: 'gitlab_runner_job_queue_duration_seconds',
      help: 'Time that jobs waited for a runner, in seconds',
      labelNames: [...ENTRY, 'project_jobs_running'] as const,
      buckets: QUEUE_BUCKETS,
      registers,
    })
    const queue = { labelNames: ENTRY, registers }
    this.queueSize = new Gauge({
      name: 'gitlab_runner_job_queue_size',
      help: 'Size of the queue that the last job came from',
      ...queue,
    })
    this.queueDepth = new Gauge({
      name: 'gitlab_runner_job_queue_depth',
      help: 'Depth in the queue at which the last job was found',
      ...queue,
    })
    this.stageDuration = new Histogram({
      name: 'gitlab_runner_job_stage_duration_seconds',
      help: 'Duration of each stage of a job, in seconds',
      labelNames: [...ENTRY, 'stage'] as const,
      buckets: STAGE_BUCKETS,
      registers,
    })
    this.callStatuses = new Counter({
      name: 'gitlab_runner_api_request_statuses_total',
      help: 'Number of responses of coordinators by status',
      labelNames: ['runner', 'system_id', 'endpoint', 'status', 'method'] as const,
      registers,
    })
    this.callDuration = new Histogram({
      name: 'gitlab_runner_api_request_duration_seconds',
      help: 'Time until coordinators responded, in seconds',
      labelNames: ['runner', 'system_id', 'endpoint', 'status_class', 'method'] as const,
      buckets: CALL_BUCKETS,
      registers,
    })
    this.callRetries = new Counter({
      name: 'gitlab_runner_api_request_retries_total',
      help: 'Number of repeated requests',
      labelNames: ['path', 'method'] as const,
      registers,
    })
    this.healthFailures = new Counter({
      name: 'gitlab_runner_worker_health_check_failures_total',
      help: 'Number of times that a registration paused after refusals',
      labelNames: ENTRY,
      registers,
    })
    this.loaded = new Counter({
      name: 'gitlab_runner_configuration_loaded_total',
      help: 'Number of times that the settings were read',
      registers,
    })
    this.loadingErrors = new Counter({
      name: 'gitlab_runner_configuration_loading_error_total',
      help: 'Number of times that the settings were invalid',
      registers,
    })
  }

  jobReceived(entry: RegistrationLabels, { job_info: info }: JobPayload): void {
    this.jobs.inc({ ...entry })
    const { time_in_queue_seconds: waited, queue_size: size, queue_depth: depth } = info
    const project_jobs_running = info.project_jobs_running_on_instance_runners_count ?? ''
    if (waited !== undefined) this.queueDuration.observe({ ...entry, project_jobs_running }, waited)
    if (size !== undefined) this.queueSize.set({ ...entry }, size)
    if (depth !== undefined) this.queueDepth.set({ ...entry }, depth)
  }

  jobEnded(entry: RegistrationLabels, seconds: number, failureReason: string | undefined): void {
    this.jobDuration.observe({ ...entry, mode: MODE }, seconds)
    if (failureReason) this.failedJobs.inc({ ...entry, failure_reason: failureReason, mode: MODE })
  }

  stageEnded(entry: RegistrationLabels, stage: string, seconds: number): void {
    this.stageDuration.observe({ ...entry, stage }, seconds)
  }

  callEnded(
    { runner, system_id }: RegistrationLabels,
    method: string,
    path: string,
    status: number,
    seconds: number,
  ): void {
    const endpoint = endpointOf(method, path)
    if (endpoint === undefined) return
    const call = { runner, system_id, endpoint, method: method.toLowerCase() }
    this.callStatuses.inc({ ...call, status: String(status) })
    this.callDuration.observe({ ...call, status_class: `${Math.floor(status / 100)}xx` }, seconds)
  }

  callRepeated(method: string, path: string): void {
    this.callRetries.inc({
      method: method.toLowerCase(),
      path: path.replace(/\?.*/, '').replace(/\d+/, ':id'),
    })
  }

  restBegan(entry: RegistrationLabels): void {
    this.healthFailures.inc({ ...entry })
  }

  instanceCreated(pool: string, isReady: boolean, seconds: number): void {
    this.autoscaler.instanceCreated(pool, isReady, seconds)
  }

  instanceEnded(pool: string, figures: EndedInstance): void {
    this.autoscaler.instanceEnded(pool, figures)
  }

  instances(pool: string, counts: Readonly<Record<string, number>>): void {
    this.autoscaler.instances(pool, counts)
  }

  settingsLoaded(isGood: boolean): void {
    if (isGood) this.loaded.inc()
    else this.loadingErrors.inc()
  }
}
