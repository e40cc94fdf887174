import type { JobWhen } from '../plan.js'
import type { Reader } from './reader.js'
import { oneOf } from './simple-values.js'

/** The condition on earlier jobs under which the job runs (CI language, 3.16). */
export const readWhen: Reader<JobWhen> = oneOf<JobWhen>([
  'on_success',
  'on_failure',
  'always',
  'manual',
  'delayed',
])

/** A job that starts another pipeline cannot be delayed (CI language, 3.1). */
export const readTriggerWhen: Reader<JobWhen> = oneOf<JobWhen>([
  'on_success',
  'on_failure',
  'always',
  'manual',
])
