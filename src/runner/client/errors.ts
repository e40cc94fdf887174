import { SwitchyardError } from '../../lib/errors.js'

/** No answer came: no connection, a broken one, or none in time. */
export class CoordinatorUnreachableError extends SwitchyardError {
  readonly name = 'CoordinatorUnreachableError'
  readonly code = 'COORDINATOR_UNREACHABLE'

  constructor(url: string, options: ErrorOptions) {
    super(`The coordinator at ${url} cannot be reached: ${connectionProblem(options.cause)}`, options)
  }
}

/** The coordinator answered, but not with what was asked for. */
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

/** The settings cannot be used; `problems` holds one sentence each, `warnings` what else was noticed. */
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

/** Why there was no answer: undici wraps several tries to connect in an error without a message of its own. */
export function connectionProblem(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
