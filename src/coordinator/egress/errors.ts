import { SwitchyardError } from '../../lib/errors.js'

/** A remote repository is unreachable; the message is for users of the project. */
export class RemoteRepositoryError extends SwitchyardError {
  readonly name = 'RemoteRepositoryError'
  readonly code = 'REMOTE_REPOSITORY'
}

/** The server responded, but not with the requested content. */
export class ResponseError extends SwitchyardError {
  readonly name = 'ResponseError'
  readonly code = 'UNEXPECTED_RESPONSE'

  constructor(
    message: string,
    /** HTTP status, if the status is the problem. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** The coordinator is stopping and has aborted one of its own requests. Its work must be repeated. */
export class StoppingError extends SwitchyardError {
  readonly name = 'StoppingError'
  readonly code = 'STOPPING'
  /** Status for requests that could not be completed: clients retry. */
  readonly statusCode = 503

  constructor(options?: ErrorOptions) {
    super('The coordinator is stopping', options)
  }
}
