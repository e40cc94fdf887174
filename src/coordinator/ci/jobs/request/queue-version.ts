import { hash } from 'node:crypto'

import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'

/**
 * The value of `X-GitLab-Last-Update`; a runner that sends it back accepts being held (runner protocol, 2.3).
 * Every request searches the queue before it waits, so the value need only change with the settings of the
 * runner. It is computed, not stored: all coordinator processes compute the same value.
 */
export function queueVersion(runner: RunnerRow): string {
  const { token_digest, active, tag_list, run_untagged, access_level } = runner
  return hash('sha256', JSON.stringify([token_digest, active, tag_list, run_untagged, access_level])).slice(
    0,
    32,
  )
}
