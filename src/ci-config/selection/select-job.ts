import type { JobEntry } from '../entries/job.js'
import type { RefPolicy } from '../entries/ref-policy.js'
import type { PipelineContext } from '../plan.js'
import { fitsRefPattern, type RefPattern } from './ref-pattern.js'

/** A job that says nothing runs for branches and tags (CI language, 7.1). */
const DEFAULT_REFS: RefPattern[] = [{ text: 'branches' }, { text: 'tags' }]

/** Whether the job is in the pipeline of this event: everything in `only` holds, nothing in `except` does. */
export function isSelected(job: JobEntry, context: PipelineContext): boolean {
  const only: RefPolicy = { refs: DEFAULT_REFS, ...job.only }
  return fitsRefs(only, context) !== false && fitsRefs(job.except, context) !== true
}

/** Undefined when the policy does not ask about refs. */
function fitsRefs(policy: RefPolicy | undefined, context: PipelineContext): boolean | undefined {
  return policy?.refs?.some((pattern) => fitsRefPattern(pattern, context))
}
