import { FAILURE_REASONS } from '../../protocol/failure-reason.js'
import { limits } from '../limits.js'
import type { PlannedRetry } from '../plan.js'
import { isMap } from '../yaml/config-value.js'
import { readMapEntry } from './map-entry.js'
import type { Reader } from './reader.js'
import { integerBetween, readIntegers, refuseWords, stringsOf, wrongItem } from './simple-values.js'

const ALWAYS = 'always'

/** Failure reasons of jobs without a runner, which `retry` may also name (CI language, 10.3). */
const OTHER_REASONS = [
  'insufficient_bridge_permissions',
  'downstream_bridge_project_not_found',
  'invalid_bridge_trigger',
  'upstream_bridge_project_not_found',
  'insufficient_upstream_permissions',
  'bridge_pipeline_is_child_pipeline',
  'downstream_pipeline_creation_failed',
  'secrets_provider_not_found',
  'reached_max_descendant_pipelines_depth',
  'ip_restriction_failure',
  'duo_workflow_not_allowed',
  'reached_max_pipeline_hierarchy_size',
  'reached_downstream_pipeline_trigger_rate_limit',
  'job_router_failure',
  'job_token_expired',
]

export const RETRY_REASONS: ReadonlySet<string> = new Set([ALWAYS, ...FAILURE_REASONS, ...OTHER_REASONS])

/** How often, and after which failures, a job is retried automatically (CI language, 12.2). */
export const readRetry: Reader<PlannedRetry> = (value, written) => {
  const place = written.called('retry')
  if (typeof value === 'bigint') {
    const max = readMax(value, place)
    return max === null ? null : { max, when: [ALWAYS], exitCodes: [] }
  }
  if (!isMap(value)) return place.refuse('has to be either an integer or a hash')
  const read = readMapEntry(retryShape, value, place)
  return (
    read && {
      max: read.max ?? 0,
      when: read.when ?? (read.exit_codes ? [] : [ALWAYS]),
      exitCodes: read.exit_codes ?? [],
    }
  )
}

const readMax = integerBetween(0, limits.retries)

const readReasons: Reader<string[]> = (value, place) => {
  if (typeof value === 'string') {
    return RETRY_REASONS.has(value)
      ? [value]
      : place.suggesting({ words: [value], among: RETRY_REASONS }).refuse('is not included in the list')
  }
  const reasons = stringsOf(value)
  if (!reasons) return place.refuse('should be an array of strings or a string', ...wrongItem(value))
  const unknown = reasons.filter((reason) => !RETRY_REASONS.has(reason))
  return unknown.length === 0 ? reasons : refuseWords(unknown, reasons, RETRY_REASONS, place)
}

export const retryShape = {
  attributes: { max: readMax, when: readReasons, exit_codes: readIntegers },
  children: {},
}
