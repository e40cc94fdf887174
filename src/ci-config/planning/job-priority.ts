import type { JobEntry } from '../entries/job.js'
import { writtenName } from '../entries/job.js'
import type { Problem } from '../errors.js'
import type { VariableCollection } from '../variables/variable-collection.js'

/**
 * The variable by which a job goes before others of its project (the larger number) or after them, wherever variables
 * come from: the job, the file, whoever starts the pipeline, the settings. Servers that do not know it ignore it.
 */
export const PRIORITY_VARIABLE = 'SWITCHYARD_PRIORITY'

const GREATEST = 10

/** Undefined for a job that says nothing. */
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
