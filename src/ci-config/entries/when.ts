import type { JobWhen } from '../plan.js'
import type { Reader } from './reader.js'
import { oneOf } from './simple-values.js'

export const JOB_WHEN = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const

/** When artifacts and caches are uploaded, by the result of the script. */
export const UPLOAD_WHEN = ['on_success', 'on_failure', 'always'] as const

/** The condition on earlier jobs under which the job runs (CI language, 3.16). */
export const readWhen: Reader<JobWhen> = oneOf<JobWhen>(JOB_WHEN)

/** A job that starts another pipeline cannot be delayed (CI language, 3.1). */
export const readTriggerWhen: Reader<JobWhen> = oneOf<JobWhen>(JOB_WHEN.filter((when) => when !== 'delayed'))
