import type { GraphJob, Progress } from '../../../../../src/coordinator/ci/engine/advance/transitions.js'
import type { JobStatus } from '../../../../../src/coordinator/database/tables/job-columns.js'

/** A job of a test's pipeline; the stage is its index. `needs` makes it graph-scheduled. */
interface DrawnJob {
  stage: number
  status?: JobStatus
  when?: GraphJob['when']
  allowFailure?: boolean
  needs?: string[]
}

export type Drawing = Record<string, DrawnJob>

export function drawGraph(drawing: Drawing): GraphJob[] {
  return Object.entries(drawing).map(([name, job], index) => ({
    id: index + 1,
    name,
    status: job.status ?? 'created',
    allowFailure: job.allowFailure ?? false,
    stageId: 100 + job.stage,
    stageIndex: job.stage,
    when: job.when ?? 'on_success',
    schedulingType: job.needs ? 'dag' : 'stage',
    needs: job.needs ?? [],
  }))
}

/** The graph after the transitions. */
export function afterTransitions(graph: readonly GraphJob[], { transitions }: Progress): GraphJob[] {
  const moved = new Map(transitions.map(({ jobId, to }) => [jobId, to]))
  return graph.map((job) => ({ ...job, status: moved.get(job.id) ?? job.status }))
}

export function statusesByName(graph: readonly GraphJob[]): Record<string, JobStatus> {
  return Object.fromEntries(graph.map(({ name, status }) => [name, status]))
}
