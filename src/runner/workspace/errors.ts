import { SwitchyardError } from '../../lib/errors.js'

/** The sources of a job could not be prepared. `message` is the last message of git. */
export class SourcesError extends SwitchyardError {
  readonly name = 'SourcesError'
  readonly code = 'SOURCES_FAILED'

  constructor(
    message: string,
    /** The exit code of git. Undefined if something other than git failed. */
    readonly exitCode: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
