import { SwitchyardError } from '../../lib/errors.js'
import type { FailureReason } from '../../protocol/failure-reason.js'

/** The executor failed. `reason` is reported to the coordinator (runner protocol, 3.4). */
export class ExecutorError extends SwitchyardError {
  readonly name = 'ExecutorError'
  readonly code = 'EXECUTOR_FAILED'

  constructor(
    message: string,
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
