import { SwitchyardError } from '../../lib/errors.js'

/** No response arrived: there was no connection, it broke, or it timed out. */
export class CoordinatorUnreachableError extends SwitchyardError {
  readonly name = 'CoordinatorUnreachableError'
  readonly code = 'COORDINATOR_UNREACHABLE'

  constructor(url: string, options: ErrorOptions) {
    super(`The coordinator at ${url} cannot be reached: ${connectionProblem(options.cause)}`, options)
  }
}

/** The coordinator responded, but not as the request requires. */
export class CoordinatorAnswerError extends SwitchyardError {
  readonly name = 'CoordinatorAnswerError'
  readonly code = 'COORDINATOR_ANSWER'

  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

/** The settings are invalid. `problems` and `warnings` hold one sentence each. */
export class SettingsError extends SwitchyardError {
  readonly name = 'SettingsError'
  readonly code = 'INVALID_SETTINGS'

  constructor(
    readonly source: string,
    readonly problems: string[],
    options?: ErrorOptions,
    readonly warnings: string[] = [],
  ) {
    super(`${source}: ${problems.join('; ')}`, options)
  }
}

/** The reason why there was no response. undici wraps several connection attempts in an error without a message. */
export function connectionProblem(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
