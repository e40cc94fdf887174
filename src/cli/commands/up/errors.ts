import { SwitchyardError } from '../../../lib/errors.js'

/** A requirement of `switchyard up` is missing. The message names a remedy. */
export class CannotStartError extends SwitchyardError {
  readonly name = 'CannotStartError'
  readonly code = 'UP_CANNOT_START'
}

/** The embedded coordinator responded with an unexpected status. */
export class UnexpectedResponseError extends SwitchyardError {
  readonly name = 'UnexpectedResponseError'
  readonly code = 'UP_UNEXPECTED_RESPONSE'

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} got ${status}: ${body.slice(0, 500)}`)
  }
}
