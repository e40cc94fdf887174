import type { BridgeFailureReason } from '../../../../error-catalogue/failure-reasons.js'
import type { FailureReason } from '../../../../protocol/failure-reason.js'

/** The final status of a job and its reason. */
export type JobEnd =
  | { status: 'success' }
  | {
      status: 'canceled'
      auto_canceled_by_id?: number | undefined
      /** Set for a job that did not end by itself after it was canceled. */
      failure_reason?: 'no_updates_canceling' | 'server_timeout_canceling'
    }
  | {
      status: 'failed'
      failure_reason: FailureReason | BridgeFailureReason
      exit_code?: number | undefined
      /** JSON of the reason why no runner took a pending job, or of the missing capability. */
      waited_for?: string
      /** Errors of a trigger job. */
      downstream_errors?: string
    }
