import type { PlannedJob } from '../../../ci-config/plan.js'
import { dependencySelection } from '../../../coordinator/ci/engine/jobs/dependency-selection.js'
import { isLeftOut } from './left-out.js'

/** Whether a job downloads the artifacts of another one (CI language, 16.2). */
export function fetchesFrom(job: PlannedJob, other: PlannedJob): boolean {
  const { names, earlierStagesOnly } = dependencySelection(
    { scheduling_type: job.schedulingType },
    job.options.dependencies,
    job.needs,
  )
  if (other.name === job.name || (names && !names.includes(other.name))) return false
  return !earlierStagesOnly || other.stageIndex < job.stageIndex
}

/** Names of jobs of a plan that do not run, although a job that runs would download their artifacts. */
export function absentSources(plan: readonly PlannedJob[], run: readonly PlannedJob[]): string[] {
  return plan
    .filter((job) => !run.includes(job) && !isLeftOut(job) && job.options.artifacts !== undefined)
    .filter((job) => run.some((each) => fetchesFrom(each, job)))
    .map(({ name }) => name)
}
