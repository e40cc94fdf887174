import { hash } from 'node:crypto'

import type { RunnerRow } from '../../../database/tables/pipeline-rows.js'

/**
 * The value of `X-GitLab-Last-Update`, which a runner gives back to say that it has nothing to hurry for (runner
 * protocol, 2.3). Every request searches the queue before it waits, so that the value only has to change with the
 * runner's settings. It is computed, not kept: every coordinator process comes to the same one.
 */
export function queueVersion(runner: RunnerRow): string {
  const { token_digest, active, tag_list, run_untagged, access_level } = runner
  return hash('sha256', JSON.stringify([token_digest, active, tag_list, run_untagged, access_level])).slice(
    0,
    32,
  )
}
