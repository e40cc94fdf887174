import type { JobEntry } from '../entries/job.js'
import { writtenName } from '../entries/job.js'
import type { Problem } from '../errors.js'
import type { VariableCollection } from '../variables/variable-collection.js'

/**
 * The variable that sets the priority of a job among the jobs of its project; the larger number runs first.
 * It may come from the job, the file, the user who starts the pipeline, or the settings. Other servers ignore
 * it.
 */
const PRIORITY_VARIABLE = 'SWITCHYARD_PRIORITY'

const GREATEST = 10

/** Undefined if the job sets none. */
export function jobPriority(seen: VariableCollection): number | undefined {
  const written = seen.expanded(PRIORITY_VARIABLE)?.trim()
  return written ? Number(written) : undefined
}

export function problemOfPriority(job: JobEntry, seen: VariableCollection): Problem[] {
  const priority = jobPriority(seen)
  if (priority === undefined || (Number.isInteger(priority) && Math.abs(priority) <= GREATEST)) return []
  const written = seen.expanded(PRIORITY_VARIABLE)
  return [
    {
      message: `${job.name}: the variable ${PRIORITY_VARIABLE} should be an integer from -${GREATEST} to ${GREATEST}, not "${written}"`,
      path: [writtenName(job), 'variables', PRIORITY_VARIABLE],
    },
  ]
}
