import { SwitchyardError } from '../../../lib/errors.js'

/** A requirement of `switchyard up` is missing. The message names a remedy. */
export class CannotStartError extends SwitchyardError {
  readonly name = 'CannotStartError'
  readonly code = 'UP_CANNOT_START'
}

/** The embedded coordinator responded with an unexpected status. */
export class UnexpectedAnswerError extends SwitchyardError {
  readonly name = 'UnexpectedAnswerError'
  readonly code = 'UP_UNEXPECTED_ANSWER'

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} was answered with ${status}: ${body.slice(0, 500)}`)
  }
}
