import { pause } from '../../../lib/pause.js'
import type { ApiClient, JobRecord, PipelineRecord } from './api-client.js'
import type { Display } from './display.js'
import { LogFollower } from './log-follower.js'

export interface WatchedPipeline {
  pipeline: PipelineRecord
  jobs: JobRecord[]
}

/** Milliseconds between two requests. */
const INTERVAL = 300

const ENDED = new Set(['success', 'failed', 'canceled', 'skipped', 'manual'])

/**
 * Shows status changes and logs of the jobs of a pipeline until it has ended. Returns undefined if `signal` aborts
 * first.
 */
export async function watchPipeline(
  api: ApiClient,
  display: Display,
  projectId: number,
  pipelineId: number,
  signal: AbortSignal,
): Promise<WatchedPipeline | undefined> {
  const watch = new PipelineWatch(api, display, projectId)
  while (!signal.aborted) {
    // The pipeline is requested first, so that the jobs are at least as new.
    const pipeline = await api.pipeline(projectId, pipelineId)
    const jobs = await watch.listJobs(pipelineId)
    if (ENDED.has(pipeline.status)) return { pipeline, jobs }
    await pause(INTERVAL, signal)
  }
  return undefined
}

class PipelineWatch {
  private readonly statuses = new Map<number, string>()
  private readonly logs = new Map<number, LogFollower>()

  constructor(
    private readonly api: ApiClient,
    private readonly display: Display,
    private readonly projectId: number,
  ) {}

  /** Shows what is new. Returns the jobs in the order of their stages. */
  async listJobs(pipelineId: number): Promise<JobRecord[]> {
    const jobs = (await this.api.jobs(this.projectId, pipelineId)).sort((a, b) => a.id - b.id)
    for (const job of jobs) await this.showChanges(job)
    return jobs
  }

  /** Shows the log of a job between its start and its end. */
  private async showChanges(job: JobRecord): Promise<void> {
    const before = this.statuses.get(job.id)
    const hasMoved = job.status !== (before ?? 'created')
    const isOver = ENDED.has(job.status)
    if (hasMoved && !isOver) this.display.jobMoved(job, before)
    if (job.started_at !== null && (hasMoved || !isOver)) await this.followLog(job)
    if (hasMoved && isOver) this.display.jobMoved(job, before)
    this.statuses.set(job.id, job.status)
  }

  private async followLog(job: JobRecord): Promise<void> {
    const log = this.logs.get(job.id) ?? new LogFollower()
    this.logs.set(job.id, log)
    const trace = await this.api.trace(this.projectId, job.id)
    for (const line of log.newLines(trace, ENDED.has(job.status))) this.display.logLine(job, line)
  }
}
