import { SwitchyardError } from '../../../lib/errors.js'

/**
 * Jobs changed their status after they were read under the lock of their pipeline: some code changes jobs
 * without this lock. The transaction is rolled back.
 */
export class UnexpectedStatusError extends SwitchyardError {
  readonly name = 'UnexpectedStatusError'
  readonly code = 'UNEXPECTED_STATUS'

  constructor(
    readonly jobIds: number[],
    expected: string,
  ) {
    super(`Of the jobs ${jobIds.join(', ')} some are no longer ${expected}`)
  }
}
