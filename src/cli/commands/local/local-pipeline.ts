import type { JobWhen, PlannedAutoCancel, PlannedJob } from '../../../ci-config/plan.js'
import { type GraphJob, nextTransitions } from '../../../coordinator/ci/engine/advance/transitions.js'
import { isCancelable } from '../../../coordinator/ci/engine/job-status.js'
import { isRetriedAutomatically } from '../../../coordinator/ci/engine/jobs/automatic-retry.js'
import { isExcused } from '../../../coordinator/ci/engine/jobs/excused-failure.js'
import type { JobEnd } from '../../../coordinator/ci/engine/jobs/job-end.js'
import type { JobStatus } from '../../../coordinator/database/tables/job-columns.js'
import type { CompositeStatus } from '../../../coordinator/database/tables/pipelines.js'
import { fetchesFrom } from './artifact-sources.js'
import type { ChosenJob } from './choose-jobs.js'
import type { Slots } from './slots.js'

/**
 * The result of an attempt at a job. A trigger job may also take the status of a pipeline that has not succeeded.
 */
export type LocalEnd = JobEnd | { status: 'manual' | 'skipped' }

/** One attempt at a job. */
export interface LocalJob {
  readonly id: number
  readonly planned: PlannedJob
  readonly when: JobWhen
  readonly isNamed: boolean
  /** Number of earlier attempts at the same job. */
  readonly earlierAttempts: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  status: JobStatus
  allowFailure: boolean
  startedAt?: number
  finishedAt?: number
  failure?: JobEnd & { status: 'failed' }
  /** A percentage found in the log. */
  coverage?: number
}

export interface LocalPipelineEvents {
  /** Called when a delayed job starts at once, as all do in a local run. */
  delaySkipped(job: LocalJob): void
  /** Called when the job failed and is retried automatically. */
  retried(job: LocalJob): void
  /** Called when the job has ended, whether or not it is retried. */
  ended(job: LocalJob): void
  /** Called when the running job must be canceled. */
  canceling(job: LocalJob): void
}

/**
 * A pipeline in memory, for the duration of the process. The rules of the engine (`nextTransitions`,
 * `isRetriedAutomatically`, …) decide what follows from each status. This class applies the decisions to its jobs:
 *
 *     advance ─▶ pending ─ takeNext ─▶ running ─ end ─▶ success, failed, canceled ─▶ advance …
 *                                         ╰─ cancel ─▶ canceling ─ end ─▶ canceled
 */
export class LocalPipeline {
  /** The latest attempt at each job, in the order of the plan. */
  private readonly latest = new Map<string, LocalJob>()
  /** Pending jobs, and canceled ones that were pending, the longest waiting first. */
  private queue: LocalJob[] = []
  private composite: CompositeStatus = 'created'

  constructor(
    chosen: readonly ChosenJob[],
    private readonly onJobFailure: PlannedAutoCancel['onJobFailure'],
    private readonly events: LocalPipelineEvents,
    /** Job IDs are unique within a run, across its pipelines. */
    private readonly nextJobId = countUp(),
  ) {
    for (const { planned, when, isNamed } of chosen) {
      this.add({ planned, when, isNamed, earlierAttempts: 0, allowFailure: planned.allowFailure })
    }
  }

  get jobs(): LocalJob[] {
    return [...this.latest.values()]
  }

  get status(): CompositeStatus {
    return this.composite
  }

  /** Applies everything that follows from the statuses of the jobs (CI language, 11.3). */
  advance(): void {
    const { transitions, pipeline } = nextTransitions(this.jobs.map(graphJob))
    for (const { jobId, to } of transitions) {
      const job = this.find(jobId)
      if (to === 'scheduled') this.events.delaySkipped(job)
      job.status = to === 'scheduled' ? 'pending' : to
      if (job.status === 'pending') this.queue.push(job)
    }
    this.composite = pipeline ?? this.composite
  }

