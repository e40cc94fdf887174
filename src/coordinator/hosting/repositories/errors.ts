import { SwitchyardError } from '../../../lib/errors.js'

/** A commit that was asked for by its id and is not in the repository. */
export class CommitNotFoundError extends SwitchyardError {
  readonly name = 'CommitNotFoundError'
  readonly code = 'COMMIT_NOT_FOUND'

  constructor(readonly sha: string) {
    super('Commit not found')
  }
}

/** The head of a push that cannot be read; the client is told so with status 400. */
export class InvalidPushError extends SwitchyardError {
  readonly name = 'InvalidPushError'
  readonly code = 'INVALID_PUSH'

  constructor(problem: string, options?: ErrorOptions) {
    super(`The push cannot be read: ${problem}`, options)
  }
}

/** Someone else (another coordinator, an earlier try) has already dealt with this ref of the push. */
export class ChangeResolvedError extends SwitchyardError {
  readonly name = 'ChangeResolvedError'
  readonly code = 'CHANGE_SETTLED'

  constructor(ref: string) {
    super(`${ref} of this push was already processed`)
  }
}

/** More clients wait for git than can be served. */
export class GitBusyError extends SwitchyardError {
  readonly name = 'GitBusyError'
  readonly code = 'GIT_BUSY'
  /** What a caller of the API is told whose call needs git on the way. */
  readonly statusCode = 503

  constructor() {
    super('Too many git requests are waiting: try again later')
  }
}
