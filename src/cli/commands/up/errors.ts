import { SwitchyardError } from '../../../lib/errors.js'

/** Something that `switchyard up` needs is missing; the message says what to do about it. */
export class CannotStartError extends SwitchyardError {
  readonly name = 'CannotStartError'
  readonly code = 'UP_CANNOT_START'
}

/** The coordinator beside us answered a call with another status than it should. */
export class UnexpectedAnswerError extends SwitchyardError {
  readonly name = 'UnexpectedAnswerError'
  readonly code = 'UP_UNEXPECTED_ANSWER'

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} was answered with ${status}: ${body.slice(0, 500)}`)
  }
}
