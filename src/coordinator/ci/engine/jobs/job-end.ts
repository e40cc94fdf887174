import type { FailureReason } from '../../../../protocol/failure-reason.js'
import type { BridgeFailureReason } from '../../../database/tables/job-columns.js'

/** How a job ends. */
export type JobEnd =
  | { status: 'success' }
  | { status: 'canceled'; auto_canceled_by_id?: number | undefined }
  | {
      status: 'failed'
      failure_reason: FailureReason | BridgeFailureReason
      exit_code?: number | undefined
      /** JSON of what kept a pending job from every runner, or what it lacks. */
      waited_for?: string
      /** Of a trigger job. */
      downstream_errors?: string
    }
