import { TRIGGER_JOB_FAILURES } from '../../error-catalogue/failure-reasons.js'
import { FAILURE_REASONS } from '../../protocol/failure-reason.js'
import { limits } from '../limits.js'
import type { PlannedRetry } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { integerBetween, readIntegers, refuseWords, stringsOf, wrongItem } from './simple-values.js'

const ALWAYS = 'always'

/** Reasons that `retry` may also name, though no job fails with them (CI language, 10.3). */
const OTHER_REASONS = [
  'bridge_pipeline_is_child_pipeline',
  'ip_restriction_failure',
  'duo_workflow_not_allowed',
  'job_router_failure',
  'job_token_expired',
]

export const RETRY_REASONS: ReadonlySet<string> = new Set([
  ALWAYS,
  ...FAILURE_REASONS,
  ...Object.keys(TRIGGER_JOB_FAILURES),
  ...OTHER_REASONS,
])

/** How often, and after which failures, a job is retried automatically (CI language, 12.2). */
export const readRetry: Reader<PlannedRetry> = (value, written) => {
  const location = written.called('retry')
  if (typeof value === 'bigint') {
    const max = readMax(value, location)
    return max === null ? null : { max, when: [ALWAYS], exitCodes: [] }
  }
  if (!isMap(value)) return location.refuse('has to be either an integer or a hash')
  const read = readMapEntry(retryShape, value, location)
  return (
    read && {
      max: read.max ?? 0,
      when: read.when ?? (read.exit_codes ? [] : [ALWAYS]),
      exitCodes: read.exit_codes ?? [],
    }
  )
}

const readMax = integerBetween(0, limits.retries)

const readReasons: Reader<string[]> = (value, location) => {
  if (typeof value === 'string') {
    return RETRY_REASONS.has(value)
      ? [value]
      : location.suggesting({ words: [value], among: RETRY_REASONS }).refuse('is not included in the list')
  }
  const reasons = stringsOf(value)
  if (!reasons) return location.refuse('should be an array of strings or a string', ...wrongItem(value))
  const unknown = reasons.filter((reason) => !RETRY_REASONS.has(reason))
  return unknown.length === 0 ? reasons : refuseWords(unknown, reasons, RETRY_REASONS, location)
}

export const retryShape = {
  attributes: { max: readMax, when: readReasons, exit_codes: readIntegers },
  children: {},
}
