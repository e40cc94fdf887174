import { SwitchyardError } from '../../lib/errors.js'

/** A repository elsewhere cannot be reached, in words for the people of the project. */
export class RemoteRepositoryError extends SwitchyardError {
  readonly name = 'RemoteRepositoryError'
  readonly code = 'REMOTE_REPOSITORY'
}

/** A request that was answered, and not with what was asked for. */
export class AnswerError extends SwitchyardError {
  readonly name = 'AnswerError'
  readonly code = 'UNEXPECTED_ANSWER'

  constructor(
    message: string,
    /** HTTP status, when that is what was wrong. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** The coordinator is about to end, and a request of its own was given up. What it was for is to be done again. */
export class StoppingError extends SwitchyardError {
  readonly name = 'StoppingError'
  readonly code = 'STOPPING'
  /** What a request gets that could not be answered for it: clients come again. */
  readonly statusCode = 503

  constructor(options?: ErrorOptions) {
    super('The coordinator is stopping', options)
  }
}
