import { SwitchyardError } from '../lib/errors.js'

/** The store refused a request. Repeating it would not help. */
export class S3RefusedError extends SwitchyardError {
  readonly name = 'S3RefusedError'
  readonly code = 'S3_REFUSED'

  constructor(
    message: string,
    /** Status of the response. Undefined if the response itself could not be used. */
    readonly status?: number,
    /** Error code of S3, such as `NoSuchBucket`, if the response has one. */
    readonly reason?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The store did not respond, or is temporarily unavailable. */
export class S3UnavailableError extends SwitchyardError {
  readonly name = 'S3UnavailableError'
  readonly code = 'S3_UNAVAILABLE'

  constructor(
    message: string,
    /** `NoKey` if it is not the store that did not respond, but the service that issues keys for it. */
    readonly reason?: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
