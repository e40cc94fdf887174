import type { BridgeFailureReason } from '../../../../error-catalogue/failure-reasons.js'

/** The reason why a trigger job cannot start its pipeline (CI language, 13.2). */
export interface Refusal {
  kind: 'refused'
  reason:
    | BridgeFailureReason
    | 'pipeline_loop_detected'
    | 'user_blocked'
    | 'archived_failure'
    | 'protected_environment_failure'
  /** Messages for users, one per line. */
  errors: string
}

export function refused(reason: Refusal['reason'], errors: string): Refusal {
  return { kind: 'refused', reason, errors }
}
