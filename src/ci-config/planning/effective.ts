import type { Defaults } from '../entries/defaults.js'
import { inherits } from '../entries/inherit.js'
import { type JobEntry, startsPipeline } from '../entries/job.js'

/**
 * A default is used only for a keyword that the job does not write at all, and in a job that starts another pipeline
 * only where it has the keyword (CI language, 2.2 and 3.13).
 */
export function effective<K extends keyof Defaults>(
  job: JobEntry & Defaults,
  defaults: Defaults,
  key: K,
): Defaults[K] {
  const mayInherit = inherits(job.inherit?.default, key) && (!startsPipeline(job) || key === 'interruptible')
  return job[key] ?? (mayInherit ? defaults[key] : undefined)
}
