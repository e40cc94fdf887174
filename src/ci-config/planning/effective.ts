import type { Defaults } from '../entries/defaults.js'
import { inherits } from '../entries/inherit.js'
import type { JobEntry } from '../entries/job.js'

/** A default is used only for a keyword that the job does not write at all (CI language, 2.2 and 3.13). */
export function effective<K extends keyof Defaults>(
  job: JobEntry & Defaults,
  defaults: Defaults,
  key: K,
): Defaults[K] {
  return job[key] ?? (inherits(job.inherit?.default, key) ? defaults[key] : undefined)
}
