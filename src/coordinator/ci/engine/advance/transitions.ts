import type { JobWhen } from '../../../../ci-config/plan.js'
import type { JobStatus } from '../../../database/tables/job-columns.js'
import type { CompositeStatus } from '../../../database/tables/pipelines.js'
import type { Gate } from '../deployments/protection/gates.js'
import { isCompleted } from '../job-status.js'
import { compositeOfSymbols, compositeStatus, type JobState, type StatusSymbol } from './composite-status.js'
import { inNeedsOrder } from './needs-order.js'
import { StageProgress, stagesInOrder } from './stage-progress.js'

/** A job as the state machine sees it; retried attempts are not part of the graph. */
export interface GraphJob extends JobState {
  id: number
  name: string
  stageId: number
  stageIndex: number
  when: JobWhen
  schedulingType: 'stage' | 'dag'
  /** Names of needed jobs; names that are not in the pipeline are ignored. */
  needs: readonly string[]
  /** The job runs only while it holds the resource of this group (CI language, 12.8). */
  resourceGroupId?: number | undefined
  /** Newer code than it would deploy is in its environment (CI language, 15.4). */
  isOutdated?: boolean
  /** Blocks the job from its protected environment. */
  gate?: Gate
}

export interface Transition {
  jobId: number
  from: JobStatus
  to: JobStatus
}

export interface Progress {
  transitions: Transition[]
  /** The status of every stage after the transitions, by id. */
  stages: Map<number, CompositeStatus>
  /** The status symbols of the jobs after the transitions. */
  symbols: ReadonlySet<StatusSymbol>
  pipeline: CompositeStatus | undefined
}

/**
 * The consequences of the job statuses of a pipeline: jobs that become ready or never will, and the resulting
 * statuses of stages and pipeline (CI language, 11.3). One pass suffices, because a job depends only on
 * earlier stages and on needed jobs of its own stage, which are processed before it.
 */
export function nextTransitions(jobs: readonly GraphJob[]): Progress {
  const walk = new Walk(jobs)
  for (const stage of stagesInOrder(jobs)) walk.decideStage(stage)
  return walk.progress()
}

class Walk {
  private readonly statuses = new Map<number, JobStatus>()
  private readonly byName = new Map<string, GraphJob>()
  private readonly transitions: Transition[] = []
  private readonly closed = new StageProgress()

  constructor(jobs: readonly GraphJob[]) {
    for (const job of jobs) {
      this.statuses.set(job.id, job.status)
      this.byName.set(job.name, job)
    }
  }

  decideStage(jobs: readonly GraphJob[]): void {
    const { ofEarlierStages } = this.closed
    for (const job of inNeedsOrder(jobs)) {
      if (job.status !== 'created') continue
      const previous = job.schedulingType === 'dag' ? this.statusOfNeeds(job) : ofEarlierStages
      this.decide(job, previous)
    }
    this.closed.close(jobs.map(this.current))
  }

  progress(): Progress {
    const { stages, symbols } = this.closed
    return { transitions: this.transitions, stages, symbols, pipeline: compositeOfSymbols(symbols) }
  }

  private statusOfNeeds(job: GraphJob): CompositeStatus {
    const needed = job.needs.flatMap((name) => this.byName.get(name) ?? [])
    return compositeStatus(needed.map(this.current), { forNeeds: true }) ?? 'success'
  }

  private decide(job: GraphJob, previous: CompositeStatus): void {
    if (!isCompleted(previous)) return
    const to = runsAfter(job, previous) ? statusWhenTurnComes(job) : 'skipped'
    this.statuses.set(job.id, to)
    this.transitions.push({ jobId: job.id, from: job.status, to })
  }

  private readonly current = (job: GraphJob): JobState & { stageId: number } => ({
    status: this.statuses.get(job.id) ?? job.status,
    allowFailure: job.allowFailure,
    stageId: job.stageId,
  })
}

/** CI language, 11.3, step 5. If an earlier job was canceled, no condition is met. */
export function runsAfter(
  { when, schedulingType }: Pick<GraphJob, 'when' | 'schedulingType'>,
  previous: CompositeStatus,
): boolean {
  switch (when) {
    case 'on_success':
    case 'manual':
    case 'delayed':
      return previous === 'success' || (previous === 'skipped' && schedulingType === 'stage')
    case 'on_failure':
      return previous === 'failed'
    case 'always':
      return previous === 'success' || previous === 'failed' || previous === 'skipped'
  }
}

/**
 * CI language, 11.3, step 6. A job whose deployment needs approvals is played manually after the approvals.
 */
function statusWhenTurnComes({ when, resourceGroupId, isOutdated, gate }: GraphJob): JobStatus {
  if (when === 'manual') return 'manual'
  if (when === 'delayed') return 'scheduled'
  if (isOutdated || gate === 'forbidden') return 'failed'
  if (gate === 'unapproved') return 'manual'
  return resourceGroupId === undefined ? 'pending' : 'waiting_for_resource'
}
