import { bridgeStatus } from '../../../coordinator/ci/engine/downstream/bridge-status.js'
import type { CompositeStatus } from '../../../coordinator/database/tables/pipelines.js'
import type { LocalEnd } from './local-pipeline.js'

/**
 * The status of a trigger job that waits for its pipeline, when no job of that pipeline can run any more. If the
 * pipeline waits for manual jobs, no one can play them, so the trigger job also stays blocked.
 */
export function bridgeEnd(strategy: 'depend' | 'mirror', downstream: CompositeStatus): LocalEnd {
  const status = bridgeStatus(strategy, downstream)
  switch (status) {
    case 'failed':
      return { status, failure_reason: 'unknown_failure' }
    case 'running':
      return { status: 'manual' }
    default:
      return { status }
  }
}
