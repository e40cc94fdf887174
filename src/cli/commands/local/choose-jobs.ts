import type { JobWhen, PlannedJob } from '../../../ci-config/plan.js'
import { groupName } from '../../../ci-config/variables/predefined-of-job.js'
import { LocalUsageError } from './errors.js'
import { isLeftOut } from './left-out.js'

/** A job of the run, with its `when`. */
export interface ChosenJob {
  planned: PlannedJob
  /** As in the file, unless the job was named: a named job waits neither to be played nor for a failure. */
  when: JobWhen
  isNamed: boolean
}

/**
 * The jobs of a run, in order: all jobs of the plan, or those that are named (`test` names every instance of it).
 * With `withNeeds`, also all jobs that must end before them. Throws `LocalUsageError` for an unknown name.
 */
export function chooseJobs(
  planned: readonly PlannedJob[],
  names: readonly string[],
  { withNeeds }: { withNeeds: boolean },
): ChosenJob[] {
  const jobs = planned.filter((job) => !isLeftOut(job))
  if (names.length === 0) return jobs.map((job) => ({ planned: job, when: job.when, isNamed: false }))
  const named = new Set(names.flatMap((name) => jobsCalled(name, jobs, planned)))
  const needed = withNeeds ? neededBy(named, jobs) : new Map<PlannedJob, Reason>()
  return jobs.flatMap((job): ChosenJob[] => {
    if (named.has(job)) return [{ planned: job, when: whenNamed(job.when), isNamed: true }]
    const reason = needed.get(job)
    if (!reason) return []
    return [{ planned: job, when: reason === 'need' ? whenNamed(job.when) : job.when, isNamed: false }]
  })
}

function jobsCalled(name: string, jobs: readonly PlannedJob[], planned: readonly PlannedJob[]): PlannedJob[] {
  const exact = jobs.filter((job) => job.name === name)
  const found = exact.length > 0 ? exact : jobs.filter((job) => groupName(job.name) === name)
  if (found.length > 0) return found
  if (planned.some((job) => job.name === name)) {
    throw new LocalUsageError(
      `${name} is for the pipeline of another project, which a local run neither starts nor reads`,
    )
  }
  const known = jobs.map((job) => job.name).join(', ')
  throw new LocalUsageError(`There is no job ${name} in this pipeline. Its jobs are: ${known}`)
}

/** `need`: another job names it in its needs. `stage`: it is only in an earlier stage. */
type Reason = 'need' | 'stage'

function neededBy(named: ReadonlySet<PlannedJob>, jobs: readonly PlannedJob[]): Map<PlannedJob, Reason> {
  const reasons = new Map<PlannedJob, Reason>()
  const toVisit = [...named]
  for (let job = toVisit.pop(); job; job = toVisit.pop()) {
    for (const [before, reason] of comingBefore(job, jobs)) {
      if (reasons.get(before) === 'need' || reasons.get(before) === reason) continue
      reasons.set(before, reason)
      toVisit.push(before)
    }
  }
  return reasons
}

function comingBefore(job: PlannedJob, jobs: readonly PlannedJob[]): [PlannedJob, Reason][] {
  if (job.schedulingType === 'stage') {
    const earlier = jobs.filter(({ stageIndex }) => stageIndex < job.stageIndex)
    // A manual job that was not named would stay manual, and could block the named jobs.
    return earlier.filter(({ when }) => when !== 'manual').map((before) => [before, 'stage'])
  }
  return jobs
    .filter(({ name }) => job.needs.some((need) => need.name === name))
    .map((before) => [before, 'need'])
}

/** A named job always runs. */
function whenNamed(when: JobWhen): JobWhen {
  switch (when) {
    case 'manual':
      return 'on_success'
    case 'on_failure':
      return 'always'
    default:
      return when
  }
}
