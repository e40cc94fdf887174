import type { JobWhen } from '../plan.js'
import type { Reader } from './reader.js'
import { oneOf } from './simple-values.js'

const readAny = oneOf<JobWhen>(['on_success', 'on_failure', 'always', 'manual', 'delayed'])

/** What has to have happened for the job to run (CI language, 3.16). */
export const readWhen: Reader<JobWhen> = (value, place) =>
  value === 'delayed' ? place.refuseUnsupported('delayed') : readAny(value, place)
