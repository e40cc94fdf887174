import { SwitchyardError } from '../../lib/errors.js'

/** A secret that the job needs cannot be had. */
export class SecretError extends SwitchyardError {
  readonly name = 'SecretError'
  readonly code = 'SECRET_UNAVAILABLE'

  /** `isPassing`: another try may have it. */
  constructor(
    message: string,
    readonly isPassing: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The job asks for secrets of a provider that this runner cannot read. */
export class UnsupportedSecretsError extends SwitchyardError {
  readonly name = 'UnsupportedSecretsError'
  readonly code = 'SECRETS_UNSUPPORTED'
}
