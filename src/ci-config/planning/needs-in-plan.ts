import { type JobEntry, writtenName } from '../entries/job.js'
import type { Problem } from '../errors.js'
import { limits } from '../limits.js'
import type { PlannedNeed } from '../plan.js'

/** Why the job cannot be in the pipeline of these jobs, if it cannot (CI language, 9.7). */
export function missingNeeds(
  job: JobEntry,
  inPipeline: ReadonlySet<string>,
  limit: number | undefined,
): Problem[] {
  const { name, needs = [] } = job
  const tooMany = tooManyNeeds(job, needs, limit)
  if (tooMany.length > 0) return tooMany
  const missing = needs.filter((need) => !need.optional && !inPipeline.has(need.name))
  return missing.map((need) => ({
    message: doesNotExist(name, need.name),
    path: [writtenName(job), 'needs'],
  }))
}

/** The limit also applies to the needs of a rule. */
export function tooManyNeeds(
  job: JobEntry,
  needs: readonly PlannedNeed[] = [],
  limit: number = limits.needs,
): Problem[] {
  if (limit === 0 || needs.length <= limit) return []
  const message =
    `${job.name}: one job can only need ${limit} others, but you have listed ${needs.length}. ` +
    'See needs keyword documentation for more details'
  return [{ message, path: [writtenName(job), 'needs'] }]
}

/** Leaves out optional needs that are not in the pipeline. */
export function presentNeeds(needs: PlannedNeed[], inPipeline: ReadonlySet<string>): PlannedNeed[] {
  return needs.filter((need) => inPipeline.has(need.name))
}

function doesNotExist(job: string, need: string): string {
  return (
    `'${job}' job needs '${need}' job, but '${need}' does not exist in the pipeline. ` +
    'This might be because of the only, except, or rules keywords. ' +
    'To need a job that sometimes does not exist in the pipeline, use needs:optional.'
  )
}
