import type { Defaults } from '../entries/defaults.js'
import { inherits } from '../entries/inherit.js'
import { type JobEntry, startsPipeline } from '../entries/job.js'

/**
 * A default applies only to a keyword that the job does not set at all. In a trigger job, it also applies
 * only if trigger jobs support the keyword (CI language, 2.2 and 3.13).
 */
export function effective<K extends keyof Defaults>(
  job: JobEntry & Defaults,
  defaults: Defaults,
  key: K,
): Defaults[K] {
  const mayInherit = inherits(job.inherit?.default, key) && (!startsPipeline(job) || key === 'interruptible')
  return job[key] ?? (mayInherit ? defaults[key] : undefined)
}
