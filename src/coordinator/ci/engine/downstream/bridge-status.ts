import type { CompositeStatus } from '../../../database/tables/pipelines.js'

/** How a trigger job follows the pipeline that it started or mirrors. */
export type Strategy = 'none' | 'depend' | 'mirror'

/** The status of a trigger job for a status of its pipeline. */
export type BridgeStatus = 'running' | 'success' | 'failed' | 'canceled' | 'skipped' | 'manual'

/** CI language, 13.4. */
export function bridgeStatus(strategy: Strategy, downstream: CompositeStatus): BridgeStatus {
  if (strategy === 'none') return 'success'
  switch (downstream) {
    case 'success':
    case 'failed':
    case 'canceled':
      return downstream
    case 'skipped':
      return strategy === 'mirror' ? 'skipped' : 'failed'
    case 'manual':
      return strategy === 'mirror' ? 'manual' : 'running'
    default:
      return 'running'
  }
}
