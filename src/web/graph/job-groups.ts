import type { GraphJob } from '../../coordinator/ci/pipelines/graph/schema.js'
import { STATUS_RANKS, worstStatus } from '../statuses/worst-status.js'

/** A job of its own, or the instances of a parallel job. */
export interface JobGroup {
  /** Unique in the pipeline: name of the job, or the common name of the instances. */
  key: string
  name: string
  stage: string
  jobs: GraphJob[]
  /** The status of the group as a whole. */
  status: string
  /** Names of needed jobs, of all instances. */
  needs: string[]
  /** Whether the jobs wait for all earlier stages instead of `needs`. */
  waitsForStage: boolean
}

/** Groups the instances of parallel jobs, in the order in which their first instances occur. */
export function groupJobs(jobs: readonly GraphJob[]): JobGroup[] {
  const groups = new Map<string, GraphJob[]>()
  for (const job of jobs) {
    // Instances of one name may be in no two stages, but another job may have that name.
    const key = job.group === null ? job.name : `${job.group} (${job.stage})`
    const known = groups.get(key)
    if (known) known.push(job)
    else groups.set(key, [job])
  }
  return [...groups].map(([key, members]) => {
    const [first] = members as [GraphJob, ...GraphJob[]]
    return {
      key,
      name: first.group ?? first.name,
      stage: first.stage,
      jobs: members,
      status: groupStatus(members),
      needs: [...new Set(members.flatMap(({ needs }) => needs))],
      waitsForStage: members.every(({ scheduling_type: type }) => type === 'stage'),
    }
  })
}

/** The status that says most about several jobs; `warning` for failed ones that may fail. */
function groupStatus(jobs: readonly Pick<GraphJob, 'status' | 'allow_failure'>[]): string {
  return worstStatus(
    jobs.map(({ status, allow_failure: mayFail }) => (status === 'failed' && mayFail ? 'warning' : status)),
  )
}

/** Number of jobs by status, in the order in which statuses are shown. */
export function countByStatus(
  jobs: readonly Pick<GraphJob, 'status' | 'allow_failure'>[],
): { status: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const job of jobs) {
    const status = groupStatus([job])
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return STATUS_RANKS.flatMap((status) => {
    const count = counts.get(status)
    return count === undefined ? [] : [{ status, count }]
  })
}
