import { SwitchyardError } from '../../lib/errors.js'

/** A secret of the job cannot be obtained. */
export class SecretError extends SwitchyardError {
  readonly name = 'SecretError'
  readonly code = 'SECRET_UNAVAILABLE'

  /** `isPassing`: whether another attempt may succeed. */
  constructor(
    message: string,
    readonly isPassing: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The job uses a secret provider that this runner does not support. */
export class UnsupportedSecretsError extends SwitchyardError {
  readonly name = 'UnsupportedSecretsError'
  readonly code = 'SECRETS_UNSUPPORTED'
}