  /** Whether a job waits for a slot or a resource. */
  get hasPending(): boolean {
    return this.queue.some(({ status }) => status === 'pending')
  }

  /** Starts the next pending job that gets a slot. Jobs that share a resource run one at a time. */
  takeNext(slots: Pick<Slots, 'take'>): LocalJob | undefined {
    const busy = new Set(this.jobs.filter(isRunning).map(({ planned }) => planned.resourceGroup))
    const job = this.queue.find(
      (waiting) =>
        waiting.status === 'pending' &&
        (waiting.planned.resourceGroup === undefined || !busy.has(waiting.planned.resourceGroup)) &&
        slots.take(waiting),
    )
    if (!job) return undefined
    this.queue = this.queue.filter((waiting) => waiting !== job)
    job.status = 'running'
    job.startedAt = Date.now()
    return job
  }

  /**
   * Ends a job and applies the consequences of a failure: another attempt (CI language, 12.2), or the end of the
   * pipeline (CI language, 12.7).
   */
  end(job: LocalJob, wanted: LocalEnd): void {
    const end: LocalEnd = job.status === 'canceling' ? { status: 'canceled' } : wanted
    job.status = end.status
    job.finishedAt = Date.now()
    if (end.status === 'failed') this.fail(job, end)
    else this.events.ended(job)
  }

  private fail(job: LocalJob, end: JobEnd & { status: 'failed' }): void {
    job.failure = end
    job.allowFailure ||= isExcused(job.planned.options, end)
    this.events.ended(job)
    if (isToBeRetried(job, end)) this.retry(job)
    else if (!job.allowFailure && this.onJobFailure === 'all') this.cancel()
  }

  /** Cancels all unfinished jobs (CI language, 12.4). Running jobs are notified. */
  cancel(): void {
    for (const job of this.jobs.filter(({ status }) => isCancelable(status))) {
      const wasRunning = job.status === 'running'
      job.status = wasRunning ? 'canceling' : 'canceled'
      if (wasRunning) this.events.canceling(job)
    }
  }

  /** The jobs whose artifacts the job downloads, earlier stages first (CI language, 16.2). */
  dependenciesOf({ planned }: LocalJob): LocalJob[] {
    return this.jobs.filter((other) => !other.planned.trigger && fetchesFrom(planned, other.planned))
  }

  private retry(job: LocalJob): void {
    this.events.retried(job)
    const { planned, when, isNamed, earlierAttempts } = job
    this.add({
      planned,
      when,
      isNamed,
      earlierAttempts: earlierAttempts + 1,
      allowFailure: planned.allowFailure,
    })
  }

  private add(job: Omit<LocalJob, 'id' | 'status' | 'createdAt'>): void {
    const added = { ...job, id: this.nextJobId(), status: 'created' as const, createdAt: Date.now() }
    this.latest.set(job.planned.name, added)
  }

  private find(id: number): LocalJob {
    const job = this.jobs.find((each) => each.id === id)
    if (!job) throw new Error(`There is no job ${id}`)
    return job
  }
}

/** The numbers after `last`. */
export function countUp(last = 0): () => number {
  return () => ++last
}

function isToBeRetried({ planned, earlierAttempts }: LocalJob, end: JobEnd & { status: 'failed' }): boolean {
  return isRetriedAutomatically(planned.options, {
    reason: end.failure_reason,
    exitCode: end.exit_code,
    earlierAttempts,
  })
}

function isRunning({ status }: LocalJob): boolean {
  return status === 'running' || status === 'canceling'
}

function graphJob({ id, planned, when, status, allowFailure }: LocalJob): GraphJob {
  const { name, stageIndex, schedulingType, needs } = planned
  return {
    id,
    name,
    status,
    allowFailure,
    when,
    schedulingType,
    stageIndex,
    stageId: stageIndex,
    needs: needs.map((need) => need.name),
  }
}
