import { bridgeStatus } from '../../../coordinator/ci/engine/downstream/bridge-status.js'
import type { CompositeStatus } from '../../../coordinator/database/tables/pipelines.js'
import type { LocalEnd } from './local-pipeline.js'

/**
 * How a trigger job ends that waits for its pipeline, once no job of that can run any more. Where the pipeline waits for
 * manual jobs, nobody is there to play them, so the trigger job waits too.
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
