import { SwitchyardError } from '../../../lib/errors.js'

/** There is no commit with the given ID in the repository. */
export class CommitNotFoundError extends SwitchyardError {
  readonly name = 'CommitNotFoundError'
  readonly code = 'COMMIT_NOT_FOUND'

  constructor(readonly sha: string) {
    super('Commit not found')
  }
}

/** The head of a push is invalid; the client gets status 400. */
export class InvalidPushError extends SwitchyardError {
  readonly name = 'InvalidPushError'
  readonly code = 'INVALID_PUSH'

  constructor(problem: string, options?: ErrorOptions) {
    super(`The push cannot be read: ${problem}`, options)
  }
}

/** Another coordinator or an earlier attempt has already processed this ref of the push. */
export class ChangeResolvedError extends SwitchyardError {
  readonly name = 'ChangeResolvedError'
  readonly code = 'CHANGE_SETTLED'

  constructor(ref: string) {
    super(`${ref} of this push was already processed`)
  }
}

/** Too many clients wait for git. */
export class GitBusyError extends SwitchyardError {
  readonly name = 'GitBusyError'
  readonly code = 'GIT_BUSY'
  /** Status of API calls that need git. */
  readonly statusCode = 503

  constructor() {
    super('Too many git requests are waiting: try again later')
  }
}
