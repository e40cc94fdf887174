import { SwitchyardError } from '../../../lib/errors.js'

/**
 * Jobs were not in the status in which they had been read under the lock of their pipeline: something changes jobs
 * without taking it. The event is rolled back.
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
