import type { JobEntry } from '../entries/job.js'
import type { JobEffects } from './select-job.js'

/** The job as its matching rule leaves it (CI language, 7.2). */
export function withEffects(job: JobEntry, effects: JobEffects): JobEntry {
  const { when, startIn, allowFailure, needs, interruptible } = effects
  return {
    ...job,
    // Only `when: manual` of the job itself makes the job optional; in a rule it makes the job blocking.
    ...(when && { when, allow_failure: job.allow_failure ?? job.when === 'manual' }),
    ...(startIn !== undefined && { start_in: startIn }),
    ...(allowFailure !== undefined && { allow_failure: allowFailure }),
    ...(interruptible !== undefined && { interruptible }),
    // An empty list does not yet order the job by its needs.
    ...(needs && (needs.length > 0 || job.needs) && { needs }),
  }
}
